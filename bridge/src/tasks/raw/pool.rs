//! A memory pool for tasks: blocks of pieces of one size. Allocating and freeing a piece take some
//! nanoseconds, a piece has no header of the allocator, and a block is freed when all its pieces
//! are free.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::num::NonZero;
use std::ptr::{NonNull, null_mut};

/// A block has this size including the header that the system's allocator adds.
const OF_BLOCK: Layout = match Layout::from_size_align(32 * 1024 - 64, STEP) {
    Ok(layout) => layout,
    Err(_) => panic!("the alignment is a power of two"),
};

/// Sizes of pieces are multiples of this. Allocators align to it without additional padding.
const STEP: usize = 8;

/// Larger tasks are allocated by the system.
const LARGEST: usize = 1024;

/// The number of free blocks that are kept while tasks run.
const SPARE: usize = 64;

/// All offsets fit into `u16`.
const _: () = assert!(OF_BLOCK.size() / STEP <= u16::MAX as usize);

/// The start of a block.
struct Block {
    /// The neighbours in the list of blocks of the same size that have free pieces.
    next: Cell<*mut Block>,
    before: Cell<*mut Block>,
    /// The pieces that were freed.
    free: Cell<*mut Piece>,
    /// The offset of the first piece that has never been used.
    unused: Cell<usize>,
    live: Cell<usize>,
    size: Cell<usize>,
}

/// The distance of a piece from the start of its block, in steps. Never 0. The owner of a piece
/// stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tasks) struct Offset(NonZero<u16>);

/// A piece that was freed.
struct Piece {
    next: *mut Piece,
}

/// The blocks of a process.
pub(in crate::tasks) struct Pool {
    /// For each size, the first block that has free pieces.
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

    /// Returns whether there are pieces of this layout.
    #[inline]
    pub(in crate::tasks) const fn has(layout: Layout) -> bool {
        layout.size() > 0 && layout.size() <= LARGEST && layout.align() <= STEP
    }

    /// Allocates memory of a layout that the pool has pieces for.
    #[inline]
    pub(in crate::tasks) fn take(&self, layout: Layout) -> (NonNull<u8>, Offset) {
        let class = layout.size().div_ceil(STEP);
        let block = match self.open[class].get() {
            block if block.is_null() => self.add(class),
            block => block,
        };
        // SAFETY: the blocks of a list live, and have a free piece: one that was freed, or one that
        // starts at `unused`, which is within the block. A piece starts behind the start of its
        // block, by a multiple of a step that is less than a block.
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

    /// Frees a piece.
    ///
    /// # Safety
    /// It was allocated from this pool with this offset, its pointer is that of `take`, and no code
    /// uses it any more.
    #[inline]
    pub(in crate::tasks) unsafe fn give(&self, piece: NonNull<u8>, Offset(offset): Offset) {
        let piece = piece.as_ptr().cast::<Piece>();
        // SAFETY: the pointer has the provenance of the whole block, which starts there. The piece
        // is large enough and aligned for a `Piece`.
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

    /// Puts a block of pieces of this size into its list.
    #[cold]
    fn add(&self, class: usize) -> *mut Block {
        let mut block = self.spare.get();
        // SAFETY: spare blocks live, and a new one has the layout of a block. No other code refers
        // to it.
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

    /// Frees unused blocks when the process rests, all but one if others are in use.
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

    /// Returns the number of blocks.
    #[cfg(test)]
    pub(in crate::tasks) fn blocks(&self) -> usize {
        self.blocks.get()
    }
}

impl Block {
    /// Returns whether all pieces are in use.
    #[inline]
    fn is_full(&self) -> bool {
        self.free.get().is_null() && self.unused.get() + self.size.get() > OF_BLOCK.size()
    }
}

impl Drop for Pool {
    /// Blocks with pieces in use are not freed: `Executor::close` frees all tasks first.
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
                // SAFETY: as above; it is freed once.
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
