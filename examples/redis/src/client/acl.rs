//! The command ACL: users and what they may do.

use super::Client;
use crate::acl::{CATEGORIES, Denied, Selector, random_digits};
use crate::commands::facts;
use crate::resp::{Replies, number};
use crate::server::Server;
use crate::store::now;

impl Client {
    pub(super) fn acl(&mut self, server: &Server, arguments: &[&[u8]], replies: &mut Replies) {
        let text = |at: usize| {
            let word = arguments.get(at).copied().unwrap_or_default();
            String::from_utf8_lossy(word).into_owned()
        };
        match self.command.split_once('|').map_or("", |it| it.1) {
            "whoami" => replies.bulk(self.user_name().as_bytes()),
            "users" => {
                let all = server.users.list();
                replies.array(all.len());
                all.iter().for_each(|it| replies.bulk(it.name.as_bytes()));
            }
            "list" => {
                let all = server.users.list();
                replies.array(all.len());
                all.iter().for_each(|it| replies.bulk(it.line().as_bytes()));
            }
            "getuser" => get(server, &text(1), replies),
            "setuser" => set(server, &text(1), &arguments[2..], replies),
            "deluser" => delete(server, &arguments[1..], replies),
            "cat" => categories(arguments.get(1).map(|_| text(1)), replies),
            "genpass" => password(arguments.get(1).copied(), replies),
            "log" => log(server, arguments.get(1).copied(), replies),
            "dryrun" => dry_run(server, &text(1), &arguments[2..], replies),
            "help" => crate::commands::help("acl", replies),
            // LOAD and SAVE fail, because there is no file of users.
            _ => replies.error(
                "ERR This Redis instance is not configured to use an ACL file. You may want to specify users via the ACL SETUSER \
                 command and then issue a CONFIG REWRITE (assuming you have a Redis configuration file set) in order to store \
                 users in the Redis configuration.",
            ),
        }
    }
}

fn describe(selector: &Selector, replies: &mut Replies) {
    let parts = [
        ("commands", selector.commands_text()),
        ("keys", selector.keys_text()),
        ("channels", selector.channels_text()),
    ];
    for (name, text) in parts {
        replies.bulk(name.as_bytes());
        replies.bulk(text.as_bytes());
    }
}

fn get(server: &Server, name: &str, replies: &mut Replies) {
    let Some(user) = server.users.find(name) else {
        replies.nil();
        return;
    };
    replies.map(6);
    replies.bulk(b"flags");
    let flags = [
        (user.is_on, "on"),
        (!user.is_on, "off"),
        (user.needs_none, "nopass"),
    ];
    let flags: Vec<&str> = flags.iter().filter(|it| it.0).map(|it| it.1).collect();
    replies.set(flags.len());
    flags.iter().for_each(|it| replies.bulk(it.as_bytes()));
    replies.bulk(b"passwords");
    replies.array(user.passwords.len());
    user.passwords
        .iter()
        .for_each(|it| replies.bulk(it.as_bytes()));
    describe(&user.root, replies);
    replies.bulk(b"selectors");
    replies.array(user.more.len());
    for selector in &user.more {
        replies.map(3);
        describe(selector, replies);
    }
}

fn set(server: &Server, name: &str, rules: &[&[u8]], replies: &mut Replies) {
    if name.chars().any(|it| it.is_whitespace() || it == '\0') {
        replies.error("ERR Usernames can't contain spaces or null characters");
        return;
    }
    match server.users.set(name, rules) {
        Ok(()) => replies.ok(),
        Err(why) => replies.error(why),
    }
}

fn delete(server: &Server, names: &[&[u8]], replies: &mut Replies) {
    if names.contains(&crate::acl::DEFAULT.as_bytes()) {
        replies.error("ERR The 'default' user cannot be removed");
        return;
    }
    let mut count = 0;
    for name in names {
        let name = String::from_utf8_lossy(name);
        if server.users.remove(&name) {
            count += 1;
            let sessions = server.sessions.list().into_iter();
            let of_user = sessions.filter(|it| it.shown().user.as_deref() == Some(&*name));
            for session in of_user {
                server.sessions.remove(session.id);
                session.kill();
            }
        }
    }
    replies.count(count);
}

