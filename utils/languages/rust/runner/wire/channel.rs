use crate::MOST_BYTES;
use std::fs::File;
use std::io::{Read, Write};
use std::mem::ManuallyDrop;
use std::os::unix::io::FromRawFd;

/// Bytes of the number that a question has and its answer repeats.
pub const NUMBER: usize = 8;
const MORE: usize = 1 << 20;

pub enum Heard {
    Message(Vec<u8>),
    Closed,
    TooLong,
}

/// Messages, each with its length in front, over a descriptor that is open from the start.
pub struct Channel(ManuallyDrop<File>);

impl Channel {
    pub fn new(descriptor: i32) -> Self {
        // It is never closed by us.
        Channel(ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) }))
    }

    pub fn receive(&mut self) -> Heard {
        let mut head = [0; 4];
        if self.0.read_exact(&mut head).is_err() {
            return Heard::Closed;
        }
        let size = u32::from_le_bytes(head) as usize;
        if size > MOST_BYTES + MORE {
            return Heard::TooLong;
        }
        let mut body = vec![0; size];
        match self.0.read_exact(&mut body) {
            Ok(()) => Heard::Message(body),
            Err(_) => Heard::Closed,
        }
    }

    /// False if the other end is closed.
    pub fn send(&mut self, body: &[u8]) -> bool {
        let mut frame = (body.len() as u32).to_le_bytes().to_vec();
        frame.extend_from_slice(body);
        self.0.write_all(&frame).is_ok()
    }
}
