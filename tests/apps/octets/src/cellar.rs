//! A server that keeps bytes.
use std::collections::HashMap;

use bytes::Bytes;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::{Binary, Iodata};

/// The bytes that it keeps.
#[derive(Debug)]
pub struct Cellar {
    kept: HashMap<Atom, Bytes>,
    spare: Vec<u8>,
}

/// `{put, Key, Bytes}`: keeps bytes.
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Put(Atom, Bytes);

/// `{make, Key, Size}`: keeps bytes that Rust allocates.
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Make(Atom, usize);

/// `{get, Key}`
#[derive(Debug, Term)]
#[reply(Option<Bytes>)]
pub struct Get(Atom);

/// `{parts, Key, Size}`: returns the bytes as a list of parts of this size, which is iodata.
#[derive(Debug, Term)]
#[reply(Vec<Bytes>)]
pub struct Parts(Atom, usize);

/// `{drop, Key}`
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Drop(Atom);

/// `{drop_on_thread, Key}`: drops bytes on a thread that belongs to no process. Returns whether
/// that happened.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct DropOnThread(Atom);

/// `{address, Key}`: returns the address of the bytes.
#[derive(Debug, Term)]
#[reply(usize)]
pub struct Address(Atom);

/// `{is_kept, Key, Binary}`: returns whether the binary is the kept one, and not a copy.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct IsKept<'a>(Atom, &'a [u8]);

/// `{is_shared, Key, Binary}`: like `IsKept`, with a binary that the message owns.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct IsShared(Atom, Binary);

/// `{gathered, Key, Iodata}`: returns the number of parts, and whether the kept bytes are one of
/// them.
#[derive(Debug, Term)]
#[reply((usize, bool))]
pub struct Gathered(Atom, Iodata);

/// `{scattered, Key}`: returns a head, and the bytes twice.
#[derive(Debug, Term)]
#[reply(Iodata)]
pub struct Scattered(Atom);

/// `{fill, Size}`: makes the state this large.
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Fill(usize);

/// `aligned`: returns whether Rust's memory is aligned, also after it has grown.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct Aligned;

#[gen_server]
impl GenServer for Cellar {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let (kept, spare) = (HashMap::new(), Vec::new());
        (ok, Cellar { kept, spare })
    }

    fn handle_call(&mut self, Put(key, bytes): Put) -> HandleCall<ok> {
        self.kept.insert(key, bytes);
        reply(ok)
    }

    fn handle_call(&mut self, Make(key, size): Make) -> HandleCall<ok> {
        self.kept.insert(key, vec![7; size].into());
        reply(ok)
    }

    fn handle_call(&mut self, Get(key): Get) -> HandleCall<Option<Bytes>> {
        reply(self.kept.get(&key).cloned())
    }

    fn handle_call(&mut self, Parts(key, size): Parts) -> HandleCall<Vec<Bytes>> {
        let whole = self.kept.get(&key).cloned().unwrap_or_default();
        let begins = (0..whole.len()).step_by(size.max(1));
        let part = |begin| whole.slice(begin..whole.len().min(begin + size));
        reply(begins.map(part).collect::<Vec<_>>())
    }

    fn handle_call(&mut self, Drop(key): Drop) -> HandleCall<ok> {
        self.kept.remove(&key);
        reply(ok)
    }

    fn handle_call(&mut self, DropOnThread(key): DropOnThread) -> HandleCall<bool> {
        let bytes = self.kept.remove(&key);
        reply(std::thread::spawn(move || drop(bytes)).join().is_ok())
    }

    fn handle_call(&mut self, Address(key): Address) -> HandleCall<usize> {
        reply(self.kept.get(&key).map_or(0, |bytes| bytes.as_ptr().addr()))
    }

    fn handle_call(&mut self, IsKept(key, bytes): IsKept<'_>) -> HandleCall<bool> {
        reply(self.is_at(&key, bytes))
    }

    fn handle_call(&mut self, IsShared(key, bytes): IsShared) -> HandleCall<bool> {
        reply(self.is_at(&key, &bytes))
    }

    fn handle_call(&mut self, Gathered(key, bytes): Gathered) -> HandleCall<(usize, bool)> {
        let mut parts = bytes.parts().iter();
        let is_one = parts.any(|part| self.is_at(&key, part));
        reply((bytes.parts().len(), is_one))
    }

    fn handle_call(&mut self, Scattered(key): Scattered) -> HandleCall<Iodata> {
        let kept = self.kept.get(&key).cloned().unwrap_or_default();
        let mut bytes = Iodata::from("head");
        bytes.push(kept.clone());
        bytes.push(kept);
        reply(bytes)
    }

    fn handle_call(&mut self, Fill(size): Fill) -> HandleCall<ok> {
        self.spare = vec![1; size];
        reply(ok)
    }

    fn handle_call(&mut self, _: Aligned) -> HandleCall<bool> {
        reply(holds(|number| number as u8) && holds(u128::from) && holds(Line) && holds(Page))
    }
}

impl Cellar {
    /// Returns whether the bytes are the kept ones, and not a copy.
    fn is_at(&self, key: &Atom, bytes: &[u8]) -> bool {
        let kept = self.kept.get(key);
        kept.is_some_and(|kept| std::ptr::eq(kept.as_ptr(), bytes.as_ptr()))
    }
}

/// A value with the alignment of a cache line.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
struct Line(u64);

/// A value with the alignment of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(4096))]
struct Page(u64);

/// Returns whether a list of these is aligned and keeps its elements while it grows and shrinks.
fn holds<T: Copy + PartialEq>(element: impl Fn(u64) -> T) -> bool {
    let mut list = Vec::new();
    let is_aligned = |list: &Vec<T>| list.as_ptr().addr().is_multiple_of(align_of::<T>());
    let grown = (0..100).all(|number| {
        list.push(element(number));
        is_aligned(&list)
    });
    list.truncate(10);
    list.shrink_to_fit();
    let kept = (0..)
        .zip(&list)
        .all(|(number, found)| *found == element(number));
    grown && kept && is_aligned(&list)
}
