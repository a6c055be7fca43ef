//! Requests to a supervisor: the functions of `supervisor`.

use super::RunningSupervisor;
use super::children::{ChildState, SupervisedChild};
use crate::atoms::{error, ok};
use crate::behaviour::supervisor::{ChildSpec, Restart};
use crate::testing::node::{atom_of, elements};
use crate::{Term, atom};

impl RunningSupervisor {
    /// Performs a request. Returns the reply.
    pub(super) async fn request(&mut self, request: &Term) -> Term {
        match (request, elements(request)) {
            (Term::Atom(name), _) if name.text() == "which_children" => {
                let has_id = self.template.is_none();
                let children = self.children.iter().rev();
                Term::of(&Vec::from_iter(children.map(|it| it.description(has_id))))
            }
            (Term::Atom(name), _) if name.text() == "count_children" => self.count(),
            (_, [Term::Atom(name), argument]) => match name.text() {
                "start_child" => self.start_child(argument).await,
                "terminate_child" => self.terminate_child(argument).await,
                "restart_child" => self.restart_child(argument).await,
                "delete_child" => self.delete_child(argument),
                _ => failed("badarg"),
            },
            _ => failed("badarg"),
        }
    }

    fn count(&self) -> Term {
        let count = |is_it: fn(&SupervisedChild) -> bool| {
            self.children.iter().filter(|child| is_it(child)).count()
        };
        let specs = match self.template {
            Some(_) => 1,
            None => self.children.len(),
        };
        let workers = count(|child| !child.is_supervisor());
        Term::of(&vec![
            (atom!("specs"), specs),
            (
                atom!("active"),
                count(|child| matches!(child.state, ChildState::Running(_))),
            ),
            (atom!("supervisors"), self.children.len() - workers),
            (atom!("workers"), workers),
        ])
    }

    async fn start_child(&mut self, argument: &Term) -> Term {
        let child = match (&self.template, argument) {
            (Some(template), Term::List(arguments)) => template.with(arguments.to_vec()),
            _ => match argument.decode::<ChildSpec>() {
                Ok(spec) => SupervisedChild::new(spec),
                Err(_) => return failed("invalid_child_spec"),
            },
        };
        if self.template.is_none()
            && let Some(index) = self.index_of(child.id())
        {
            return match &self.children[index].state {
                ChildState::Running(pid) => {
                    Term::of(&(error, (atom!("already_started"), pid.clone())))
                }
                _ => failed("already_present"),
            };
        }
        let is_temporary = child.restart() == Restart::Temporary;
        self.children.push(child);
        let index = self.children.len() - 1;
        let started = self.start_one(index).await;
        let is_ignored = matches!(&started, Ok(Term::Atom(_)));
        let is_gone = is_ignored && (is_temporary || self.template.is_some());
        if started.is_err() || is_gone {
            self.children.remove(index);
        }
        match started {
            Ok(pid) => Term::of(&(ok, pid)),
            Err(reason) => Term::of(&(error, reason)),
        }
    }

    async fn terminate_child(&mut self, id: &Term) -> Term {
        let Some(index) = self.index_of(id) else {
            return failed("not_found");
        };
        self.stop_one(index).await;
        let is_temporary = self.children[index].restart() == Restart::Temporary;
        if is_temporary || self.template.is_some() {
            self.children.remove(index);
        }
        Term::of(&ok)
    }

    async fn restart_child(&mut self, id: &Term) -> Term {
        let Some(index) = self.index_of(id) else {
            return failed("not_found");
        };
        match self.children[index].state {
            ChildState::Running(_) => failed("running"),
            ChildState::Restarting => failed("restarting"),
            ChildState::Terminated => match self.start_one(index).await {
                Ok(pid) => Term::of(&(ok, pid)),
                Err(reason) => Term::of(&(error, reason)),
            },
        }
    }

    fn delete_child(&mut self, id: &Term) -> Term {
        let Some(index) = self.index_of(id) else {
            return failed("not_found");
        };
        match self.children[index].state {
            ChildState::Running(_) => failed("running"),
            ChildState::Restarting => failed("restarting"),
            ChildState::Terminated => {
                self.children.remove(index);
                Term::of(&ok)
            }
        }
    }

    /// Returns the child with this id, or with this pid if it was started from a template.
    fn index_of(&self, id: &Term) -> Option<usize> {
        let mut children = self.children.iter();
        match (&self.template, id) {
            (Some(_), Term::Pid(pid)) => children.position(|child| child.is_process(pid)),
            (Some(_), _) => None,
            (None, id) => children.position(|child| child.id() == id),
        }
    }
}

/// `{error, Reason}`
fn failed(reason: &str) -> Term {
    Term::of(&(error, atom_of(reason)))
}
