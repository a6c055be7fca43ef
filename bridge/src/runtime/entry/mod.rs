//! The library's NIFs, which the generated Erlang modules call.
//!
//! Only the VM calls them. This module uses everything below it, and no other module uses it.
#![allow(unsafe_code)]

pub(super) mod application;
mod isolated;
mod natives;
mod resume;
mod shared;
mod status;
mod version;
pub(super) mod vm_tests;

use std::any::Any;
use std::ffi::{c_int, c_void};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use otp_contract::library::{CALLBACK, Native};
use otp_contract::limits::CALLBACK_ARITY;
use rustler::sys::{ErlNifEnv, ErlNifTerm};

use crate::nif::{self, Nif, NifFunction, RawTerm, Scheduler, VmEnv, VmTerm};
use crate::runtime::cost::accounting;
use crate::runtime::cost::call_clock::CallClock;
use crate::runtime::cost::dirty_pool;
use crate::runtime::cost::observer;
use crate::runtime::cost::slot::{self, Slot};
use crate::runtime::cost::watchdog;
use crate::runtime::failure::overflow;
use crate::runtime::failure::panics::Panic;
use crate::runtime::failure::{backtraces, builds, panics};
use crate::runtime::harness::spawned;
use crate::runtime::harness::spawned::CLOSURES;
use crate::runtime::invocation::{EnteredCall, Invocation};
use crate::runtime::output::{helper, level};
use crate::runtime::protocol::limits;
use crate::runtime::raw::cell::CELLS;
use crate::runtime::raw::idle_cell;
use crate::runtime::raw::native::native as safe;
use crate::runtime::registry::{CallbackClauses, LibraryModules};
use crate::runtime::{environment, output, protocol, run_time_settings};
use crate::{FromTerm, ToTerm, View, stack};
use resume::{resume, resume_dirty_cpu, resume_dirty_io, resume_tasks};

pub(in crate::runtime) fn functions() -> Vec<NifFunction> {
    let native = |native: &Native| {
        let going_on =
            |function| NifFunction::new(native.name(), native.arguments().len(), function);
        let name = native.name();
        match native {
            Native::Manifest => safe(name, manifest),
            Native::Environment => safe(name, check_environment),
            Native::FormatState => safe(name, status::format_state).on(Scheduler::DirtyCpu),
            Native::State => safe(name, status::state).on(Scheduler::DirtyCpu),
            Native::Status => safe(name, status::status).on(Scheduler::DirtyCpu),
            Native::LongCallbacks => safe(name, status::long_callbacks),
            Native::Callbacks => safe(name, status::callbacks),
            Native::Backtrace => safe(name, backtrace).on(Scheduler::DirtyCpu),
            Native::Spans => safe(name, spans),
            Native::ReplaceState => safe(name, status::replace_state).on(Scheduler::DirtyCpu),
            Native::LongCallback => safe(name, long_callback),
            Native::MessageLimit => safe(name, message_limit),
            Native::Tokio => safe(name, tokio),
            Native::Telemetry => safe(name, telemetry),
            Native::Follow => safe(name, follow),
            Native::Peers => safe(name, peers),
            Native::Taken => safe(name, taken),
            Native::Owns => safe(name, version::owns),
            Native::Users => safe(name, version::users),
            Native::EndThreads => safe(name, version::end_threads).on(Scheduler::DirtyIo),
            Native::Holders => safe(name, version::holders).on(Scheduler::DirtyCpu),
            Native::ModuleOf => safe(name, version::module_of),
            Native::Number => safe(name, version::number),
            Native::States => safe(name, version::states).on(Scheduler::DirtyCpu),
            Native::Export => safe(name, version::export).on(Scheduler::DirtyCpu),
            Native::Adopt => safe(name, version::adopt).on(Scheduler::DirtyCpu),
            Native::OlderStates => safe(name, version::older_states).on(Scheduler::DirtyCpu),
            Native::ToOlder => safe(name, version::to_older).on(Scheduler::DirtyCpu),
            Native::Fits => safe(name, version::fits),
            Native::Shared => safe(name, shared::shared),
            Native::OpenShared => safe(name, shared::open),
            Native::CloseShared => safe(name, shared::close),
            Native::Start => safe(name, start),
            Native::Test => safe(name, vm_tests::test),
            Native::Resume => going_on(resume),
            Native::ResumeTasks => going_on(resume_tasks),
            Native::ResumeDirtyCpu => going_on(resume_dirty_cpu).on(Scheduler::DirtyCpu),
            Native::ResumeDirtyIo => going_on(resume_dirty_io).on(Scheduler::DirtyIo),
        }
    };
    let callback = |arity| NifFunction::new(CALLBACK, arity + 1, callback);
    let natives = Native::ALL.iter().map(native);
    natives.chain((0..=CALLBACK_ARITY).map(callback)).collect()
}

