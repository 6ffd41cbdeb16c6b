//! What a test has to do, and what it did.
use std::any::Any;
use std::fmt::Debug;

/// Return, or panic with a message that holds a text.
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

/// What a panic says, where that is a text.
pub fn message(thrown: &(dyn Any + Send)) -> Option<&str> {
    let text = thrown.downcast_ref::<String>().map(|text| text.as_str());
    text.or_else(|| thrown.downcast_ref::<&str>().copied())
}
