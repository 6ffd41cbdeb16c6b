use crate::messages::LINE;
use crate::verdict;
use std::any::Any;
use std::fmt::Debug;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// What a test has to do: return, or panic with a message that holds a text.
pub enum Ends {
    Returns,
    Panics(&'static str),
}

/// What a test returns says whether it holds.
pub trait Outcome {
    fn problem(self) -> Option<String>;
}

impl Outcome for () {
    fn problem(self) -> Option<String> {
        None
    }
}

impl<T: Outcome, E: Debug> Outcome for Result<T, E> {
    fn problem(self) -> Option<String> {
        match self {
            Ok(inner) => inner.problem(),
            Err(error) => Some(format!("it returned Err({:?})", error)),
        }
    }
}

/// The first that does not hold ends all.
pub fn run<T: Outcome>(name: &str, ends: Ends, test: fn() -> T) {
    LINE.with(|line| line.set(0));
    let done = catch_unwind(AssertUnwindSafe(|| test().problem()));
    match (ends, done) {
        (Ends::Returns, Ok(None)) => verdict::held(),
        (Ends::Returns, Ok(Some(problem))) => verdict::failed(&format!("{} fails: {}", name, problem)),
        (Ends::Returns, Err(thrown)) => verdict::threw(&message(&*thrown)),
        (Ends::Panics(_), Ok(_)) => verdict::failed(&format!("{} did not panic", name)),
        (Ends::Panics(wanted), Err(thrown)) => {
            let told = message(&*thrown);
            if !told.contains(wanted) {
                verdict::failed(&format!("{} panicked with another message: {}", name, told));
            }
            verdict::held();
        }
    }
}

/// What a panic says, where that is a text.
pub fn message(thrown: &(dyn Any + Send)) -> String {
    if let Some(text) = thrown.downcast_ref::<String>() {
        return text.clone();
    }
    thrown.downcast_ref::<&str>().map_or("", |text| text).to_string()
}
