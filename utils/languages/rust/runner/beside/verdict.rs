use crate::telling::{joined, json, watch, MOST_CHARS, TOLD};
use mend_wire::{shortened, Channel};
use std::fs::File;
use std::io::Read;
use std::os::unix::io::FromRawFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const SUPERVISOR: i32 = 3;
const GIVEN: i32 = 4;

static REACHED: AtomicU64 = AtomicU64::new(0);
static IS_OVER: AtomicBool = AtomicBool::new(false);

extern "C" {
    fn _exit(code: i32) -> !;
    fn atexit(call: extern "C" fn()) -> i32;
}

/// Whoever ends the process without a verdict has not passed.
extern "C" fn ended() {
    if !IS_OVER.load(Ordering::SeqCst) {
        failed("the process ended before the last line of the tests");
    }
}

/// Gives the number that a pass has to show.
pub fn begin(text: &'static str) -> String {
    unsafe { atexit(ended) };
    watch(text);
    let mut nonce = [0; 16];
    let mut given = unsafe { File::from_raw_fd(GIVEN) };
    if given.read_exact(&mut nonce).is_err() {
        unsafe { _exit(1) }
    }
    nonce.iter().map(|each| format!("{:02x}", each)).collect()
}

/// Counts a check that is made, or a test that ended as it had to.
pub fn held() {
    REACHED.fetch_add(1, Ordering::SeqCst);
}

/// The tests panicked: where, and why, where the place does not say it.
pub fn threw(why: &str) -> ! {
    let place = TOLD.with(|told| told.borrow().clone());
    failed(&joined(&[&place, if why.starts_with("assertion") { "" } else { why }]))
}

pub fn failed(told: &str) -> ! {
    finish("failed", if told.is_empty() { "a check of the tests does not hold" } else { told }, "")
}

/// Says the verdict and ends.
pub fn finish(outcome: &str, explanation: &str, nonce: &str) -> ! {
    IS_OVER.store(true, Ordering::SeqCst);
    let verdict = format!(
        r#"{{"nonce": {}, "outcome": {}, "explanation": {}, "loaded": true, "calls": 0, "checks": {}}}"#,
        json(nonce),
        json(outcome),
        json(&shortened(explanation, MOST_CHARS)),
        REACHED.load(Ordering::SeqCst),
    );
    Channel::new(SUPERVISOR).send(verdict.as_bytes());
    unsafe { _exit(0) }
}
