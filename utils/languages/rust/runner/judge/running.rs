use crate::messages::LINE;
use crate::outcome::{message, Ends, Outcome};
use crate::verdict;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// The first that does not hold ends all.
pub fn run<T: Outcome>(name: &str, ends: Ends, test: fn() -> T) {
    LINE.with(|line| line.set(0));
    let done = catch_unwind(AssertUnwindSafe(|| test().problem()));
    match (ends, done) {
        (Ends::Returns, Ok(None)) => verdict::held(),
        (Ends::Returns, Ok(Some(problem))) => verdict::failed(&format!("{} fails: {}", name, problem)),
        (Ends::Returns, Err(thrown)) => verdict::threw(message(&*thrown).unwrap_or("")),
        (Ends::Panics(_), Ok(_)) => verdict::failed(&format!("{} did not panic", name)),
        (Ends::Panics(wanted), Err(thrown)) => {
            let told = message(&*thrown).unwrap_or("");
            if !told.contains(wanted) {
                verdict::failed(&format!("{} panicked with another message: {}", name, told));
            }
            verdict::held();
        }
    }
}
