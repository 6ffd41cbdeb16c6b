use crate::ending;
use crate::messages::{joined, json, TOLD};
use mend_wire::shortened;
use std::cell::{Cell, RefCell};

pub const ENDED_EARLY: &str = "the tests ended before their last line";
const SHOWN: usize = 200;

thread_local! {
    pub static LOADED: Cell<bool> = Cell::new(false);
    pub static CALLS: Cell<u64> = Cell::new(0);
    pub static LAST_CALL: RefCell<String> = RefCell::new(String::new());
}

/// A test ended as it had to: nothing is counted here.
pub fn held() {}

/// The tests panicked: where, after which call, and why, where neither says it.
pub fn threw(why: &str) -> ! {
    let place = TOLD.with(|told| told.borrow().clone());
    let last = LAST_CALL.with(|call| call.borrow().clone());
    let is_known = why.starts_with("assertion") || last.contains(" panicked: ");
    failed_with(&joined(&[&place, &last, if is_known { "" } else { why }]))
}

pub fn failed(what: &str) -> ! {
    let last = LAST_CALL.with(|call| call.borrow().clone());
    failed_with(&joined(&[what, &last]))
}

fn failed_with(told: &str) -> ! {
    finish("failed", ending::or_a_check(told))
}

pub fn forged(what: &str) -> ! {
    let last = LAST_CALL.with(|call| call.borrow().clone());
    finish("forged", &joined(&[&format!("the program broke the protocol: it sent {}", what), &last]))
}

pub fn passed() -> ! {
    finish("passed", "")
}

/// Says the verdict and ends.
pub fn finish(outcome: &str, explanation: &str) -> ! {
    let during = LAST_CALL.with(|call| if outcome == "passed" { String::new() } else { shortened(&call.borrow(), SHOWN * 2) });
    let fields = format!(
        r#""loaded": {}, "calls": {}, "during": {}"#,
        LOADED.with(|loaded| loaded.get()),
        CALLS.with(|calls| calls.get()),
        json(&during),
    );
    ending::finish(outcome, explanation, &fields)
}
