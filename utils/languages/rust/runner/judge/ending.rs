//! How the process that runs the tests ends: with a verdict, and where it ends without one, not passed.
use crate::messages::{send, watch};
use crate::verdict::{failed, ENDED_EARLY};
use std::sync::atomic::{AtomicBool, Ordering};

static IS_OVER: AtomicBool = AtomicBool::new(false);

extern "C" {
    fn _exit(code: i32) -> !;
    fn atexit(call: extern "C" fn()) -> i32;
}

/// Fails a program that ends the process without a verdict.
extern "C" fn ended() {
    if !IS_OVER.load(Ordering::SeqCst) {
        failed(ENDED_EARLY);
    }
}

pub fn begin() {
    unsafe { atexit(ended) };
    watch();
}

/// Says the verdict and ends: nothing that the tests do afterwards can change it.
pub fn finish(fields: &[&str]) -> ! {
    IS_OVER.store(true, Ordering::SeqCst);
    send(fields);
    unsafe { _exit(0) }
}

/// Ends without a verdict.
pub fn end() -> ! {
    unsafe { _exit(1) }
}
