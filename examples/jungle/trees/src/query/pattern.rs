//! Patterns of paths, compiled to a small state machine.

use otp_bridge::Term;
use otp_bridge::term::Binary;

use crate::error::{Error, Result};
use crate::node::{Key, Node, Position, Value};

/// Maximum number of steps of a pattern.
pub const MAX_STEPS: usize = 63;

/// One step of a pattern of paths.
#[derive(Debug, Clone, PartialEq, Term)]
pub enum Step {
    /// `Position`: this child.
    #[term(untagged)]
    At(Position),
    /// `'*'`: any child.
    #[term(tag = "*")]
    Any,
    /// `'**'`: any number of children below each other, including none.
    #[term(tag = "**")]
    Deep,
    /// `{range, From, To}`: the children at these positions, both included.
    Range(Position, Position),
    /// `{having, Key, Value}`: the children whose attribute has this value.
    Having(String, Binary),
}

enum Compiled {
    Range(Position, Position),
    Any,
    Deep,
    Having(Key, Value),
}

/// A pattern that can be matched against paths.
pub struct Pattern {
    steps: Vec<Compiled>,
}

/// State of matching at a node: bit `n` is set if the first `n` steps can match the path to the
/// node, so that the steps from `n` have to match the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct States(u64);

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// `BadPattern`.
    pub fn new(steps: &[Step]) -> Result<Self> {
        if steps.len() > MAX_STEPS {
            let why = format!("it has more than {MAX_STEPS} steps");
            return Err(Error::BadPattern(why));
        }
        let compiled = |step: &Step| {
            Ok(match step {
                Step::At(position) => Compiled::Range(*position, *position),
                Step::Any => Compiled::Any,
                Step::Deep => Compiled::Deep,
                Step::Range(from, to) if from > to => {
                    return Err(Error::BadPattern(format!("{from} is after {to}")));
                }
                Step::Range(from, to) => Compiled::Range(*from, *to),
                Step::Having(key, value) => Compiled::Having(key.as_str().into(), (**value).into()),
            })
        };
        let steps = steps.iter().map(compiled);
        Ok(Pattern {
            steps: steps.collect::<Result<_>>()?,
        })
    }

    /// Returns whether a path from the root matches the pattern.
    #[must_use]
    pub fn matches(&self, root: &Node, path: &[Position]) -> bool {
        let (mut node, mut states) = (root, self.begin());
        for position in path {
            let Some(child) = node.child(*position) else {
                return false;
            };
            (node, states) = (child, self.below(states, *position, child));
        }
        self.is_match(states)
    }

    /// Returns the state at the root.
    pub(crate) fn begin(&self) -> States {
        self.passing(States(1))
    }

    pub(crate) fn is_match(&self, states: States) -> bool {
        states.0 >> self.steps.len() & 1 == 1
    }

    /// Adds the states that a `**` reaches by matching nothing.
    fn passing(&self, States(mut states): States) -> States {
        for (number, step) in self.steps.iter().enumerate() {
            if matches!(step, Compiled::Deep) && states >> number & 1 == 1 {
                states |= 1 << (number + 1);
            }
        }
        States(states)
    }

    fn open(&self, states: States) -> impl Iterator<Item = (usize, &Compiled)> {
        let steps = self.steps.iter().enumerate();
        steps.filter(move |(number, _)| states.0 >> number & 1 == 1)
    }

    /// Returns the state at a child.
    pub(crate) fn below(&self, states: States, position: Position, child: &Node) -> States {
        let mut below = 0;
        for (number, step) in self.open(states) {
            let next = match step {
                Compiled::Deep => number,
                Compiled::Any => number + 1,
                Compiled::Range(from, to) if (*from..=*to).contains(&position) => number + 1,
                Compiled::Having(key, value) if child.attribute(key) == Some(value) => number + 1,
                Compiled::Range(..) | Compiled::Having(..) => continue,
            };
            below |= 1 << next;
        }
        self.passing(States(below))
    }

    /// Returns the first position, starting at `from`, at which a child can match.
    pub(crate) fn candidate(&self, states: States, from: Position) -> Option<Position> {
        let candidates = self.open(states).filter_map(|(_, step)| match step {
            Compiled::Range(_, to) if *to < from => None,
            Compiled::Range(first, _) => Some(from.max(*first)),
            Compiled::Any | Compiled::Deep | Compiled::Having(..) => Some(from),
        });
        candidates.min()
    }

    /// Returns whether a child at any position can match.
    pub(crate) fn is_wide(&self, states: States) -> bool {
        self.open(states)
            .any(|(_, step)| !matches!(step, Compiled::Range(..)))
    }
}

impl States {
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}
