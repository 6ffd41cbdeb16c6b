use crate::any_types;
use std::any::Any;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::error::Error;
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;

/// Why bytes are not a value of the expected type.
pub enum Wrong {
    /// They are not a value of any type.
    Malformed,
    /// Of a value that can be shown: `out of the range of its type`.
    Unfit(&'static str),
}

const OTHER: Wrong = Wrong::Unfit("of another type than the declared one");
const RANGE: Wrong = Wrong::Unfit("out of the range of its type");

pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(rest: &'a [u8]) -> Self {
        Reader { rest }
    }

    /// Bytes that are not yet read.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    pub fn tag(&mut self) -> Result<u8, Wrong> {
        Ok(self.take(1)?[0])
    }

    fn expect(&mut self, tag: u8) -> Result<(), Wrong> {
        if self.tag()? == tag {
            Ok(())
        } else {
            Err(OTHER)
        }
    }

    pub(crate) fn take(&mut self, size: usize) -> Result<&'a [u8], Wrong> {
        if self.rest.len() < size {
            return Err(Wrong::Malformed);
        }
        let (taken, rest) = self.rest.split_at(size);
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn word(&mut self) -> Result<u32, Wrong> {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(bytes))
    }

    pub(crate) fn bits(&mut self) -> Result<u64, Wrong> {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(bytes))
    }

    pub(crate) fn wide(&mut self) -> Result<u128, Wrong> {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(self.take(16)?);
        Ok(u128::from_le_bytes(bytes))
    }

    pub(crate) fn text_of(&mut self) -> Result<&'a str, Wrong> {
        let size = self.word()? as usize;
        std::str::from_utf8(self.take(size)?).map_err(|_| Wrong::Malformed)
    }

    pub fn text(&mut self) -> Result<&'a str, Wrong> {
        self.expect(b's')?;
        self.text_of()
    }

    fn list<T: Get>(&mut self) -> Result<Vec<T>, Wrong> {
        self.expect(b'l')?;
        let count = self.word()? as usize;
        // Each takes a byte at least.
        if count > self.rest.len() {
            return Err(Wrong::Malformed);
        }
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(T::get(self)?);
        }
        Ok(items)
    }

    fn pairs<K: Get, V: Get>(&mut self) -> Result<Vec<(K, V)>, Wrong> {
        self.expect(b'm')?;
        let count = self.word()? as usize;
        if count > self.rest.len() {
            return Err(Wrong::Malformed);
        }
        let mut items = Vec::new();
        for _ in 0..count {
            let key = K::get(self)?;
            items.push((key, V::get(self)?));
        }
        Ok(items)
    }
}

pub trait Get: Sized {
    fn get(input: &mut Reader) -> Result<Self, Wrong>;
}

/// A number counts where it is the same number in the type that is read.
macro_rules! get_numbers {
    ($($type:ident)*) => {
        $(impl Get for $type {
            fn get(input: &mut Reader) -> Result<Self, Wrong> {
                match input.tag()? {
                    b'i' => <$type>::try_from(input.wide()? as i128).map_err(|_| RANGE),
                    b'u' => <$type>::try_from(input.wide()?).map_err(|_| RANGE),
                    _ => Err(OTHER),
                }
            }
        })*
    };
}
get_numbers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl Get for f64 {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        match input.tag()? {
            b'f' => Ok(f64::from_bits(input.bits()?)),
            b'g' => Ok(f32::from_bits(input.word()?) as f64),
            _ => Err(OTHER),
        }
    }
}

impl Get for f32 {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        match input.tag()? {
            b'f' => Ok(f64::from_bits(input.bits()?) as f32),
            b'g' => Ok(f32::from_bits(input.word()?)),
            _ => Err(OTHER),
        }
    }
}

impl Get for bool {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        input.expect(b'b')?;
        match input.tag()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Wrong::Malformed),
        }
    }
}

