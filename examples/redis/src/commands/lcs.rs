//! The command LCS: the longest common subsequence of two strings.

use super::KeysOf::FirstTwo;
use super::{Call, Command, NOT_AN_INTEGER, Refusal, SYNTAX, command};
use crate::resp::number;

pub(super) const COMMANDS: &[Command] = &[command("lcs", -3, FirstTwo, lcs)];

/// Maximum size of the table in bytes.
const MOST: usize = 512 << 20;

/// A range that both strings share, with inclusive ends.
struct Match {
    one: (usize, usize),
    other: (usize, usize),
}

#[derive(Default)]
struct Options {
    ranges: bool,
    only_length: bool,
    with_lengths: bool,
    least: usize,
}

fn options(words: &[&[u8]]) -> Result<Options, Refusal> {
    let mut options = Options::default();
    let mut rest = words;
    while let Some((word, more)) = rest.split_first() {
        rest = more;
        match (word.to_ascii_lowercase().as_slice(), more) {
            (b"idx", _) => options.ranges = true,
            (b"len", _) => options.only_length = true,
            (b"withmatchlen", _) => options.with_lengths = true,
            (b"minmatchlen", [text, more @ ..]) => {
                let least = number(text).ok_or(NOT_AN_INTEGER)?;
                options.least = usize::try_from(least).unwrap_or(0);
                rest = more;
            }
            _ => return Err(SYNTAX),
        }
    }
    if options.ranges && options.only_length {
        return Err(Refusal(
            "ERR If you want both the length and indexes, please just use IDX.",
        ));
    }
    Ok(options)
}

fn lcs(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    const WRONG: Refusal = Refusal("ERR The specified keys must contain string values");
    let (one, other) = (call.arguments[0], call.arguments[1]);
    let one = call
        .string(one)
        .map_err(|_| WRONG)?
        .unwrap_or_default()
        .to_vec();
    let other = call
        .string(other)
        .map_err(|_| WRONG)?
        .unwrap_or_default()
        .to_vec();
    let options = options(&call.arguments[2..])?;
    let width = other.len() + 1;
    let cells = (one.len() + 1).checked_mul(width);
    let Some(cells) = cells.filter(|it| *it <= MOST / size_of::<u32>()) else {
        return Err(Refusal(
            "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len",
        ));
    };
    let mut table = vec![0_u32; cells];
    for (row, byte) in one.iter().enumerate() {
        for (column, with) in other.iter().enumerate() {
            let at = (row + 1) * width + column + 1;
            table[at] = match byte == with {
                true => table[at - width - 1] + 1,
                false => table[at - 1].max(table[at - width]),
            };
        }
    }
    let (common, matches) = walk(&one, &other, &table);
    say(call, &options, &common, &matches);
    Ok(())
}

fn say(call: &mut Call<'_, '_>, options: &Options, common: &[u8], matches: &[Match]) {
    let length = common.len();
    if options.only_length {
        call.replies.count(length);
        return;
    }
    if !options.ranges {
        call.replies.bulk(common);
        return;
    }
    let long = |it: &&Match| it.one.1 - it.one.0 + 1 >= options.least;
    let matches: Vec<&Match> = matches.iter().filter(long).collect();
    call.replies.map(2);
    call.replies.bulk(b"matches");
    call.replies.array(matches.len());
    for it in matches {
        call.replies.array(2 + usize::from(options.with_lengths));
        for (first, last) in [it.one, it.other] {
            call.replies.array(2);
            call.replies.count(first);
            call.replies.count(last);
        }
        if options.with_lengths {
            call.replies.count(it.one.1 - it.one.0 + 1);
        }
    }
    call.replies.bulk(b"len");
    call.replies.count(length);
}

/// Follows the table from its end. Returns the subsequence, and its ranges, the last one first.
fn walk(one: &[u8], other: &[u8], table: &[u32]) -> (Vec<u8>, Vec<Match>) {
    let width = other.len() + 1;
    let (mut row, mut column) = (one.len(), other.len());
    let (mut common, mut matches): (Vec<u8>, Vec<Match>) = (Vec::new(), Vec::new());
    let mut is_open = false;
    while row > 0 && column > 0 {
        if one[row - 1] == other[column - 1] {
            common.push(one[row - 1]);
            let places = (row - 1, column - 1);
            match matches.last_mut().filter(|_| is_open) {
                Some(last) => (last.one.0, last.other.0) = places,
                None => matches.push(Match {
                    one: (places.0, places.0),
                    other: (places.1, places.1),
                }),
            }
            is_open = true;
            (row, column) = places;
            continue;
        }
        is_open = false;
        match table[(row - 1) * width + column] > table[row * width + column - 1] {
            true => row -= 1,
            false => column -= 1,
        }
    }
    common.reverse();
    (common, matches)
}
