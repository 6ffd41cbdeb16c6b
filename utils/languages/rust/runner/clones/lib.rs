//! Stands for the judge's crate in a program of many versions of one function: it runs each version with the tests in a
//! process of its own and prints what the checks made of it. All of that is hostile: what is good here is judged alone
//! afterwards.

mod inputs;
#[path = "../judge/outcome.rs"]
mod outcome;
mod process;

use mend_wire::{Reader, Writer, Wrong};
use process::{Ended, Shared};
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

pub use inputs::{compare, enter};
pub use outcome::{Ends, Outcome};

/// Calls the function with arguments as bytes, and writes its result and the arguments after the call.
pub type Answer = fn(&mut Reader, &mut Writer) -> Result<(), Wrong>;

/// Of the version that runs.
#[repr(C)]
pub struct Seen {
    reached: u32,
    passed: u32,
    threw: u32,
    ended: u32,
}

static AT: AtomicUsize = AtomicUsize::new(0);
static SEEN: AtomicPtr<Seen> = AtomicPtr::new(std::ptr::null_mut());

/// The number of the version that runs.
pub fn at() -> usize {
    AT.load(Ordering::Relaxed)
}

pub(crate) fn choose(version: usize) {
    AT.store(version, Ordering::Relaxed);
}

/// A check of the tests, which go on behind one that fails.
pub fn check(holds: bool) {
    if let Some(seen) = unsafe { SEEN.load(Ordering::Relaxed).as_mut() } {
        seen.reached += 1;
        seen.passed += holds as u32;
    }
}

/// One test.
pub fn run<T: Outcome>(_: &str, ends: Ends, test: fn() -> T) {
    let done = catch_unwind(AssertUnwindSafe(|| test().problem().is_none()));
    match (ends, done) {
        (Ends::Returns, Ok(true)) => {}
        (Ends::Returns, Ok(false)) => check(false),
        (Ends::Panics(_), Ok(_)) => check(false),
        (Ends::Panics(wanted), Err(thrown)) => {
            check(outcome::message(&*thrown).unwrap_or("").contains(wanted));
        }
        (Ends::Returns, Err(_)) => threw(),
    }
}

fn threw() {
    if let Some(seen) = unsafe { SEEN.load(Ordering::Relaxed).as_mut() } {
        seen.threw = 1;
    }
}

/// Runs the tests with each version in turn and prints a line `mend AT REACHED PASSED ENDED LATE` for each.
/// `limits`: processor time of each in milliseconds.
pub fn versions(limits: &[u32], tests: fn()) -> i32 {
    let out = process::quiet();
    let shared = Shared::<Seen>::new();
    SEEN.store(shared.get(), Ordering::Relaxed);
    set_hook(Box::new(|_| {}));
    for (version, ms) in limits.iter().enumerate() {
        shared.clear();
        let ended = process::child(|| {
            choose(version);
            process::allow(*ms);
            if catch_unwind(tests).is_err() {
                threw();
            }
            shared.of().ended = 1;
        });
        let seen = shared.of();
        let is_over = seen.ended == 1 && seen.threw == 0;
        let late = matches!(ended, Ended::Late) as u32;
        out.line(&format!("mend {} {} {} {} {}", version, seen.reached, seen.passed, is_over as u32, late));
    }
    0
}
