//! The results of requests to a supervisor.

use std::marker::PhantomData;

use super::{ChildCount, ChildInfo, ChildProcess, Modules, Worker};
use crate::runtime::{Failure, Started};
use crate::term::Reader;
use crate::{FromTerm, Pid, Term, View, atoms};

/// Reads a result that is not `{error, Reason}`.
pub trait SupervisorResult {
    /// The Rust type of the result.
    type Output;

    /// Reads the result.
    ///
    /// # Errors
    /// It has another type, or is a failure.
    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Self::Output, Failure>;
}

/// `ok`
#[derive(Debug)]
pub enum SupervisorOk {}

/// `{ok, Child} | {ok, Child, Info}`
#[derive(Debug)]
pub enum AnyStarted {}

/// `{ok, Child} | {ok, Child, Info}`, where `Child` is not `undefined`.
#[derive(Debug)]
pub struct OneStarted<T>(PhantomData<fn() -> T>);

/// `[{Id, Child, Type, Modules}]`
#[derive(Debug)]
pub struct Listed<Reference>(PhantomData<fn() -> Reference>);

/// `[{specs, Number} | {active, Number} | …]`
#[derive(Debug)]
pub enum ChildCounts {}

impl SupervisorResult for SupervisorOk {
    type Output = ();

    fn read<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<(), Failure> {
        atoms::ok::from_term(value)?;
        Ok(())
    }
}

impl SupervisorResult for AnyStarted {
    type Output = Option<Pid>;

    fn read<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<Option<Pid>, Failure> {
        if let Some([_, child, _]) = value.tuple::<3>() {
            return Ok(Option::from_term(child)?);
        }
        let (_, child) = <(atoms::ok, Option<Pid>)>::from_term(value)?;
        Ok(child)
    }
}

impl<T: Started> SupervisorResult for OneStarted<T> {
    type Output = T::Reference;

    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<T::Reference, Failure> {
        let child = AnyStarted::read(value, reader)?;
        let ignored = || Failure::Exit(Term::of(&atoms::ignore));
        child.map(Into::into).ok_or_else(ignored)
    }
}

impl<Reference: From<Pid>> SupervisorResult for Listed<Reference> {
    type Output = Vec<ChildInfo<Reference>>;

    fn read<'a, V: View<'a>>(value: V, reader: Reader<'_>) -> Result<Self::Output, Failure> {
        let children = Vec::<(Option<Term>, Child, Worker, Modules)>::__read(value, reader)?;
        let children = children
            .into_iter()
            .map(|(id, child, worker, modules)| ChildInfo {
                id,
                process: match child {
                    Child::Pid(pid) => ChildProcess::Running(pid.into()),
                    Child::Restarting => ChildProcess::Restarting,
                    Child::Undefined => ChildProcess::Terminated,
                },
                worker,
                modules,
            });
        Ok(children.collect())
    }
}

/// `pid() | undefined | restarting`
#[derive(crate::Term)]
enum Child {
    #[term(untagged)]
    Pid(Pid),
    Undefined,
    Restarting,
}

/// `{specs, Number} | …`
#[derive(crate::Term)]
enum Count {
    Specs(u64),
    Active(u64),
    Supervisors(u64),
    Workers(u64),
}

impl SupervisorResult for ChildCounts {
    type Output = ChildCount;

    fn read<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<ChildCount, Failure> {
        let mut all = ChildCount::default();
        for count in Vec::<Count>::from_term(value)? {
            match count {
                Count::Specs(number) => all.specs = number,
                Count::Active(number) => all.active = number,
                Count::Supervisors(number) => all.supervisors = number,
                Count::Workers(number) => all.workers = number,
            }
        }
        Ok(all)
    }
}
