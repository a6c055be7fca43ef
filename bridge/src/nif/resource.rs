//! Resources: Rust values that the VM's garbage collector owns.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, Ordering};

use rustler::sys::enif_make_resource_binary;
use rustler::sys::{
    ErlNifEnv, ErlNifResourceDown, ErlNifResourceDtor, ErlNifResourceFlags, ErlNifResourceStop,
    ErlNifResourceType, ErlNifResourceTypeInit, ErlNifTerm, enif_alloc_resource, enif_get_resource,
    enif_keep_resource, enif_make_resource, enif_open_resource_type_x, enif_release_resource,
};

use super::VmEnv;
use crate::stack;

/// A Rust value in a resource.
///
/// # Safety
/// The VM drops the value on whichever thread collects the last term. So the value must be `Send`,
/// and its destructor must not unwind.
pub(crate) unsafe trait NifResource: Send + Sync + Sized + 'static {}

/// A value with bytes.
///
/// # Safety
/// The bytes must stay at their address, unchanged, while the value lives.
pub(super) unsafe trait StableBytes: NifResource {
    fn bytes(&self) -> &[u8];
}

/// A resource type. Its resources start with an `R`.
pub(crate) struct NifResourceType<R> {
    handle: AtomicPtr<ErlNifResourceType>,
    of: PhantomData<fn(R)>,
}

impl<R: NifResource> NifResourceType<R> {
    /// The VM aligns a resource for any C type.
    const ALIGNED: () = assert!(align_of::<R>() <= align_of::<u64>());

    pub(crate) const fn new() -> Self {
        NifResourceType {
            handle: AtomicPtr::new(ptr::null_mut()),
            of: PhantomData,
        }
    }

    /// Registers the type with the VM. Returns false if the VM refuses.
    ///
    /// # Safety
    /// `env` is the environment of the library's load.
    pub(crate) unsafe fn open(
        &self,
        env: *mut ErlNifEnv,
        name: &CStr,
        down: Option<ErlNifResourceDown>,
        stop: Option<ErlNifResourceStop>,
    ) -> bool {
        let () = Self::ALIGNED;
        let functions = ErlNifResourceTypeInit {
            dtor: destroy::<R> as *const ErlNifResourceDtor,
            stop: stop.map_or(ptr::null(), |stop| stop as *const ErlNifResourceStop),
            down: down.map_or(ptr::null(), |down| down as *const ErlNifResourceDown),
        };
        // SAFETY: by the contract above; the name is a C string, and the VM copies the functions.
        // Each load of the library has its own resource type: the next load does not see the
        // resources of a library that was purged, and the VM keeps the code that destroys them
        // until there are none left.
        let handle = unsafe {
            enif_open_resource_type_x(
                env,
                name.as_ptr(),
                &raw const functions,
                ErlNifResourceFlags::ERL_NIF_RT_CREATE,
                ptr::null_mut(),
            )
        };
        self.handle.store(handle.cast_mut(), Ordering::Relaxed);
        !handle.is_null()
    }

