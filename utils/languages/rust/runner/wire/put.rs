use crate::{any_types, MOST_BYTES, MOST_ITEMS};
use std::any::Any;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::error::Error;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Default)]
pub struct Writer {
    pub bytes: Vec<u8>,
    /// Why what was put in cannot cross: the first reason.
    pub unfit: Option<String>,
}

impl Writer {
    pub fn tag(&mut self, tag: u8) {
        if self.bytes.len() > MOST_BYTES {
            self.refuse("a value of more than 8 MB");
        }
        if self.unfit.is_none() {
            self.bytes.push(tag);
        }
    }

    pub fn refuse(&mut self, why: &str) {
        if self.unfit.is_none() {
            self.unfit = Some(why.to_string());
        }
    }

    fn raw(&mut self, bytes: &[u8]) {
        if self.unfit.is_none() {
            self.bytes.extend_from_slice(bytes);
        }
    }

    pub(crate) fn signed(&mut self, value: i128) {
        self.tag(b'i');
        self.raw(&value.to_le_bytes());
    }

    pub(crate) fn unsigned(&mut self, value: u128) {
        self.tag(b'u');
        self.raw(&value.to_le_bytes());
    }

    pub(crate) fn count(&mut self, tag: u8, count: usize) {
        if count > MOST_ITEMS {
            self.refuse("a value of more than a million items");
        }
        self.tag(tag);
        self.raw(&(count as u32).to_le_bytes());
    }

    pub fn text(&mut self, text: &str) {
        if text.len() > MOST_BYTES {
            self.refuse("a text of more than 8 MB");
        }
        self.tag(b's');
        self.raw(&(text.len() as u32).to_le_bytes());
        self.raw(text.as_bytes());
    }

    fn items<'a, T: Put + 'a>(&mut self, count: usize, items: impl Iterator<Item = &'a T>) {
        self.count(b'l', count);
        for each in items {
            if self.unfit.is_some() {
                return;
            }
            each.put(self);
        }
    }

    fn pairs<'a, K: Put + 'a, V: Put + 'a>(&mut self, count: usize, pairs: impl Iterator<Item = (&'a K, &'a V)>) {
        self.count(b'm', count);
        for (key, value) in pairs {
            if self.unfit.is_some() {
                return;
            }
            key.put(self);
            value.put(self);
        }
    }
}

pub trait Put {
    fn put(&self, out: &mut Writer);
}

macro_rules! put_numbers {
    ($method:ident $wide:ty: $($type:ty)*) => {
        $(impl Put for $type { fn put(&self, out: &mut Writer) { out.$method(*self as $wide); } })*
    };
}
put_numbers!(signed i128: i8 i16 i32 i64 i128 isize);
put_numbers!(unsigned u128: u8 u16 u32 u64 u128 usize);

impl Put for f64 {
    fn put(&self, out: &mut Writer) {
        out.tag(b'f');
        out.raw(&self.to_bits().to_le_bytes());
    }
}

impl Put for f32 {
    fn put(&self, out: &mut Writer) {
        out.tag(b'g');
        out.raw(&self.to_bits().to_le_bytes());
    }
}

impl Put for bool {
    fn put(&self, out: &mut Writer) {
        out.tag(b'b');
        out.raw(&[*self as u8]);
    }
}

impl Put for char {
    fn put(&self, out: &mut Writer) {
        out.tag(b'c');
        out.raw(&(*self as u32).to_le_bytes());
    }
}

impl Put for str {
    fn put(&self, out: &mut Writer) {
        out.text(self);
    }
}

impl Put for String {
    fn put(&self, out: &mut Writer) {
        out.text(self);
    }
}

macro_rules! put_through {
    ($($type:ty),*) => { $(impl<T: Put + ?Sized> Put for $type { fn put(&self, out: &mut Writer) { (**self).put(out); } })* };
}
put_through!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

impl<T: Put + ?Sized + ToOwned> Put for Cow<'_, T> {
    fn put(&self, out: &mut Writer) {
        (**self).put(out);
    }
}

impl<T: Put> Put for RefCell<T> {
    fn put(&self, out: &mut Writer) {
        match self.try_borrow() {
            Ok(value) => value.put(out),
            Err(_) => out.refuse("a RefCell that is borrowed"),
        }
    }
}

impl<T: Put + Copy> Put for Cell<T> {
    fn put(&self, out: &mut Writer) {
        self.get().put(out);
    }
}

macro_rules! put_items {
    ($([$($bound:tt)*] $type:ty),*) => {
        $(impl<T: Put, $($bound)*> Put for $type {
            fn put(&self, out: &mut Writer) { out.items(self.len(), self.iter()); }
        })*
    };
}
put_items!([] [T], [] Vec<T>, [] VecDeque<T>, [] LinkedList<T>, [] BTreeSet<T>, [] BinaryHeap<T>, [S] HashSet<T, S>, [const N: usize] [T; N]);

impl<K: Put, V: Put> Put for BTreeMap<K, V> {
    fn put(&self, out: &mut Writer) {
        out.pairs(self.len(), self.iter());
    }
}

impl<K: Put, V: Put, S> Put for HashMap<K, V, S> {
    fn put(&self, out: &mut Writer) {
        out.pairs(self.len(), self.iter());
    }
}

impl<T: Put> Put for Option<T> {
    fn put(&self, out: &mut Writer) {
        match self {
            None => out.tag(b'n'),
            Some(value) => {
                out.tag(b'o');
                value.put(out);
            }
        }
    }
}

impl<T: Put, E: Put> Put for Result<T, E> {
    fn put(&self, out: &mut Writer) {
        match self {
            Ok(value) => {
                out.tag(b'k');
                value.put(out);
            }
            Err(error) => {
                out.tag(b'e');
                error.put(out);
            }
        }
    }
}

macro_rules! put_tuples {
    ($($count:literal: $($name:ident $at:tt)*;)*) => {
        $(impl<$($name: Put),*> Put for ($($name,)*) {
            fn put(&self, out: &mut Writer) { out.count(b't', $count); $(self.$at.put(out);)* let _ = out; }
        })*
    };
}
put_tuples! {
    0: ;
    1: A 0;
    2: A 0 B 1;
    3: A 0 B 1 C 2;
    4: A 0 B 1 C 2 D 3;
    5: A 0 B 1 C 2 D 3 E 4;
    6: A 0 B 1 C 2 D 3 E 4 F 5;
    7: A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    8: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}

/// As its text: who it was stays behind.
impl Put for dyn Error {
    fn put(&self, out: &mut Writer) {
        out.text(&self.to_string());
    }
}

impl Put for dyn Error + Send + Sync {
    fn put(&self, out: &mut Writer) {
        out.text(&self.to_string());
    }
}

macro_rules! put_any {
    ([$value:ident $out:ident] $($type:ty),*) => {
        $(if let Some(value) = $value.downcast_ref::<$type>() {
            $out.tag(b'a');
            $out.text(stringify!($type));
            return value.put($out);
        })*
    };
}

impl Put for dyn Any {
    fn put(&self, out: &mut Writer) {
        let value = self;
        any_types!(put_any, value, out);
        out.refuse("an `Any` of a type that does not cross");
    }
}
