//! The root supervisor. It starts the ring's members and the aggregator. The application ends when
//! the aggregator does.

use otp_bridge::atom;
use otp_bridge::atoms::{any_significant, ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::aggregator::Aggregator;
use crate::member::{self, Member};

/// Starts the ring and the aggregator.
pub struct Stroot;

/// Size of the ring, and number of hops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Number of processes in the ring.
    pub members: u32,
    /// Number of hops.
    pub hops: u64,
}

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        let size = Size::parse(&arguments)?;
        let flags = SupFlags::one_for_one().auto_shutdown(any_significant);
        let mut children: Vec<ChildSpec> = (0..size.members)
            .map(|place| {
                ChildSpec::of::<Member>((place, size.members))
                    .id(place)
                    .registered(member::name(place))
            })
            .collect();
        children.push(
            ChildSpec::of::<Aggregator>((size.members, size.hops))
                .registered(atom!("aggregator"))
                .restart(temporary)
                .significant(true),
        );
        Ok((ok, (flags, children)))
    }
}

impl Size {
    /// Parses the command line `P N`.
    ///
    /// # Errors
    /// `usage`, with the given words.
    pub fn parse(arguments: &[String]) -> Result<Self> {
        let parsed = match arguments {
            [members, hops] => members.parse().ok().zip(hops.parse().ok()),
            _ => None,
        };
        match parsed {
            Some((members, hops)) if members > 0 => Ok(Size { members, hops }),
            _ => Err(Exit::new((
                "usage: cargo otp run -- P N",
                arguments.to_vec(),
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_two_numbers() {
        let parse =
            |line: &[&str]| Size::parse(&line.iter().map(|&s| s.to_owned()).collect::<Vec<_>>());
        assert_eq!(
            parse(&["1000", "1000000"]),
            Ok(Size {
                members: 1000,
                hops: 1_000_000
            })
        );
        for wrong in [&["1000"][..], &["0", "1"], &["many", "1"], &["1", "2", "3"]] {
            let exit = parse(wrong).expect_err("no ring of that size");
            assert!(exit.to_string().contains("usage"), "{exit}");
        }
    }
}
