//! The library's NIFs, which the generated Erlang modules call.
//!
//! Called from outside: only by the VM. It knows everything below, and nothing knows it.
#![allow(unsafe_code)]

pub(super) mod application;
mod natives;
mod resume;
mod status;
mod version;
pub(super) mod vm_tests;

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use otp_contract::library::{CALLBACK, Native};
use otp_contract::limits::CALLBACK_ARITY;
use rustler::sys::{ErlNifEnv, ErlNifTerm};

use crate::nif::{self, Env, Function, RawTerm, Scheduler};
use crate::runtime::cost::accounting;
use crate::runtime::cost::call_clock::CallClock;
use crate::runtime::failure::panics::Panic;
use crate::runtime::failure::{builds, panics};
use crate::runtime::harness::spawned;
use crate::runtime::harness::spawned::CLOSURES;
use crate::runtime::invocation::Invocation;
use crate::runtime::output::{helper, level};
use crate::runtime::protocol::limits;
use crate::runtime::raw::cell::{CELLS, ProcessCell};
use crate::runtime::registry::Registry;
use crate::runtime::{environment, output, protocol};
use crate::{ToTerm, View, stack};
use resume::{resume, resume_dirty_cpu, resume_dirty_io, tend};

pub(in crate::runtime) fn functions() -> Vec<Function> {
    let native = |native: &Native| {
        let function = |function| Function::new(native.name(), native.arguments().len(), function);
        match native {
            Native::Manifest => function(manifest),
            Native::Environment => function(check_environment),
            Native::FormatState => function(status::format_state).on(Scheduler::DirtyCpu),
            Native::State => function(status::state).on(Scheduler::DirtyCpu),
            Native::Status => function(status::status).on(Scheduler::DirtyCpu),
            Native::LongCallbacks => function(status::long_callbacks),
            Native::ReplaceState => function(status::replace_state).on(Scheduler::DirtyCpu),
            Native::LongCallback => function(long_callback),
            Native::MessageLimit => function(message_limit),
            Native::Follow => function(follow),
            Native::Peers => function(peers),
            Native::Taken => function(taken),
            Native::Owns => function(version::owns),
            Native::Users => function(version::users),
            Native::Holders => function(version::holders).on(Scheduler::DirtyCpu),
            Native::ModuleOf => function(version::module_of),
            Native::Number => function(version::number),
            Native::States => function(version::states).on(Scheduler::DirtyCpu),
            Native::Export => function(version::export).on(Scheduler::DirtyCpu),
            Native::Adopt => function(version::adopt).on(Scheduler::DirtyCpu),
            Native::Fits => function(version::fits),
            Native::Start => function(start),
            Native::Test => function(vm_tests::test),
            Native::Resume => function(resume),
            Native::Tend => function(tend),
            Native::ResumeDirtyCpu => function(resume_dirty_cpu).on(Scheduler::DirtyCpu),
            Native::ResumeDirtyIo => function(resume_dirty_io).on(Scheduler::DirtyIo),
        }
    };
    let callback = |arity| Function::new(CALLBACK, arity + 1, callback);
    let natives = Native::ALL.iter().map(native);
    natives.chain((0..=CALLBACK_ARITY).map(callback)).collect()
}

pub(in crate::runtime) unsafe extern "C" fn load(
    env: *mut ErlNifEnv,
    _: *mut *mut c_void,
    info: ErlNifTerm,
) -> c_int {
    nif::connect();
    // SAFETY: the VM calls this once, with the environment of the load.
    let opened = unsafe {
        CELLS.open(env, c"otp_rs_process", None, None)
            && CLOSURES.open(env, c"otp_rs_closure", None, None)
            && nif::open_resources(env)
    };
    // SAFETY: as above; `info` is a term of that environment.
    let info = unsafe { Env::new(env).term(info) };
    if let Some([long_callback, message_limit, level]) = info.tuple::<3>() {
        accounting::set_warning(long_callback.unsigned().map(Duration::from_millis));
        limits::set_message(message_limit.unsigned());
        // What a panic says is printed, because there is no process yet that could report it.
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
    c_int::from(!opened)
}

/// `manifest() -> unicode:unicode_binary()`: the registry as JSON.
unsafe extern "C" fn manifest(env: *mut ErlNifEnv, _: c_int, _: *const ErlNifTerm) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call.
    unsafe {
        guarded(env, |env| {
            Registry::get().manifest().to_term(env.heap()).raw()
        })
    }
}

/// `environment(Application, [{Key, Value}]) -> {Mistakes, Keys}`: what does not fit the structs that derive `Env`.
unsafe extern "C" fn check_environment(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and two arguments.
    unsafe {
        guarded(env, |env| {
            let (application, variables) = (env.term(*arguments), env.term(*arguments.add(1)));
            let application = application.atom();
            let checked = application.and_then(|it| environment::check_all(&it, variables).ok());
            checked.map_or_else(|| env.badarg(), |checked| checked.to_term(env.heap()).raw())
        })
    }
}

/// `long_callback(Milliseconds | off) -> ok`
unsafe extern "C" fn long_callback(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and one argument.
    unsafe {
        guarded(env, |env| {
            let limit = env.term(*arguments).unsigned();
            accounting::set_warning(limit.map(Duration::from_millis));
            protocol::ok.to_term(env.heap()).raw()
        })
    }
}