pub(in crate::runtime) unsafe extern "C" fn load(
    env: *mut ErlNifEnv,
    _: *mut *mut c_void,
    info: ErlNifTerm,
) -> c_int {
    // SAFETY: the VM calls this once, with the environment of the load.
    let opened = unsafe {
        nif::connect(env);
        CELLS.open(env, c"otp_rs_process", None, None)
            && CLOSURES.open(env, c"otp_rs_closure", None, None)
            && nif::open_resources(env)
    };
    // SAFETY: as above; `info` is a term of that environment.
    let info = unsafe { VmEnv::new(env).term(info) };
    if let Some([long_callback, message_limit, level, settings]) = info.tuple::<4>() {
        accounting::set_warning(long_callback.unsigned().map(Duration::from_millis));
        limits::set_message(message_limit.unsigned());
        run_time_settings::set(settings);
        // Print the panic's message, because there is no process yet that could report it.
        if catch_unwind(|| stack::call(application::prepare)).is_err() {
            return 2;
        }
        level::set(level.atom().as_ref());
    }
    // SAFETY: as above.
    if !unsafe { natives::load(env, info.raw()) } {
        return 3;
    }
    panics::install_hook();
    overflow::say();
    if opened {
        // This has to be the last step: if the library were refused, the thread would never be
        // stopped.
        watchdog::start();
        isolated::end_with_the_first_vm();
    }
    c_int::from(!opened)
}

/// Called when the module that has loaded the library is purged. The VM unloads the library when
/// none of its resources is left.
pub(in crate::runtime) unsafe extern "C" fn unload(_: *mut ErlNifEnv, _: *mut c_void) {
    watchdog::stop();
    stack::begin_unload();
}

/// `manifest() -> unicode:unicode_binary()`: the registry as JSON.
fn manifest(env: VmEnv<'_>, []: [VmTerm<'_>; 0]) -> RawTerm {
    LibraryModules::get().manifest().to_term(env.heap()).raw()
}

/// `environment(Application, [{Key, Value}]) -> {Mistakes, Keys}`: the values that do not match the
/// structs that derive `Env`.
fn check_environment(env: VmEnv<'_>, [application, variables]: [VmTerm<'_>; 2]) -> RawTerm {
    let application = application.atom();
    let checked = application.and_then(|it| environment::check_all(&it, variables).ok());
    checked.map_or_else(|| env.badarg(), |checked| checked.to_term(env.heap()).raw())
}

/// `long_callback(Milliseconds | off) -> ok`
fn long_callback(env: VmEnv<'_>, [limit]: [VmTerm<'_>; 1]) -> RawTerm {
    accounting::set_warning(limit.unsigned().map(Duration::from_millis));
    // Install the overflow handler again, because an older version may have been unloaded.
    overflow::say();
    protocol::ok.to_term(env.heap()).raw()
}

