use crate::ending;
use crate::messages::{joined, json, TOLD};
use std::fs::File;
use std::io::Read;
use std::os::unix::io::FromRawFd;
use std::sync::atomic::{AtomicU64, Ordering};

pub const ENDED_EARLY: &str = "the process ended before the last line of the tests";
const GIVEN: i32 = 4;

static REACHED: AtomicU64 = AtomicU64::new(0);

/// Gives the number that a pass has to show.
pub fn begin(text: &'static str) -> String {
    ending::begin(text);
    let mut nonce = [0; 16];
    let mut given = unsafe { File::from_raw_fd(GIVEN) };
    if given.read_exact(&mut nonce).is_err() {
        ending::end()
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
    finish("failed", ending::or_a_check(told), "")
}

/// Says the verdict and ends.
pub fn finish(outcome: &str, explanation: &str, nonce: &str) -> ! {
    let checks = REACHED.load(Ordering::SeqCst);
    let fields = format!(r#""nonce": {}, "loaded": true, "calls": 0, "checks": {}"#, json(nonce), checks);
    ending::finish(outcome, explanation, &fields)
}
