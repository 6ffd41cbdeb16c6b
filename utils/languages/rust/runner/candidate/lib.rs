//! The confined process of a program: answers its judge's calls with plain values. It shares its process with the program,
//! so nothing that it says is believed. A program's own `main` is not called.

#[allow(dead_code)]
#[path = "../judge/outcome.rs"]
mod outcome;

use mend_wire::{Channel, Heard, Reader, Writer, Wrong, NUMBER};
use std::cell::RefCell;
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};

const CHANNEL: i32 = 3;
const PROGRAM: &str = "Program.rs";
const MOST_CHARS: usize = 300;

/// Reads arguments, calls the function, writes what came back.
pub type Answer = fn(&mut Reader, &mut Writer) -> Result<(), Wrong>;

thread_local! {
    /// The line of the program in which the last panic was.
    static LINE: RefCell<u32> = RefCell::new(0);
}

extern "C" {
    fn _exit(code: i32) -> !;
}

/// Never returns.
pub fn serve(answer: Answer) -> i32 {
    set_hook(Box::new(|info| {
        let line = info.location().filter(|place| place.file() == PROGRAM).map_or(0, |place| place.line());
        let _ = LINE.try_with(|kept| *kept.borrow_mut() = line);
    }));
    let mut channel = Channel::new(CHANNEL);
    while let Heard::Message(question) = channel.receive() {
        if question.len() <= NUMBER {
            break;
        }
        let (number, rest) = question.split_at(NUMBER);
        let reply = match rest[0] {
            b'h' => [number, b"l"].concat(),
            b'c' => answered(answer, number, &rest[1..]),
            _ => break,
        };
        if !channel.send(&reply) {
            break;
        }
    }
    unsafe { _exit(0) }
}

/// The number of the question stands before the answer.
fn answered(answer: Answer, number: &[u8], question: &[u8]) -> Vec<u8> {
    let mut out = Writer { bytes: [number, b"v"].concat(), unfit: None };
    let done = catch_unwind(AssertUnwindSafe(|| answer(&mut Reader::new(question), &mut out)));
    let told: (u8, String) = match done {
        Err(thrown) => (b'r', outcome::message(&*thrown).unwrap_or("a value of its own").to_string()),
        Ok(Err(Wrong::Malformed)) => (b'u', "what is no value".to_string()),
        Ok(Err(Wrong::Unfit(why))) => (b'u', format!("a value that is {}", why)),
        Ok(Ok(())) => match out.unfit.take() {
            None => return out.bytes,
            Some(why) => (b'o', why),
        },
    };
    let mut reply = Writer { bytes: [number, &[told.0]].concat(), unfit: None };
    reply.text(&told.1.chars().take(MOST_CHARS).collect::<String>());
    reply.text(&LINE.with(|line| line.replace(0)).to_string());
    reply.bytes
}
