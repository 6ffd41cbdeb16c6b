//! What tests use of `rand` as it was before 0.8: `gen_range` takes two numbers there.

use std::cell::RefCell;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

thread_local! {
    static STATE: RefCell<u64> = RefCell::new(RandomState::new().build_hasher().finish());
}

#[derive(Clone, Copy, Debug)]
pub struct ThreadRng;

pub fn thread_rng() -> ThreadRng {
    ThreadRng
}

pub fn random<T: Rand>() -> T {
    T::rand(&mut ThreadRng)
}

/// A value of any size of its type; a fraction from 0 to below 1.
pub trait Rand: Sized {
    fn rand<R: Rng + ?Sized>(rng: &mut R) -> Self;
}

/// From `low` to below `high`.
pub trait Range: Sized {
    fn between<R: Rng + ?Sized>(rng: &mut R, low: Self, high: Self) -> Self;
}

pub trait Rng {
    fn next_u64(&mut self) -> u64;

    fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    fn gen<T: Rand>(&mut self) -> T
    where
        Self: Sized,
    {
        T::rand(self)
    }

    fn gen_range<T: Range>(&mut self, low: T, high: T) -> T {
        T::between(self, low, high)
    }

    fn gen_bool(&mut self, chance: f64) -> bool {
        f64::rand(self) < chance
    }

    fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            return None;
        }
        items.get(usize::between(self, 0, items.len()))
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, usize::between(self, 0, last + 1));
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
impl Rng for ThreadRng {
    fn next_u64(&mut self) -> u64 {
        STATE.with(|state| {
            let mut state = state.borrow_mut();
            *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        })
    }
}

macro_rules! whole {
    ($($type:ident)*) => {
        $(impl Rand for $type {
            fn rand<R: Rng + ?Sized>(rng: &mut R) -> Self { rng.next_u64() as $type }
        }
        impl Range for $type {
            fn between<R: Rng + ?Sized>(rng: &mut R, low: Self, high: Self) -> Self {
                assert!(low < high, "gen_range needs low < high");
                let span = (high as i128 - low as i128) as u128;
                (low as i128 + (rng.next_u64() as u128 % span) as i128) as $type
            }
        })*
    };
}
whole!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

macro_rules! fractions {
    ($($type:ident $bits:literal)*) => {
        $(impl Rand for $type {
            fn rand<R: Rng + ?Sized>(rng: &mut R) -> Self { (rng.next_u64() >> (64 - $bits)) as $type / (1u64 << $bits) as $type }
        }
        impl Range for $type {
            fn between<R: Rng + ?Sized>(rng: &mut R, low: Self, high: Self) -> Self { low + (high - low) * $type::rand(rng) }
        })*
    };
}
fractions!(f32 24 f64 53);

impl Rand for bool {
    fn rand<R: Rng + ?Sized>(rng: &mut R) -> Self {
        rng.next_u64() >> 63 == 1
    }
}

impl Rand for char {
    fn rand<R: Rng + ?Sized>(rng: &mut R) -> Self {
        loop {
            if let Some(found) = char::from_u32(rng.next_u32() >> 11) {
                return found;
            }
        }
    }
}