/// `message_limit(Bytes | infinity) -> ok`
unsafe extern "C" fn message_limit(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and one argument.
    unsafe {
        guarded(env, |env| {
            limits::set_message(env.term(*arguments).unsigned());
            protocol::ok.to_term(env.heap()).raw()
        })
    }
}

/// `follow(Helper, Level) -> boolean()`: whether the library logs.
unsafe extern "C" fn follow(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and two arguments.
    unsafe {
        guarded(env, |env| {
            let process = env.term(*arguments).pid();
            if let Some(process) = process.as_ref().and_then(Env::local) {
                helper::set(process);
            }
            let level = env.term(*arguments.add(1)).atom();
            level::set(level.as_ref()).to_term(env.heap()).raw()
        })
    }
}

/// `start(Closure) -> ok | {'$otp_rs', Step}`
unsafe extern "C" fn start(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and one argument.
    unsafe {
        guarded(env, |env| {
            spawned::start(env, *arguments).unwrap_or_else(|| env.badarg())
        })
    }
}

/// `peers(Own, [{Node, Other}]) -> ok`
unsafe extern "C" fn peers(
    env: *mut ErlNifEnv,
    _: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call and two arguments.
    unsafe {
        guarded(env, |env| {
            builds::set(env.term(*arguments), env.term(*arguments.add(1)));
            protocol::ok.to_term(env.heap()).raw()
        })
    }
}

/// `taken() -> Lost`
unsafe extern "C" fn taken(env: *mut ErlNifEnv, _: c_int, _: *const ErlNifTerm) -> ErlNifTerm {
    // SAFETY: the VM calls with the environment of this call.
    unsafe { guarded(env, |env| output::taken().to_term(env.heap()).raw()) }
}

/// `callback(Id, Arguments...) -> Return | {'$otp_rs', Step}`
unsafe extern "C" fn callback(
    env: *mut ErlNifEnv,
    count: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    // SAFETY: as the VM calls this function.
    stack::call_keeping(move |thread| unsafe {
        call(
            Scheduler::Normal,
            CallClock::new(thread),
            env,
            count,
            arguments,
        )
    })
}

/// The same on a dirty CPU scheduler, if reading the arguments takes long.
unsafe extern "C" fn callback_dirty_cpu(
    env: *mut ErlNifEnv,
    count: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    let clock = CallClock::MEASURING;
    // SAFETY: as in `callback`.
    stack::call(move || unsafe {
        let (here, all) = (Env::new(env), arguments_of(count, arguments));
        let mut cells = all.iter().filter_map(|term| ProcessCell::open(here, *term));
        let Some(_held) = cells.next().map_or(Some(None), |cell| cell.hold()) else {
            return here.badarg();
        };
        call(Scheduler::DirtyCpu, clock, env, count, arguments)
    })
}

/// # Safety
/// There are `count` arguments, which live for `'a`.
unsafe fn arguments_of<'a>(count: c_int, arguments: *const ErlNifTerm) -> &'a [ErlNifTerm] {
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: by the contract above.
    unsafe { std::slice::from_raw_parts(arguments, count) }
}

/// # Safety
/// The VM calls a callback on a scheduler of this kind, with this environment and `count` arguments.
unsafe fn call(
    scheduler: Scheduler,
    clock: CallClock<'_>,
    env: *mut ErlNifEnv,
    count: c_int,
    arguments: *const ErlNifTerm,
) -> ErlNifTerm {
    let began = clock.begin();
    // SAFETY: the VM calls with the environment of this call, which lasts until the return, and
    // `count` arguments, at least one, of which the first is the id.
    let (env, id, all) = unsafe {
        let env = Env::new(env);
        let all = arguments_of(count, arguments);
        (env, env.term(all[0]), all)
    };
    let arguments = &all[1..];
    let entry = id.unsigned().and_then(|id| Registry::get().callback(id));
    let Some(entry) = entry.filter(|(_, callback)| callback.arity == arguments.len()) else {
        // SAFETY: these are the arguments of this call.
        return unsafe { natives::call(env, id.unsigned(), arguments) };
    };
    let mut invocation = Invocation::new(env, entry, arguments, (scheduler, clock, began));
    let answer = catch_unwind(AssertUnwindSafe(|| invocation.run()));
    match (answer, invocation.running(), invocation.running_directly()) {
        (Ok(Some(answer)), Some(running), _) => running.leave(answer),
        (Ok(Some(answer)), None, Some(direct)) => direct.leave(answer),
        (Ok(Some(answer)), None, None) => answer,
        // SAFETY: these are the arguments of this call, and the function takes as many.
        (Ok(None), ..) => unsafe { env.go_on_by(callback_dirty_cpu, all) },
        (Err(payload), Some(running), _) => running.leave(running.panicked(payload)),
        (Err(payload), None, Some(direct)) => direct.leave(direct.panicked(payload)),
        (Err(payload), None, None) => env.raise(&Panic::caught(payload)),
    }
}

/// Runs a NIF's body. A panic in it must not unwind into the VM.
///
/// # Safety
/// `raw` is the environment of the running NIF call.
pub(in crate::runtime) unsafe fn guarded(
    raw: *mut ErlNifEnv,
    body: impl FnOnce(Env<'_>) -> RawTerm,
) -> ErlNifTerm {
    // SAFETY: by the contract above; nothing keeps the environment beyond this call.
    let env = unsafe { Env::new(raw) };
    stack::call(move || {
        catch_unwind(AssertUnwindSafe(|| body(env)))
            .unwrap_or_else(|payload| env.raise(&Panic::caught(payload)))
    })
}