/// `backtrace(Number) -> binary()`
fn backtrace(env: VmEnv<'_>, [number]: [VmTerm<'_>; 1]) -> RawTerm {
    let text = number.unsigned().map(backtraces::text);
    text.unwrap_or_default().to_term(env.heap()).raw()
}

/// `spans(Future, [{Name, Fields}]) -> ok`
fn spans(env: VmEnv<'_>, [future, spans]: [VmTerm<'_>; 2]) -> RawTerm {
    output::inherit(future, spans);
    protocol::ok.to_term(env.heap()).raw()
}

/// `message_limit(Bytes | infinity) -> ok`
fn message_limit(env: VmEnv<'_>, [limit]: [VmTerm<'_>; 1]) -> RawTerm {
    limits::set_message(limit.unsigned());
    protocol::ok.to_term(env.heap()).raw()
}

/// `tokio(Settings) -> ok`
fn tokio(env: VmEnv<'_>, [settings]: [VmTerm<'_>; 1]) -> RawTerm {
    run_time_settings::set(settings);
    protocol::ok.to_term(env.heap()).raw()
}

/// `telemetry(IsRunning) -> ok`
fn telemetry(env: VmEnv<'_>, [is_running]: [VmTerm<'_>; 1]) -> RawTerm {
    observer::follow_telemetry(bool::from_term(is_running).unwrap_or(false));
    protocol::ok.to_term(env.heap()).raw()
}

/// `follow(Helper, Level) -> boolean()`: whether the library logs.
fn follow(env: VmEnv<'_>, [process, level]: [VmTerm<'_>; 2]) -> RawTerm {
    if let Some(process) = process.pid().as_ref().and_then(VmEnv::local) {
        helper::set(process);
    }
    level::set(level.atom().as_ref()).to_term(env.heap()).raw()
}

/// `start(Closure) -> ok | {'$otp_rs', Step}`
fn start(env: VmEnv<'_>, [closure]: [VmTerm<'_>; 1]) -> RawTerm {
    spawned::start(env, closure.raw()).unwrap_or_else(|| env.badarg())
}

/// `peers(Own, [{Node, Other}]) -> ok`
fn peers(env: VmEnv<'_>, [own, others]: [VmTerm<'_>; 2]) -> RawTerm {
    builds::set(own, others);
    protocol::ok.to_term(env.heap()).raw()
}

/// `taken() -> Lost`
fn taken(env: VmEnv<'_>, []: [VmTerm<'_>; 0]) -> RawTerm {
    output::taken().to_term(env.heap()).raw()
}

/// `callback(Id, Arguments...) -> Return | {'$otp_rs', Step}`
unsafe extern "C" fn callback(
    env: *mut ErlNifEnv,
    count: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: as the VM calls this function. A call on the thread's stack does not unwind.
    stack::call_keeping(move |kept| unsafe {
        match slot::of_thread(kept) {
            Some(slot) => nif::in_call(kept, env, || {
                let clock = CallClock::start(slot);
                call(Scheduler::Normal, clock, env, count, arguments)
            }),
            None => call_unwatched(Scheduler::Normal, env, count, arguments),
        }
    })
}

/// `callback` on a dirty CPU scheduler, if the clause or reading its arguments takes long.
unsafe extern "C" fn callback_dirty_cpu(
    env: *mut ErlNifEnv,
    count: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    let _counted = dirty_pool::enter();
    // SAFETY: as in `callback`. The invocation holds the cell of the state.
    unsafe { call_unwatched(Scheduler::DirtyCpu, env, count, arguments) }
}

/// `callback` on a dirty IO scheduler, if the clause waits for the system.
unsafe extern "C" fn callback_dirty_io(
    env: *mut ErlNifEnv,
    count: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: as in `callback_dirty_cpu`.
    unsafe { call_unwatched(Scheduler::DirtyIo, env, count, arguments) }
}

