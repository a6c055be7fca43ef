//! Hiding passwords from SLOWLOG and MONITOR.

const HIDDEN: &[u8] = b"(redacted)";

/// Parameters of CONFIG whose values are secret.
const SECRET: [&[u8]; 5] = [
    b"masterauth",
    b"masteruser",
    b"requirepass",
    b"tls-client-key-file-pass",
    b"tls-key-file-pass",
];

/// Returns the words of a request without its passwords.
pub(super) fn redacted<'a>(words: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let mut shown = words.to_vec();
    let is = |at: usize, text: &[u8]| {
        let word = words.get(at);
        word.is_some_and(|it| it.eq_ignore_ascii_case(text))
    };
    if is(0, b"auth") {
        hide(&mut shown, 1, usize::MAX);
    } else if is(0, b"acl") && is(1, b"setuser") {
        hide(&mut shown, 2, usize::MAX);
    } else if is(0, b"config") && is(1, b"set") {
        for at in (2..words.len()).step_by(2) {
            if SECRET.iter().any(|secret| is(at, secret)) {
                hide(&mut shown, at + 1, 1);
            }
        }
    } else if is(0, b"hello") || is(0, b"migrate") {
        // The name of a user and a password follow HELLO's AUTH, but only a password MIGRATE's.
        let count = if is(0, b"hello") { 2 } else { 1 };
        let first = if is(0, b"hello") { 2 } else { 6 };
        for at in first..words.len() {
            if is(at, b"auth") {
                hide(&mut shown, at + 1, count);
            } else if is(at, b"auth2") {
                hide(&mut shown, at + 1, 2);
            }
        }
    }
    shown
}

fn hide(words: &mut [&[u8]], from: usize, count: usize) {
    let hidden = words.iter_mut().skip(from).take(count);
    hidden.for_each(|word| *word = HIDDEN);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden() {
        for (line, shown) in [
            ("auth p", "auth (redacted)"),
            ("AUTH u p", "AUTH (redacted) (redacted)"),
            (
                "hello 3 auth u p setname n",
                "hello 3 auth (redacted) (redacted) setname n",
            ),
            (
                "acl setuser u on >p",
                "acl setuser (redacted) (redacted) (redacted)",
            ),
            ("acl getuser u", "acl getuser u"),
            (
                "config set hz 1 requirepass p maxmemory 1",
                "config set hz 1 requirepass (redacted) maxmemory 1",
            ),
            ("config get requirepass", "config get requirepass"),
            (
                "migrate h 1 k 0 1 copy auth p",
                "migrate h 1 k 0 1 copy auth (redacted)",
            ),
            (
                "migrate h 1 k 0 1 auth2 u p keys a",
                "migrate h 1 k 0 1 auth2 (redacted) (redacted) keys a",
            ),
            ("set auth p", "set auth p"),
            ("auth", "auth"),
        ] {
            let words: Vec<&[u8]> = line.split(' ').map(str::as_bytes).collect();
            let expected: Vec<&[u8]> = shown.split(' ').map(str::as_bytes).collect();
            assert_eq!(redacted(&words), expected, "{line}");
        }
    }
}
