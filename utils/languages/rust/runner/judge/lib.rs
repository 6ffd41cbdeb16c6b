//! Judges one job: runs its tests in this process, which is confined, against a program at the other end of a socket. Every
//! reply is hostile until it is read.

mod call;
mod ending;
mod running;
mod messages;
mod verdict;

use std::panic::catch_unwind;

pub use call::{copied, Call};
pub use running::{run, Ends, Outcome};

/// Never returns.
pub fn judge(tests: fn()) -> i32 {
    ending::begin();
    call::load();
    if let Err(thrown) = catch_unwind(tests) {
        verdict::threw(&running::message(&*thrown));
    }
    call::end();
    verdict::passed()
}
