//! Memory for tasks: blocks of pieces of one size. Taking a piece and giving it back take some
//! nanoseconds, the system keeps nothing beside a piece, and a block whose pieces are all free is
//! given back.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::num::NonZero;
use std::ptr::{NonNull, null_mut};

/// A block has this size with what the allocator of the system keeps beside it.
const OF_BLOCK: Layout = match Layout::from_size_align(32 * 1024 - 64, STEP) {
    Ok(layout) => layout,
    Err(_) => panic!("the alignment is a power of two"),
};

/// Sizes of pieces are multiples of this. Allocators align to it without room of its own for that.
const STEP: usize = 8;

/// Larger tasks are the system's.
const LARGEST: usize = 1024;

/// How many free blocks are kept while tasks run.
const SPARE: usize = 64;

/// All offsets fit.
const _: () = assert!(OF_BLOCK.size() / STEP <= u16::MAX as usize);

/// The beginning of a block.
struct Block {
    /// Its neighbours among the blocks of the same size that have free pieces.
    next: Cell<*mut Block>,
    before: Cell<*mut Block>,
    /// The pieces that were given back.
    free: Cell<*mut Piece>,
    /// Where the pieces begin that have never been used.
    unused: Cell<usize>,
    live: Cell<usize>,
    size: Cell<usize>,
}

/// How far a piece is from the beginning of its block, in steps. Never 0. Who has a piece keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tasks) struct Offset(NonZero<u16>);

/// A piece that was given back.
struct Piece {
    next: *mut Piece,
}

/// The blocks of a process.
pub(in crate::tasks) struct Pool {
    /// For each size the first block that has free pieces.
    open: [Cell<*mut Block>; LARGEST / STEP + 1],
    spare: Cell<*mut Block>,
    spares: Cell<usize>,
    blocks: Cell<usize>,
}

impl Pool {
    pub(in crate::tasks) const fn new() -> Self {
        Pool {
            open: [const { Cell::new(null_mut()) }; LARGEST / STEP + 1],
            spare: Cell::new(null_mut()),
            spares: Cell::new(0),
            blocks: Cell::new(0),
        }
    }

    /// Whether there are pieces of this layout.
    #[inline]
    pub(in crate::tasks) const fn has(layout: Layout) -> bool {
        layout.size() > 0 && layout.size() <= LARGEST && layout.align() <= STEP
    }

    /// Memory of a layout that the pool has pieces for.
    #[inline]
    pub(in crate::tasks) fn take(&self, layout: Layout) -> (NonNull<u8>, Offset) {
        let class = layout.size().div_ceil(STEP);
        let block = match self.open[class].get() {
            block if block.is_null() => self.add(class),
            block => block,
        };
        // SAFETY: the blocks of a list live, and have a free piece: one that was given back, or one
        // that begins at `unused`, which is within the block. A piece begins behind the beginning
        // of its block, by a multiple of a step that is less than a block.
        unsafe {
            let it = &*block;
            it.live.set(it.live.get() + 1);
            let piece: *mut Piece = it.free.get();
            let piece = if piece.is_null() {
                let begin = it.unused.get();
                it.unused.set(begin + it.size.get());
                block.byte_add(begin).cast()
            } else {
                it.free.set((*piece).next);
                piece
            };
            if it.is_full() {
                self.unlink(block);
            }
            let steps = (piece.addr() - block.addr()) / STEP;
            let offset = Offset(NonZero::new_unchecked(steps as u16));
            (NonNull::new_unchecked(piece.cast()), offset)
        }
    }

    /// Takes a piece back.
    ///
    /// # Safety
    /// It was taken from this pool with this offset, its pointer is that of `take`, and nobody uses
    /// it any more.
    #[inline]
    pub(in crate::tasks) unsafe fn give(&self, piece: NonNull<u8>, Offset(offset): Offset) {
        let piece = piece.as_ptr().cast::<Piece>();
        // SAFETY: the pointer is one into the whole block, which begins there. The piece is large
        // and aligned enough for a `Piece`.
        unsafe {
            let block = piece.byte_sub(usize::from(offset.get()) * STEP).cast();
            let it: &Block = &*block;
            if it.is_full() {
                self.link(block);
            }
            (*piece).next = it.free.replace(piece);
            it.live.set(it.live.get() - 1);
            if it.live.get() == 0 {
                self.emptied(block);
            }
        }
    }

