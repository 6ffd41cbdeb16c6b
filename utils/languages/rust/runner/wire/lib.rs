//! Plain values as bytes and back, and the channel that carries them. A program's bytes may be hostile, so all input is
//! checked. Each value carries its type, so that a reader that does not know the type can show it.

mod channel;
mod get;
mod changed;
mod put;
mod show;
mod value;

pub use channel::{Channel, Heard, NUMBER};
pub use get::{Get, Reader, Wrong};
pub use changed::{kept, Kept};
pub use put::{Put, Writer};
pub use show::shown;
pub use value::Value;

/// Of one message.
pub const MOST_BYTES: usize = 8 << 20;
const MOST_ITEMS: usize = 1_000_000;

/// What an `Any` may hold, by names that both sides know.
macro_rules! any_types {
    ($each:ident $(, $more:tt)*) => {
        $each! {
            [$($more)*]
            i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64, bool, char, (), String, &'static str,
            Vec<i32>, Vec<i64>, Vec<u8>, Vec<usize>, Vec<f32>, Vec<f64>, Vec<bool>, Vec<char>, Vec<String>, Vec<&'static str>,
            Vec<Vec<i32>>, Vec<Box<dyn std::any::Any>>, Option<i32>, Option<String>, (i32, i32)
        }
    };
}
pub(crate) use any_types;