    /// Creates a resource of `size` bytes that starts with a value, and the term that keeps it
    /// alive. `make` is called with the address.
    pub(crate) fn create<'a>(
        &self,
        env: VmEnv<'a>,
        size: usize,
        make: impl FnOnce(NonNull<R>) -> R,
    ) -> (&'a R, ErlNifTerm) {
        debug_assert!(size >= size_of::<R>());
        // SAFETY: the VM allocates `size` bytes, which is at least the size of the value. The value
        // is written before it can be read. The term, which lives as long as the call, takes over
        // the reference of `alloc`. `make` is our own code and does not panic.
        unsafe {
            let room = enif_alloc_resource(self.handle.load(Ordering::Relaxed), size);
            let memory =
                NonNull::new(room.cast::<R>()).expect("the VM aborts when it cannot allocate");
            let value = make(memory);
            memory.write(value);
            let term = enif_make_resource(env.raw(), room);
            enif_release_resource(room);
            (memory.as_ref(), term)
        }
    }

    /// Allocates a resource that is counted once and has no term yet. Any thread may do so.
    pub(crate) fn allocate(&self, value: R) -> NonNull<R> {
        // SAFETY: the VM allocates memory of the value's size and aligns it, and the value is
        // written before it can be read.
        unsafe {
            let room = enif_alloc_resource(self.handle.load(Ordering::Relaxed), size_of::<R>());
            let memory =
                NonNull::new(room.cast::<R>()).expect("the VM aborts when it cannot allocate");
            memory.write(value);
            memory
        }
    }

    #[cfg(feature = "net")]
    /// Allocates a resource that is counted once, for the returned value. `None` if the type is not
    /// open, which it is only in a VM.
    pub(super) fn counted(&self, value: R) -> Option<ResourceArc<R>> {
        let is_open = !self.handle.load(Ordering::Relaxed).is_null();
        is_open.then(|| ResourceArc(self.allocate(value)))
    }

    /// Creates a binary whose bytes belong to a new resource. `None` if the type is not open.
    ///
    /// # Safety
    /// `env` is valid and of this thread.
    pub(super) unsafe fn binary(&self, env: *mut ErlNifEnv, owner: R) -> Option<ErlNifTerm>
    where
        R: StableBytes,
    {
        if self.handle.load(Ordering::Relaxed).is_null() {
            return None;
        }
        let owner = self.allocate(owner);
        // SAFETY: the bytes stay at their address while the value lives, which is as long as the
        // binary: the term takes over the reference of `allocate`.
        unsafe {
            let bytes = owner.as_ref().bytes();
            let room = owner.as_ptr().cast();
            let term = enif_make_resource_binary(env, room, bytes.as_ptr().cast(), bytes.len());
            enif_release_resource(room);
            Some(term)
        }
    }

    /// Returns the resource behind a term, counted beyond the call.
    ///
    /// # Safety
    /// Like [`NifResourceType::get`].
    pub(crate) unsafe fn keep(&self, env: VmEnv<'_>, term: ErlNifTerm) -> Option<ResourceArc<R>> {
        // SAFETY: by the contract above.
        let value = NonNull::from(unsafe { self.get(env, term) }?);
        // SAFETY: the value is at the start of its resource.
        unsafe { enif_keep_resource(value.as_ptr().cast()) };
        Some(ResourceArc(value))
    }

    /// Returns the value of the resource behind a term. `None` if the term is not a resource of
    /// this type.
    ///
    /// # Safety
    /// `term` belongs to the environment.
    #[inline]
    pub(crate) unsafe fn get<'a>(&self, env: VmEnv<'a>, term: ErlNifTerm) -> Option<&'a R> {
        let mut found = ptr::null();
        // SAFETY: by the contract above. A term of this type refers to a value that `create` wrote,
        // and keeps it alive as long as the call.
        unsafe {
            let handle = self.handle.load(Ordering::Relaxed);
            match enif_get_resource(env.raw(), term, handle, &raw mut found) {
                0 => None,
                _ => Some(&*found.cast::<R>()),
            }
        }
    }
}

/// A counted reference to a resource: the resource lives as long as this, even without terms.
pub(crate) struct ResourceArc<R: NifResource>(NonNull<R>);

// SAFETY: it provides references to a value that is `Sync`, and any thread may release a resource,
// whose value is `Send`.
unsafe impl<R: NifResource> Send for ResourceArc<R> {}
// SAFETY: as above.
unsafe impl<R: NifResource> Sync for ResourceArc<R> {}

#[cfg(feature = "net")]
impl<R: NifResource> ResourceArc<R> {
    /// Returns the resource's address in the VM.
    pub(super) fn as_ptr(&self) -> *mut c_void {
        self.0.as_ptr().cast()
    }
}

impl<R: NifResource> Deref for ResourceArc<R> {
    type Target = R;

    fn deref(&self) -> &R {
        // SAFETY: the resource is counted, so that its value lives.
        unsafe { self.0.as_ref() }
    }
}

impl<R: NifResource> Drop for ResourceArc<R> {
    fn drop(&mut self) {
        // SAFETY: `keep` has counted the resource for this value.
        unsafe { enif_release_resource(self.0.as_ptr().cast()) };
    }
}

unsafe extern "C" fn destroy<R: NifResource>(_: *mut ErlNifEnv, value: *mut c_void) {
    // SAFETY: the VM destroys each resource once, after the last term that refers to it.
    stack::call(|| unsafe { ptr::drop_in_place(value.cast::<R>()) });
}
