use crate::ending;
use crate::messages::LINE;
use std::fs::File;
use std::io::Read;
use std::os::unix::io::FromRawFd;
use std::sync::atomic::{AtomicU64, Ordering};

pub const ENDED_EARLY: &str = "the process ended before the last line of the tests";
const GIVEN: i32 = 4;

static REACHED: AtomicU64 = AtomicU64::new(0);

/// Gives the number that a pass has to show.
pub fn begin() -> String {
    ending::begin();
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
    let line = LINE.with(|line| line.get());
    say("", "failed", line, if why.starts_with("assertion") { "" } else { why })
}

pub fn failed(what: &str) -> ! {
    say("", "failed", 0, what)
}

pub fn passed(nonce: &str) -> ! {
    say(nonce, "passed", 0, "")
}

/// Says the verdict and ends.
fn say(nonce: &str, outcome: &str, line: u32, what: &str) -> ! {
    let (checks, line) = (REACHED.load(Ordering::SeqCst).to_string(), line.to_string());
    ending::finish(&[nonce, outcome, "true", "0", &checks, &line, what, "", "", "", ""])
}
