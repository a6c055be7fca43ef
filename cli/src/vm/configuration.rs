//! Configuration files that a VM reads when it starts: the user's `sys.config`, and variables of
//! the command line.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use otp_codegen::erlang::variables;

use super::erl;
use crate::files::Scratch;
use crate::installation::Installation;
use crate::platform;
use crate::project::config::Variable;
use crate::report::{Error, Result, catalog};

/// A file that overrides other configuration files. It exists as long as this value.
pub(crate) struct Overriding {
    folder: Scratch,
}

impl Overriding {
    /// Writes the variables of the application. If a key is repeated, the last one counts.
    pub(crate) fn write(application: &str, given: &[Variable]) -> Result<Self> {
        let folder = Scratch::new()?;
        let overriding = Overriding { folder };
        // The VM accepts each key only once.
        let last: BTreeMap<_, _> = given
            .iter()
            .map(|it| (it.key.clone(), it.value.clone()))
            .collect();
        let pairs: Vec<_> = last.into_iter().collect();
        let text = format!("[{{{application}, [{}]}}].\n", variables(&pairs));
        let path = overriding.path();
        // A variable can be a password.
        platform::write_secret(&path, &text).map_err(|error| Error::io("write", &path, &error))?;
        Ok(overriding)
    }

    /// The file.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("given.config")
    }
}

/// Refuses a file with which a VM would not start, because the VM's own report has many lines.
pub(crate) fn check(otp: &Installation, file: &Path) -> Result<()> {
    let refused = |why: &str| catalog::NOT_A_CONFIG.with(&[&why]).at(file.display());
    if file
        .extension()
        .is_none_or(|extension| extension != "config")
    {
        return Err(refused("its name must end in `.config`"));
    }
    fs::metadata(file).map_err(|error| Error::io("read", file, &error))?;
    let said = erl(otp)
        .args([
            "-boot",
            "no_dot_erlang",
            "+fnu",
            "-eval",
            QUESTION,
            "-extra",
        ])
        .arg(file)
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        .output()
        .map_err(|error| Error::io("run", &otp.erl, &error))?;
    if said.status.success() {
        Ok(())
    } else {
        Err(refused(&why(&String::from_utf8_lossy(&said.stderr))))
    }
}

/// What `file:format_error/1` says. It names the token that is wrong; at the end of a file there is
/// none.
pub(crate) fn why(said: &str) -> String {
    let said = said.trim();
    match said.strip_suffix("before:") {
        Some(said) => format!("{said}at the end, where a full stop may be missing"),
        None => said.to_owned(),
    }
}

const QUESTION: &str = "\
    [File] = init:get_plain_arguments(), \
    Said = case file:consult(File) of \
        {ok, [[_ | _] = Entries]} -> \
            case [E || E <- Entries, not is_list(E), not (is_tuple(E) andalso tuple_size(E) =:= 2)] of \
                [] -> \
                    Twice = [App || {App, [_ | _] = Env} <- Entries, \
                        length(lists:usort([K || {K, _} <- Env])) =/= length(Env)], \
                    case Twice of \
                        [] -> ok; \
                        [App | _] -> io_lib:format(\"~tp has a key twice\", [App]) \
                    end; \
                [Wrong | _] -> io_lib:format(\"~tp is not {Application, [{Key, Value}]}\", [Wrong]) \
            end; \
        {ok, [[]]} -> ok; \
        {ok, _} -> \"it must be one list, [{Application, [{Key, Value}]}], with a full stop\"; \
        {error, Reason} -> file:format_error(Reason) \
    end, \
    case Said of ok -> halt(0); _ -> io:format(standard_error, \"~ts~n\", [Said]), halt(1) end.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_file_is_named() {
        let expected = "1: syntax error at the end, where a full stop may be missing";
        assert_eq!(why("1: syntax error before: \n"), expected);
        assert_eq!(
            why("1: syntax error before: '}'\n"),
            "1: syntax error before: '}'"
        );
    }
}