    /// Puts a block of such pieces into its list.
    #[cold]
    fn add(&self, class: usize) -> *mut Block {
        let mut block = self.spare.get();
        // SAFETY: spare blocks live, and a new one has the layout of a block. Nobody else refers to
        // it.
        unsafe {
            if block.is_null() {
                block = alloc(OF_BLOCK).cast();
                if block.is_null() {
                    handle_alloc_error(OF_BLOCK);
                }
                self.blocks.set(self.blocks.get() + 1);
            } else {
                self.spare.set((*block).next.get());
                self.spares.set(self.spares.get() - 1);
            }
            block.write(Block {
                next: Cell::new(null_mut()),
                before: Cell::new(null_mut()),
                free: Cell::new(null_mut()),
                unused: Cell::new(size_of::<Block>().next_multiple_of(STEP)),
                live: Cell::new(0),
                size: Cell::new(class * STEP),
            });
            self.link(block);
        }
        block
    }

    /// # Safety
    /// The block lives and is in no list.
    unsafe fn link(&self, block: *mut Block) {
        // SAFETY: by the contract; the blocks of lists live.
        unsafe {
            let first = &self.open[(*block).size.get() / STEP];
            let next = first.replace(block);
            if let Some(next) = next.as_ref() {
                next.before.set(block);
            }
            (*block).next.set(next);
            (*block).before.set(null_mut());
        }
    }

    /// # Safety
    /// The block lives and is in the list of its size.
    unsafe fn unlink(&self, block: *mut Block) {
        // SAFETY: by the contract; the blocks of lists live.
        unsafe {
            let (next, before) = ((*block).next.get(), (*block).before.get());
            match before.as_ref() {
                Some(before) => before.next.set(next),
                None => self.open[(*block).size.get() / STEP].set(next),
            }
            if let Some(next) = next.as_ref() {
                next.before.set(before);
            }
        }
    }

    /// # Safety
    /// The block is in the list of its size, and none of its pieces is used.
    #[cold]
    unsafe fn emptied(&self, block: *mut Block) {
        // SAFETY: by the contract.
        unsafe {
            self.unlink(block);
            if self.spares.get() < SPARE {
                (*block).next.set(self.spare.replace(block));
                self.spares.set(self.spares.get() + 1);
            } else {
                self.free(block);
            }
        }
    }

    /// # Safety
    /// The block is in no list, and none of its pieces is used.
    unsafe fn free(&self, block: *mut Block) {
        self.blocks.set(self.blocks.get() - 1);
        // SAFETY: by the contract, and `add` has allocated it with this layout.
        unsafe { dealloc(block.cast(), OF_BLOCK) };
    }

    /// The process rests: gives back free blocks, all but one if others are used.
    pub(in crate::tasks) fn trim(&self) {
        let kept = usize::from(self.blocks.get() > self.spares.get());
        while self.spares.get() > kept {
            let block = self.spare.get();
            // SAFETY: spare blocks live, are in no other list, and have no used pieces.
            unsafe {
                self.spare.set((*block).next.get());
                self.spares.set(self.spares.get() - 1);
                self.free(block);
            }
        }
    }

    /// How many blocks there are.
    #[cfg(test)]
    pub(in crate::tasks) fn blocks(&self) -> usize {
        self.blocks.get()
    }
}

impl Block {
    /// Whether all pieces are used.
    #[inline]
    fn is_full(&self) -> bool {
        self.free.get().is_null() && self.unused.get() + self.size.get() > OF_BLOCK.size()
    }
}

impl Drop for Pool {
    /// Blocks whose pieces are used are not freed: `Executor::close` frees all tasks before.
    fn drop(&mut self) {
        self.trim();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_do_not_overlap_and_come_back() {
        let pool = Pool::new();
        let layouts = [40, 100, 128, 1024, 8].map(|size| {
            let layout = Layout::from_size_align(size, 8).expect("it is one");
            assert!(Pool::has(layout));
            layout
        });
        for round in 0..3 {
            let mut pieces = Vec::new();
            for number in 0..5000 {
                let layout = layouts[number % layouts.len()];
                let (piece, offset) = pool.take(layout);
                // SAFETY: the piece has this size.
                unsafe { piece.write_bytes(number as u8, layout.size()) };
                pieces.push((number as u8, (piece, offset), layout.size()));
            }
            assert!(pool.blocks() > 5000 * 200 / OF_BLOCK.size());
            while let Some(index) = pieces.len().checked_sub(1) {
                let (byte, (piece, offset), size) = pieces.swap_remove(index * round / 2);
                // SAFETY: as above; it is given back once.
                unsafe {
                    let bytes = std::slice::from_raw_parts(piece.as_ptr(), size);
                    assert!(bytes.iter().all(|it| *it == byte));
                    pool.give(piece, offset);
                }
            }
            assert!(pool.blocks() > 0, "they are kept while tasks run");
            pool.trim();
            assert_eq!(pool.blocks(), 0);
        }
        assert!(!Pool::has(Layout::new::<[u8; 2000]>()));
    }
}
