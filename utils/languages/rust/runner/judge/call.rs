use crate::verdict::{failed, finish, forged, LastCall, CALLS, LAST_CALL, LOADED};
use mend_wire::{shown, Channel, Get, Heard, Put, Reader, Writer, Wrong, NUMBER};
use std::fs::File;
use std::io::Read;

const CANDIDATE: i32 = 4;
const SHOWN: usize = 200;

extern "C" {
    fn recv(socket: i32, into: *mut u8, size: usize, flags: i32) -> isize;
}
const PEEK_WITHOUT_WAITING: i32 = 0x02 | 0x40;

/// A call of the function under test, in the program's process.
pub struct Call {
    name: &'static str,
    arguments: Writer,
    list: String,
}

/// What it answered.
pub struct Reply {
    body: Vec<u8>,
    at: usize,
}

impl Call {
    pub fn of(name: &'static str) -> Self {
        Call { name, arguments: Writer { bytes: b"c".to_vec(), unfit: None }, list: String::new() }
    }

    pub fn give<T: Put + ?Sized>(&mut self, value: &T) {
        let from = self.arguments.bytes.len();
        value.put(&mut self.arguments);
        if let Some(why) = &self.arguments.unfit {
            finish("sandbox_error", &format!("the tests pass {} to `{}`, which cannot cross between processes", why, self.name));
        }
        let told = shown(&mut Reader::new(&self.arguments.bytes[from..]), SHOWN).unwrap_or_default();
        self.list += if self.list.is_empty() { "" } else { ", " };
        self.list += &told;
    }

    /// A panic of the program is one of the tests, at the line of theirs that called.
    #[track_caller]
    pub fn ask(self) -> Reply {
        CALLS.with(|calls| calls.set(calls.get() + 1));
        let call = LastCall { function: self.name, arguments: self.list, ended: "did not return".to_string() };
        LAST_CALL.with(|last| *last.borrow_mut() = call);
        let body = exchange(&self.arguments.bytes);
        let mut reply = Reply { body, at: NUMBER + 1 };
        match reply.body[NUMBER] {
            b'v' => {
                let value = readable(shown(&mut Reader::new(&reply.body[reply.at..]), SHOWN));
                ended(format!("returned {}", value));
                reply
            }
            b'o' => failed(&format!("it returned {}, which is no plain value", reply.text())),
            b'u' => failed(&format!("the program's function takes {}", reply.text())),
            b'r' => reply.panicked(),
            _ => forged("a message of no known form"),
        }
    }
}

impl Reply {
    fn text(&mut self) -> String {
        let mut input = Reader::new(&self.body[self.at..]);
        let text = readable(input.text()).to_string();
        self.at = self.body.len() - input.left();
        text
    }

    #[track_caller]
    fn panicked(mut self) -> ! {
        let why = self.text();
        let line = self.text();
        let place = if line == "0" { String::new() } else { format!(" (line {} of the program)", line) };
        ended(format!("panicked: {}{}", why, place));
        std::panic::panic_any(why)
    }

    /// The next value, as the type of the declaration: what came back, then what became of arguments.
    pub fn take<T: Get>(&mut self) -> T {
        let mut input = Reader::new(&self.body[self.at..]);
        match T::get(&mut input) {
            Ok(value) => {
                self.at = self.body.len() - input.left();
                value
            }
            Err(Wrong::Malformed) => forged("a value of no known form"),
            Err(Wrong::Unfit(why)) => failed(&format!("what came back is {}", why)),
        }
    }

    pub fn end(&self) {
        if self.at != self.body.len() {
            forged("a value of no known form");
        }
    }
}

fn readable<T>(read: Result<T, Wrong>) -> T {
    read.unwrap_or_else(|_| forged("a value of no known form"))
}

/// How the last call ended.
fn ended(how: String) {
    LAST_CALL.with(|call| call.borrow_mut().ended = how);
}

/// What a program changed in a slice.
pub fn copied<T>(into: &mut [T], from: Vec<T>) {
    if into.len() != from.len() {
        forged("a slice of another length");
    }
    for (place, value) in into.iter_mut().zip(from) {
        *place = value;
    }
}

/// Sends, and waits for a reply with the same number, which could not be known before.
fn exchange(body: &[u8]) -> Vec<u8> {
    let asked = number();
    let mut candidate = Channel::new(CANDIDATE);
    // If the program is gone, the supervisor explains why: it knows the exit status.
    if !candidate.send(&[&asked, body].concat()) {
        finish("crashed", "");
    }
    match candidate.receive() {
        Heard::Closed => finish("crashed", ""),
        Heard::TooLong => forged("a message that is too long"),
        Heard::Message(reply) if reply.len() > NUMBER && reply[..NUMBER] == asked => reply,
        Heard::Message(_) => forged("a message of no known form"),
    }
}

fn number() -> [u8; NUMBER] {
    let mut bytes = [0; NUMBER];
    let read = File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    if read.is_err() {
        finish("sandbox_error", "there are no random numbers");
    }
    bytes
}

/// Has the program started, in its own process.
pub fn load() {
    if exchange(b"h")[NUMBER] != b'l' {
        forged("a message of no known form");
    }
    LOADED.with(|loaded| loaded.set(true));
}

/// The program is still there, and has nothing more to say.
pub fn end() {
    let mut byte = 0;
    match unsafe { recv(CANDIDATE, &mut byte, 1, PEEK_WITHOUT_WAITING) } {
        0 => finish("crashed", ""),
        more if more > 0 => forged("more than it was asked for"),
        _ => {}
    }
    if !Channel::new(CANDIDATE).send(&[&number()[..], b"e"].concat()) {
        finish("crashed", "");
    }
}
