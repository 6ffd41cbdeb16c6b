use crate::ending;
use crate::messages::LINE;
use std::cell::{Cell, RefCell};

pub const ENDED_EARLY: &str = "the tests ended before their last line";

/// A call of the function under test, its arguments as Rust's source has them, and how it ended.
#[derive(Clone, Default)]
pub struct LastCall {
    pub function: &'static str,
    pub arguments: String,
    pub ended: String,
}

thread_local! {
    pub static LOADED: Cell<bool> = Cell::new(false);
    pub static CALLS: Cell<u64> = Cell::new(0);
    pub static LAST_CALL: RefCell<LastCall> = RefCell::new(LastCall::default());
}

/// A test ended as it had to: nothing is counted here.
pub fn held() {}

/// The tests panicked: where, after which call, and why, where neither says it.
pub fn threw(why: &str) -> ! {
    let has_panicked = LAST_CALL.with(|call| call.borrow().ended.starts_with("panicked: "));
    let is_known = why.starts_with("assertion") || has_panicked;
    say("failed", LINE.with(|line| line.get()), "", if is_known { "" } else { why })
}

pub fn failed(what: &str) -> ! {
    say("failed", 0, what, "")
}

pub fn forged(what: &str) -> ! {
    say("forged", 0, &format!("the program broke the protocol: it sent {}", what), "")
}

pub fn passed() -> ! {
    finish("passed", "")
}

/// Says the verdict and ends.
pub fn finish(outcome: &str, what: &str) -> ! {
    say(outcome, 0, what, "")
}

fn say(outcome: &str, line: u32, what: &str, why: &str) -> ! {
    let call = LAST_CALL.with(|call| call.borrow().clone());
    let (loaded, calls) = (LOADED.with(|loaded| loaded.get()), CALLS.with(|calls| calls.get()));
    let counts = [loaded.to_string(), calls.to_string(), line.to_string()];
    ending::finish(&[
        "", outcome, &counts[0], &counts[1], "0", &counts[2],
        what, call.function, &call.arguments, &call.ended, why,
    ])
}
