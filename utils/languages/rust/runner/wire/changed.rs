use crate::{Get, Put, Reader, Writer, Wrong};

/// Where a function may change an argument: what it is afterwards.
pub struct Kept<T: ?Sized>(*const T);

impl<T: Put + ?Sized> Kept<T> {
    pub fn put(&self, out: &mut Writer) {
        // It is leaked, so it is there; the function that could change it has returned.
        unsafe { &*self.0 }.put(out);
    }
}

/// An argument of the type `&mut ...`.
pub trait Changed: Sized {
    type Of: ?Sized;
    fn kept(input: &mut Reader) -> Result<(Self, Kept<Self::Of>), Wrong>;
}

impl<T: Get> Changed for &'static mut T {
    type Of = T;
    fn kept(input: &mut Reader) -> Result<(Self, Kept<T>), Wrong> {
        let value = Box::leak(Box::new(T::get(input)?));
        let kept = Kept(value as *const T);
        Ok((value, kept))
    }
}

impl<T: Get> Changed for &'static mut [T] {
    type Of = [T];
    fn kept(input: &mut Reader) -> Result<(Self, Kept<[T]>), Wrong> {
        let value = Box::leak(Box::<[T]>::get(input)?);
        let kept = Kept(value as *const [T]);
        Ok((value, kept))
    }
}

pub fn kept<A: Changed>(input: &mut Reader) -> Result<(A, Kept<A::Of>), Wrong> {
    A::kept(input)
}
