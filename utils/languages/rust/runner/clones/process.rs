//! Processes of this program that a version may end, by the system's own calls.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::marker::PhantomData;
use std::mem::{size_of, ManuallyDrop};
use std::os::unix::io::{AsRawFd, FromRawFd};
use std::panic::{catch_unwind, AssertUnwindSafe};

extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(code: i32) -> !;
    fn dup(descriptor: i32) -> i32;
    fn dup2(from: i32, to: i32) -> i32;
    fn setitimer(which: i32, new: *const Timer, old: *mut Timer) -> i32;
    fn setrlimit(resource: i32, limit: *const [u64; 2]) -> i32;
    fn mmap(address: *mut u8, size: usize, protection: i32, flags: i32, descriptor: i32, offset: i64) -> *mut u8;
}

/// Interval and value, each in seconds and microseconds.
#[repr(C)]
struct Timer([i64; 4]);

/// Of `setitimer`: time of the clock, and processor time of all threads, with the signals that they send.
const CLOCK: (i32, i32) = (0, 14);
const CPU: (i32, i32) = (2, 27);
/// A version that waits for what does not come is ended after so much more time than it may compute.
const MOST_WAITS_MS: u32 = 2000;
const DATA: i32 = 2;
const CORE: i32 = 4;
const MOST_DATA: u64 = 512 << 20;
/// Of `mmap`: readable and writable; shared, and of no file.
const READ_WRITE: i32 = 3;
const SHARED_ANONYMOUS: i32 = 0x21;

#[derive(PartialEq)]
pub enum Ended {
    Itself,
    Late,
    Broken,
}

/// The output that the search reads.
pub struct Out(ManuallyDrop<File>);

impl Out {
    pub fn line(&self, text: &str) {
        let _ = (&*self.0).write_all(format!("{}\n", text).as_bytes());
    }
}

/// Discards all further output of the program itself; only the returned `Out` still prints.
pub fn quiet() -> Out {
    let out = unsafe { File::from_raw_fd(dup(1)) };
    if let Ok(nowhere) = OpenOptions::new().read(true).write(true).open("/dev/null") {
        for descriptor in [1, 2] {
            unsafe { dup2(nowhere.as_raw_fd(), descriptor) };
        }
    }
    Out(ManuallyDrop::new(out))
}

/// Memory that a process and its children share; zeros at first.
pub struct Shared<T>(*mut T, PhantomData<T>);

impl<T> Shared<T> {
    pub fn new() -> Self {
        let found = unsafe { mmap(std::ptr::null_mut(), size_of::<T>(), READ_WRITE, SHARED_ANONYMOUS, -1, 0) };
        assert!(found as isize != -1, "no memory is shared");
        Shared(found as *mut T, PhantomData)
    }

    pub fn get(&self) -> *mut T {
        self.0
    }

    #[allow(clippy::mut_from_ref)]
    pub fn of(&self) -> &mut T {
        unsafe { &mut *self.0 }
    }

    pub fn clear(&self) {
        unsafe { std::ptr::write_bytes(self.0, 0, 1) };
    }
}

/// Runs `what` in a process of its own and waits for its end.
pub fn child(what: impl FnOnce()) -> Ended {
    let pid = unsafe { fork() };
    if pid == 0 {
        for (resource, most) in [(DATA, MOST_DATA), (CORE, 0)] {
            unsafe { setrlimit(resource, &[most, most]) };
        }
        let done = catch_unwind(AssertUnwindSafe(what));
        unsafe { _exit(done.is_err() as i32) };
    }
    let mut status = 0;
    if pid < 0 || unsafe { waitpid(pid, &mut status, 0) } < 0 {
        return Ended::Broken;
    }
    match status & 0x7f {
        0 => Ended::Itself,
        signal if signal == CPU.1 || signal == CLOCK.1 => Ended::Late,
        _ => Ended::Broken,
    }
}

/// This process may use so much processor time from now on.
pub fn allow(ms: u32) {
    for ((which, _), ms) in [(CPU, ms), (CLOCK, ms + MOST_WAITS_MS)] {
        let timer = Timer([0, 0, (ms / 1000) as i64, (ms % 1000) as i64 * 1000]);
        unsafe { setitimer(which, &timer, std::ptr::null_mut()) };
    }
}
