//! Commands for sets.

use super::KeysOf::{All, First, FirstTwo};
use super::{Call, Command, Refusal, command, random_count};
use crate::resp::number;
use crate::store::{Bytes, Set, Value};

pub(super) const COMMANDS: &[Command] = &[
    command("sadd", -3, First, sadd).grows(),
    command("srem", -3, First, srem),
    command("smembers", 2, First, smembers),
    command("sismember", 3, First, sismember),
    command("smismember", -3, First, smismember),
    command("scard", 2, First, scard),
    command("spop", -2, First, |call| some(call, true)),
    command("srandmember", -2, First, |call| some(call, false)),
    command("smove", 4, FirstTwo, smove),
    command("sinter", -2, All, |call| combined(call, inter, false)),
    command("sunion", -2, All, |call| combined(call, union, false)),
    command("sdiff", -2, All, |call| combined(call, diff, false)),
    command("sinterstore", -3, All, |call| combined(call, inter, true)).grows(),
    command("sunionstore", -3, All, |call| combined(call, union, true)).grows(),
    command("sdiffstore", -3, All, |call| combined(call, diff, true)).grows(),
];

fn sadd(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let members = &call.arguments[1..];
    let set = call.get_or_new::<Set>(call.arguments[0])?;
    let new = members
        .iter()
        .filter(|it| set.insert((**it).into()))
        .count();
    if new > 0 {
        call.changed(call.arguments[0]);
    }
    call.replies.count(new);
    Ok(())
}

fn srem(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (key, members) = (call.arguments[0], &call.arguments[1..]);
    let set = call.get_mut::<Set>(key)?;
    let removed = set.map_or(0, |set| {
        members.iter().filter(|it| set.remove(**it)).count()
    });
    if removed > 0 {
        call.changed(key);
    }
    call.replies.count(removed);
    Ok(())
}

fn say(call: &mut Call<'_, '_>, set: &Set) {
    call.replies.set(set.len());
    set.iter().for_each(|member| call.replies.bulk(member));
}

fn smembers(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let set = call
        .get::<Set>(call.arguments[0])?
        .cloned()
        .unwrap_or_default();
    say(call, &set);
    Ok(())
}

fn sismember(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let member = call.arguments[1];
    let set = call.get::<Set>(call.arguments[0])?;
    let is_in = set.is_some_and(|set| set.contains(member));
    call.replies.integer(i64::from(is_in));
    Ok(())
}

fn smismember(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let members = &call.arguments[1..];
    let set = call.get::<Set>(call.arguments[0])?;
    let is_in = |member: &&[u8]| set.is_some_and(|set| set.contains(*member));
    let answers: Vec<bool> = members.iter().map(is_in).collect();
    call.replies.array(answers.len());
    answers
        .into_iter()
        .for_each(|is_in| call.replies.integer(i64::from(is_in)));
    Ok(())
}

fn scard(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let len = call.get::<Set>(call.arguments[0])?.map_or(0, Set::len);
    call.replies.count(len);
    Ok(())
}

/// Runs SPOP and SRANDMEMBER.
fn some(call: &mut Call<'_, '_>, takes: bool) -> Result<(), Refusal> {
    let key = call.arguments[0];
    if call.arguments.len() > 2 {
        return Err(super::SYNTAX);
    }
    let out_of_range = Refusal("ERR value is out of range, must be positive");
    let count = call.arguments.get(1).map(|text| match takes {
        true => number(text).ok_or(out_of_range),
        false => random_count(text),
    });
    let count = count.transpose()?;
    if takes && count.is_some_and(|count| count < 0) {
        return Err(out_of_range);
    }
    let members: Vec<Bytes> = match call.get::<Set>(key)? {
        None => Vec::new(),
        Some(set) => set.iter().cloned().collect(),
    };
    let chosen = chosen(members, count);
    if takes && let Some(set) = call.get_mut::<Set>(key)? {
        for member in &chosen {
            set.remove(member);
        }
        if !chosen.is_empty() {
            call.changed(key);
            let words = [b"SREM".as_slice(), key].into_iter();
            let words: Vec<&[u8]> = words.chain(chosen.iter().map(|it| &**it)).collect();
            call.log(&words);
        }
    }
    match (count, chosen.first()) {
        (None, None) => call.replies.nil(),
        (None, Some(one)) => call.replies.bulk(one),
        (Some(_), _) => {
            match takes {
                true => call.replies.set(chosen.len()),
                false => call.replies.array(chosen.len()),
            }
            chosen.iter().for_each(|member| call.replies.bulk(member));
        }
    }
    Ok(())
}

/// Chooses random members. With a negative count, a member can be chosen several times.
fn chosen(mut members: Vec<Bytes>, count: Option<i64>) -> Vec<Bytes> {
    let count = count.unwrap_or(1);
    let wanted = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
    if count < 0 && !members.is_empty() {
        let any = |_| members[fastrand::usize(..members.len())].clone();
        return (0..wanted.min(1 << 20)).map(any).collect();
    }
    fastrand::shuffle(&mut members);
    members.truncate(wanted);
    members
}

fn smove(call: &mut Call<'_, '_>) -> Result<(), Refusal> {
    let (from, to, member) = (call.arguments[0], call.arguments[1], call.arguments[2]);
    let is_in = call.get::<Set>(from)?.map(|set| set.contains(member));
    let Some(is_in) = is_in else {
        call.replies.integer(0);
        return Ok(());
    };
    call.get::<Set>(to)?;
    if is_in && from != to {
        if let Some(set) = call.get_mut::<Set>(from)? {
            set.remove(member);
        }
        call.changed(from);
        call.get_or_new::<Set>(to)?.insert(member.into());
        call.changed(to);
    }
    call.replies.integer(i64::from(is_in));
    Ok(())
}

fn inter(sets: &[Set]) -> Set {
    let Some((first, others)) = sets.split_first() else {
        return Set::new();
    };
    let in_all = |member: &&Bytes| others.iter().all(|set| set.contains(*member));
    first.iter().filter(in_all).cloned().collect()
}

fn union(sets: &[Set]) -> Set {
    sets.iter().flatten().cloned().collect()
}

fn diff(sets: &[Set]) -> Set {
    let Some((first, others)) = sets.split_first() else {
        return Set::new();
    };
    let in_none = |member: &&Bytes| !others.iter().any(|set| set.contains(*member));
    first.iter().filter(in_none).cloned().collect()
}

fn combined(call: &mut Call<'_, '_>, how: fn(&[Set]) -> Set, stores: bool) -> Result<(), Refusal> {
    let arguments = call.arguments;
    let (to, keys) = match stores {
        true => (Some(arguments[0]), &arguments[1..]),
        false => (None, arguments),
    };
    let mut sets = Vec::with_capacity(keys.len());
    for key in keys {
        sets.push(call.get::<Set>(key)?.cloned().unwrap_or_default());
    }
    let set = how(&sets);
    let Some(to) = to else {
        say(call, &set);
        return Ok(());
    };
    let len = set.len();
    let keys = call.locked.keys(to);
    keys.remove(to);
    if len > 0 {
        keys.set(to, Value::Set(set), 0);
    }
    call.replies.count(len);
    Ok(())
}