fn categories(category: Option<String>, replies: &mut Replies) {
    let category = category.map(|it| it.to_ascii_lowercase());
    let names = match &category {
        None => CATEGORIES.to_vec(),
        Some(name) if CATEGORIES.contains(&&**name) => {
            let of = facts().all.iter();
            of.filter(|it| it.categories.contains(&&**name))
                .map(|it| it.name)
                .collect()
        }
        Some(name) => {
            replies.error(format_args!("ERR Unknown category '{name}'"));
            return;
        }
    };
    replies.array(names.len());
    names.iter().for_each(|it| replies.bulk(it.as_bytes()));
}

fn password(bits: Option<&[u8]>, replies: &mut Replies) {
    let bits = bits.map_or(Some(256), number).unwrap_or(0);
    let digits = usize::try_from(bits)
        .ok()
        .filter(|it| (1..=4096).contains(it));
    let Some(digits) = digits.map(|bits| bits.div_ceil(4)) else {
        replies.error(
            "ERR ACL GENPASS argument must be the number of bits for the output password, a positive number up to 4096",
        );
        return;
    };
    match random_digits(digits) {
        Ok(text) => replies.bulk(text.as_bytes()),
        Err(_) => replies.error("ERR the operating system has no random numbers"),
    }
}

fn log(server: &Server, what: Option<&[u8]>, replies: &mut Replies) {
    let most = match what {
        None => 10,
        Some(word) if word.eq_ignore_ascii_case(b"reset") => {
            server.users.log.reset();
            replies.ok();
            return;
        }
        Some(text) => match number(text) {
            Some(count) => usize::try_from(count).unwrap_or(0),
            None => {
                replies.error("ERR value is not an integer or out of range");
                return;
            }
        },
    };
    let entries = server.users.log.latest(most);
    replies.array(entries.len());
    for entry in entries {
        replies.map(7);
        replies.bulk(b"count");
        replies.count(entry.count);
        for (name, text) in [
            ("reason", entry.denial.reason),
            ("context", entry.denial.context),
            ("object", &entry.denial.object),
            ("username", &entry.denial.user),
        ] {
            replies.bulk(name.as_bytes());
            replies.bulk(text.as_bytes());
        }
        let age = now().saturating_sub(entry.time) as f64 / 1000.0;
        replies.bulk(b"age-seconds");
        replies.double(age);
        replies.bulk(b"client-info");
        replies.bulk(entry.client.as_bytes());
    }
}

fn dry_run(server: &Server, name: &str, words: &[&[u8]], replies: &mut Replies) {
    let Some(user) = server.users.find(name) else {
        replies.error(format_args!("ERR User '{name}' not found"));
        return;
    };
    let Some((at, fact)) = facts().of_request(words) else {
        let word = String::from_utf8_lossy(words[0]);
        replies.error(format_args!("ERR Command '{word}' not found"));
        return;
    };
    if !crate::commands::takes(fact.arity, words.len() - 1) {
        replies.error(super::wrong_number(fact.name));
        return;
    }
    let what = match user.may(at, fact, words) {
        Ok(()) => {
            replies.ok();
            return;
        }
        Err(Denied::Command) => format!("run the '{}' command", fact.name),
        Err(Denied::Key(key)) => {
            format!("access the '{}' key", String::from_utf8_lossy(&key))
        }
        Err(Denied::Pattern(option)) => format!("use the {option} option of SORT"),
        Err(Denied::Channel(channel)) => {
            format!("access the '{}' channel", String::from_utf8_lossy(&channel))
        }
    };
    replies.bulk(format!("This user has no permissions to {what}").as_bytes());
}
