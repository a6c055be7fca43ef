//! A visitor that adds up leaves: a module for the application's own behaviour
//! (`erlang/visitor.erl`).
use otp_bridge::{Cx, Result, Term, atom, behaviour};

use crate::generated::visitor::{HandleEnd, Init, Tree, Visit, Visitor};

/// The present sum, and the limit.
#[derive(Debug)]
pub struct Summer {
    sum: u64,
    limit: u64,
}

/// `{limit, Number}`
#[derive(Debug, Term)]
pub struct Limit(pub u64);

#[behaviour(crate::generated::visitor)]
impl Visitor for Summer {
    type Args = Limit;

    fn init(Limit(limit): Limit) -> Init<Self> {
        if limit == 0 {
            return Init::Error(Term::of(&atom!("no_limit")));
        }
        Init::Ok(Summer { sum: 0, limit })
    }

    async fn visit(&mut self, number: u64, cx: &Cx<'_>) -> Result<Visit> {
        // A callback can await in any process that runs it.
        self.sum = cx.apply("erlang", "+", (self.sum, number)).await?;
        Ok(if self.sum >= self.limit {
            Visit::Answer(self.sum)
        } else {
            Visit::GoOn
        })
    }

    fn handle_end(&self, tree: Tree) -> HandleEnd {
        match tree {
            Tree::Node(trees) if trees.is_empty() => HandleEnd::None,
            _ => HandleEnd::Answer(self.sum),
        }
    }
}