impl Get for char {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        input.expect(b'c')?;
        char::from_u32(input.word()?).ok_or(Wrong::Malformed)
    }
}

impl Get for String {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        Ok(input.text()?.to_string())
    }
}

/// References are to what is never given back: a process answers few calls, and ends.
impl Get for &'static str {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        Ok(Box::leak(Box::<str>::get(input)?))
    }
}

impl<T: Get> Get for &'static [T] {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        Ok(Box::leak(Box::<[T]>::get(input)?))
    }
}

impl<T: Get> Get for &'static T {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        Ok(Box::leak(Box::new(T::get(input)?)))
    }
}

impl Get for Box<str> {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        Ok(String::get(input)?.into_boxed_str())
    }
}

impl<T: Get> Get for Box<[T]> {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        Ok(input.list()?.into_boxed_slice())
    }
}

impl Get for Cow<'static, str> {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        Ok(Cow::Owned(String::get(input)?))
    }
}

macro_rules! get_within {
    ($($outer:ident)*) => {
        $(impl<T: Get> Get for $outer<T> {
            fn get(input: &mut Reader) -> Result<Self, Wrong> { Ok($outer::new(T::get(input)?)) }
        })*
    };
}
get_within!(Box Rc Arc RefCell Cell);

macro_rules! get_items {
    ($($type:ident [$($bound:tt)*])*) => {
        $(impl<T: Get $($bound)*> Get for $type<T> {
            fn get(input: &mut Reader) -> Result<Self, Wrong> { Ok(input.list()?.into_iter().collect()) }
        })*
    };
}
get_items!(VecDeque [] LinkedList [] BTreeSet [+ Ord] BinaryHeap [+ Ord] HashSet [+ Eq + Hash]);

impl<T: Get> Get for Vec<T> {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        input.list()
    }
}

impl<T: Get, const N: usize> Get for [T; N] {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        <[T; N]>::try_from(input.list()?).map_err(|_| OTHER)
    }
}

impl<K: Get + Ord, V: Get> Get for BTreeMap<K, V> {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        Ok(input.pairs()?.into_iter().collect())
    }
}

impl<K: Get + Eq + Hash, V: Get> Get for HashMap<K, V> {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        Ok(input.pairs()?.into_iter().collect())
    }
}

impl<T: Get> Get for Option<T> {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        match input.tag()? {
            b'n' => Ok(None),
            b'o' => Ok(Some(T::get(input)?)),
            _ => Err(OTHER),
        }
    }
}

impl<T: Get, E: Get> Get for Result<T, E> {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        match input.tag()? {
            b'k' => Ok(Ok(T::get(input)?)),
            b'e' => Ok(Err(E::get(input)?)),
            _ => Err(OTHER),
        }
    }
}

macro_rules! get_tuples {
    ($($count:literal: $($name:ident)*;)*) => {
        $(impl<$($name: Get),*> Get for ($($name,)*) {
            fn get(input: &mut Reader) -> Result<Self, Wrong> {
                input.expect(b't')?;
                if input.word()? != $count { return Err(OTHER); }
                Ok(($($name::get(input)?,)*))
            }
        })*
    };
}
get_tuples! {
    0: ;
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
}

impl Get for Box<dyn Error> {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        Ok(String::get(input)?.into())
    }
}

impl Get for Box<dyn Error + Send + Sync> {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        Ok(String::get(input)?.into())
    }
}

macro_rules! get_any {
    ([$name:ident $input:ident] $($type:ty),*) => {
        $(if $name == stringify!($type) {
            return Ok(Box::new(<$type as Get>::get($input)?));
        })*
    };
}

impl Get for Box<dyn Any> {
    fn get(input: &mut Reader) -> Result<Self, Wrong> {
        input.expect(b'a')?;
        let name = input.text()?;
        any_types!(get_any, name, input);
        Err(Wrong::Malformed)
    }
}