/// Calls on a thread without a slot.
///
/// # Safety
/// Like [`call`].
#[cold]
unsafe fn call_unwatched(
    scheduler: Scheduler,
    env: *mut ErlNifEnv,
    count: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    let slot = Slot::new();
    let clock = CallClock::measuring(&slot);
    // SAFETY: by the contract above.
    stack::call(move || unsafe { call(scheduler, clock, env, count, arguments) })
}

/// # Safety
/// There are `count` arguments, and they live for `'a`.
unsafe fn arguments_of<'a>(count: c_int, arguments: *const ErlNifTerm) -> &'a [ErlNifTerm] {
    // SAFETY: by the contract above.
    unsafe { std::slice::from_raw_parts(arguments, count as usize) }
}

/// # Safety
/// The VM calls a callback on a scheduler of this kind, with this environment and `count`
/// arguments.
#[inline(always)]
unsafe fn call(
    scheduler: Scheduler,
    clock: CallClock<'_>,
    env: *mut ErlNifEnv,
    count: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call, which lasts until the return, and
    // `count` arguments. There is at least one argument, and the first is the id.
    let (env, id, all) = unsafe {
        let env = VmEnv::new(env);
        let all = arguments_of(count, arguments);
        (env, env.term(all[0]), all)
    };
    let arguments = &all[1..];
    let callback = id
        .unsigned()
        .and_then(|id| LibraryModules::get().callback(id));
    let fits = |it: &&CallbackClauses| it.before.callback.arity == arguments.len();
    let Some(callback) = callback.filter(fits) else {
        // SAFETY: these are the arguments of this call.
        return unsafe { natives::call(env, id.unsigned(), arguments) };
    };
    let invocation = Invocation::new(env, callback, arguments, (scheduler, clock));
    let mut invocation = ManuallyDrop::new(invocation);
    let answer = catch_unwind(AssertUnwindSafe(|| invocation.run(callback)));
    let answer = match answer {
        Ok(Some(answer)) => invocation.leave(answer).raw(),
        // SAFETY: these are the arguments of this call.
        Ok(None) => unsafe { elsewhere(&invocation, env, all) },
        Err(payload) => panicked(env, invocation.entered(), payload),
    };
    if scheduler != Scheduler::Normal {
        invocation.release();
    }
    if invocation.is_borrowed() {
        drop(ManuallyDrop::into_inner(invocation));
    }
    answer
}

/// Reschedules a call on another kind of scheduler before any part of the callback has run.
///
/// # Safety
/// These are the arguments of this call.
#[cold]
unsafe fn elsewhere(invocation: &Invocation<'_>, env: VmEnv<'_>, all: &[RawTerm]) -> RawTerm {
    let (function, on): (Nif, Scheduler) = match invocation.moved() {
        Some(Scheduler::DirtyIo) => (callback_dirty_io, Scheduler::DirtyIo),
        _ => (callback_dirty_cpu, Scheduler::DirtyCpu),
    };
    // SAFETY: by the contract above, and the function takes this number of arguments.
    unsafe { env.go_on_by(function, on, all) }
}

/// Completes a call that has panicked.
#[cold]
#[inline(never)]
fn panicked(env: VmEnv<'_>, entered: EnteredCall<'_>, payload: Box<dyn Any + Send>) -> RawTerm {
    match entered {
        EnteredCall::Cell(running) => running.leave(running.panicked(payload)).raw(),
        EnteredCall::Function(direct) => direct.leave(direct.panicked(payload)).raw(),
        EnteredCall::Nothing => env.raise(&Panic::caught(payload)),
    }
}

/// Runs the body of a NIF that works on a cell on a dirty scheduler. Until its end, no other
/// process drops the tasks of this one.
fn held<'a>(
    env: VmEnv<'a>,
    term: VmTerm<'a>,
    body: impl FnOnce(VmEnv<'a>, VmTerm<'a>) -> RawTerm,
) -> RawTerm {
    match idle_cell::hold(env, term) {
        Some(_held) => body(env, term),
        None => env.badarg(),
    }
}
