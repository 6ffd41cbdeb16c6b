//! The crate `rand` as it was before 0.8: `gen_range` takes two numbers there, and lists are drawn from by the generator.

pub use rand_now::*;

use rand_now::distributions::uniform::SampleUniform;
use rand_now::distributions::{Distribution, Standard};
use rand_now::seq::SliceRandom;

pub trait Rng: rand_now::Rng {
    fn gen<T>(&mut self) -> T
    where
        Standard: Distribution<T>,
    {
        rand_now::Rng::gen(self)
    }

    fn gen_range<T: SampleUniform + PartialOrd>(&mut self, low: T, high: T) -> T {
        rand_now::Rng::gen_range(self, low..high)
    }

    fn gen_bool(&mut self, chance: f64) -> bool {
        rand_now::Rng::gen_bool(self, chance)
    }

    fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.choose(self)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        items.shuffle(self)
    }
}

impl<R: RngCore + ?Sized> Rng for R {}
