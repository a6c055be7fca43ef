//! Describes users and their rules as text. ACL SETUSER reproduces a user from this text.

use super::selector::{CATEGORIES, Selector};
use super::user::User;
use crate::commands::facts;
use crate::pattern::matches;

impl Selector {
    /// Returns the patterns of the keys.
    #[must_use]
    pub fn keys_text(&self) -> String {
        if self.all_keys {
            return "~*".to_owned();
        }
        let patterns = self.keys.iter().map(|it| {
            let pattern = String::from_utf8_lossy(&it.pattern);
            match (it.reads, it.writes) {
                (true, false) => format!("%R~{pattern}"),
                (false, true) => format!("%W~{pattern}"),
                _ => format!("~{pattern}"),
            }
        });
        patterns.collect::<Vec<_>>().join(" ")
    }

    /// Returns the patterns of the channels.
    #[must_use]
    pub fn channels_text(&self) -> String {
        if self.all_channels {
            return "&*".to_owned();
        }
        let patterns = self.channels.iter();
        let patterns = patterns.map(|it| format!("&{}", String::from_utf8_lossy(it)));
        patterns.collect::<Vec<_>>().join(" ")
    }

    /// Returns the rules for commands: first the categories that describe the set of commands best,
    /// then a rule for each command that they describe wrongly.
    #[must_use]
    pub fn commands_text(&self) -> String {
        let adds = !self.all_commands;
        let mut said = Selector::default();
        said.allow_all(!adds);
        let mut text = vec![if adds { "-@all" } else { "+@all" }.to_owned()];
        let mut left = CATEGORIES.to_vec();
        while let Some(at) = self.best(&left, adds, &said) {
            let category = left.remove(at);
            // The category is one of the list, so this cannot fail.
            let _ = said.allow(format!("@{category}").as_bytes(), adds);
            text.push(format!("{}@{category}", if adds { '+' } else { '-' }));
        }
        for (at, fact) in facts().all.iter().enumerate() {
            let allows = self.commands[at];
            if said.commands[at] != allows {
                let _ = said.allow(fact.name.as_bytes(), allows);
                text.push(format!("{}{}", if allows { '+' } else { '-' }, fact.name));
            }
        }
        text.join(" ")
    }

    /// Returns the category that makes the description correct for most commands.
    fn best(&self, categories: &[&str], adds: bool, said: &Selector) -> Option<usize> {
        let mut best: Option<(usize, usize, usize)> = None;
        for (at, category) in categories.iter().enumerate() {
            let (mut same, mut wrong, mut nearer) = (0, 0, 0);
            let commands = self.commands.iter().zip(&said.commands);
            for (fact, (allows, said)) in facts().all.iter().zip(commands) {
                if fact.categories.contains(category) {
                    // How many commands the category would correct, minus how many it would make
                    // wrong.
                    nearer += i32::from(*said != adds) * if *allows == adds { 1 } else { -1 };
                    match *allows == adds {
                        true => same += 1,
                        false => wrong += 1,
                    }
                }
            }
            let is_better = best.is_none_or(|(_, least_wrong, most_same)| {
                wrong < least_wrong || (wrong == least_wrong && same > most_same)
            });
            if same > wrong && nearer > 0 && is_better {
                best = Some((at, wrong, same));
            }
        }
        best.map(|it| it.0)
    }

    fn text(&self) -> String {
        let channels = match (self.all_channels, self.channels_text()) {
            (true, text) => text,
            (false, text) if text.is_empty() => "resetchannels".to_owned(),
            (false, text) => format!("resetchannels {text}"),
        };
        let parts = [self.keys_text(), channels, self.commands_text()];
        let parts = parts.into_iter().filter(|it| !it.is_empty());
        parts.collect::<Vec<_>>().join(" ")
    }
}

impl User {
    /// Returns the line of ACL LIST.
    #[must_use]
    pub fn line(&self) -> String {
        let on = if self.is_on { "on" } else { "off" };
        let mut parts = vec![format!("user {} {on}", self.name)];
        if self.needs_none {
            parts.push("nopass".to_owned());
        }
        parts.extend(self.passwords.iter().map(|it| format!("#{it}")));
        parts.push(self.root.text());
        parts.extend(self.more.iter().map(|it| format!("({})", it.text())));
        parts.join(" ")
    }
}

/// Returns the commands and subcommands of a category, or of all, whose names match a pattern.
#[must_use]
pub fn commands_like(category: Option<&str>, pattern: &[u8]) -> Vec<&'static str> {
    let all = facts().all.iter();
    let of = all.filter(|it| category.is_none_or(|name| it.categories.contains(&name)));
    let names = of.map(|it| it.name);
    names.filter(|it| matches(pattern, it.as_bytes())).collect()
}
