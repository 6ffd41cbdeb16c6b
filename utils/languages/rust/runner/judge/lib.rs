//! Judges one job: runs its tests in this process, which is confined, against a program at the other end of a socket. Every
//! reply is hostile until it is read.

mod call;
mod ending;
mod running;
mod messages;
mod outcome;
mod verdict;

use std::panic::catch_unwind;

pub use call::{copied, Call};
pub use outcome::{Ends, Outcome};
pub use running::run;

/// Never returns.
pub fn judge(tests: fn()) -> i32 {
    ending::begin();
    call::load();
    if let Err(thrown) = catch_unwind(tests) {
        verdict::threw(outcome::message(&*thrown).unwrap_or(""));
    }
    call::end();
    verdict::passed()
}
