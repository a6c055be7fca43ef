//! Every message that cli itself can give: code, label and hint, in one table.
//!
//! Labels are lower case without a full stop; each `{}` is filled with the name at fault. E08xx are
//! about the command line, files, the installation and modules that are read, E09xx about otp.toml,
//! the application and its Erlang dependencies, E10xx about building, running and releasing it, and
//! about running nodes.

use std::io;
use std::path::Path;

use super::error::Fault::{Nobody, Ours, User};
use super::error::{Error, Message};

impl Error {
    /// Creates the error of a file operation that the system refused. `action` is a verb: `read`,
    /// `write`, `create`.
    pub(crate) fn io(action: &str, path: &Path, error: &io::Error) -> Self {
        use io::ErrorKind as Kind;
        let fault = match error.kind() {
            Kind::PermissionDenied
            | Kind::NotFound
            | Kind::AlreadyExists
            | Kind::StorageFull
            | Kind::QuotaExceeded
            | Kind::ReadOnlyFilesystem
            | Kind::NotADirectory
            | Kind::IsADirectory
            | Kind::InvalidData
            | Kind::InvalidInput
            | Kind::FileTooLarge
            | Kind::InvalidFilename => User,
            _ => Ours,
        };
        // `tempfile` adds the name of its file, which says nothing to the user.
        let text = error.to_string();
        let why = text.split(" at path ").next().unwrap_or_default();
        IO.with(&[&action, &why]).at(path.display()).blamed(fault)
    }
}

otp_contract::messages! {
    pub(crate) Message { fault }, "../../errors/";

    // The command line
    E0801 COMMAND_LINE: User "cannot parse the command line", "";
    E0802 ARITY: User "`{}` is not an arity: an arity is a number",
        "write MODULE, MODULE:NAME or MODULE:NAME/ARITY";
    E0803 MACRO_NAME: User "`{}` cannot name a macro", "write -D NAME, or -D NAME=TERM";
    E0804 RUST_PATH: User "`{}` is not a path of a Rust module",
        "give one with --path, such as --path crate::otp";
    E0805 ARGUMENT_TEXT: User "an argument after `--` is not UTF-8 text",
        "pass such data by a file, or encode it";
    E0806 UNKNOWN_CODE: User "no diagnostic has the code `{}`",
        "`otp-rs explain` lists all codes";
    E0807 VARIABLE: User "`{}` is not a variable of the environment: {}",
        "write --env KEY=VALUE, such as --env port=8080";
    E0808 NODE_NAME: User "`{}` cannot name a node",
        "a name is NAME or NAME@HOST, of letters, digits, `_` and `-`";
    E0809 COOKIE: User "this cannot be the cookie: {}", "";

    // Files
    E0810 IO: User "cannot {} this file or folder: {}", "";
    E0811 WRITE_PROTECTED: User "this file is write-protected", "make it writable, or move it";
    E0812 CHANGED_MEANWHILE: User "this file changed while the command was running",
        "run the command again";
    E0813 STANDARD_OUTPUT: User "cannot write to standard output: {}",
        "check that there is space where it goes";
    E0814 CURRENT_FOLDER: User "the current folder cannot be read: {}",
        "change into a folder that exists and that you may read";
    E0815 NOT_GENERATED: User "this file was not written by otp-rs, so it stays",
        "choose another folder for --out, or move the file";
    E0816 NOT_A_FILE: User "this is not a file", "name an .erl, .beam or .chunk file";
    E0817 NOT_A_CONFIG: User "this is not a configuration file: {}",
        "such a file holds one list: [{my_application, [{port, 8080}]}].";

    // The installation
    E0820 NO_ERL: User "there is no `erl` on PATH", "";
    E0821 NO_ERLC: User "there is no `erlc` on PATH, though there is an `erl`", "";
    E0822 NO_ROOT: User "`erl` did not report where OTP is installed",
        "check that `erl -noinput -eval 'io:put_chars(code:root_dir()), halt().'` works";
    E0823 TOO_OLD: User "this Erlang is OTP {}; otp-rs needs OTP {} or newer", "";
    E0824 NOT_A_VERSION: User "`{}` is not a version of OTP", "";
    E0825 NO_RELEASE: User "this folder holds no release of OTP", "";
    E0826 NO_OTP: User "there is no OTP in this folder: it has no `lib/stdlib`",
        "name the folder that `code:root_dir()` gives there, such as /usr/lib/erlang";
    E0827 UNKNOWN_RELEASE: User "cannot find out which release this OTP is",
        "write its version, such as 27.0, into the file `OTP_VERSION` of this folder";
    E0828 NO_ELIXIR: User "there is no module `{}`, nor an `elixir` on PATH that might have it",
        "install Elixir, for example `apt-get install elixir` on Debian, or name the module's ebin folder by --pa";

    // Modules that are read
    E0830 UNKNOWN_MODULE: User "there is no module `{}` in {}",
        "a module of your own is given by its path, such as src/my_module.erl; --pa and --src name folders to look in";
    E0831 NO_FILES: User "there is no .{} file in this folder",
        "--pa names an ebin folder, --src a folder of Erlang sources";
    E0832 NO_DEBUG_INFO: User
        "`{}` was compiled without debug_info, so its types are missing", "";
    E0833 NO_CHUNK: User "no documentation chunk of `{}` is installed", "";
    E0834 CHUNK_WITHOUT_FORMS: User "the documentation of `{}` has words but no forms",
        "";
    E0835 UNREADABLE_MODULE: User "`{}` cannot be read",
        "`otp-rs types MODULE` says what is wrong with it";
    E0836 NOTHING_TO_GENERATE: User "`{}` has {}, so there is nothing to generate", "";
    E0837 NO_TYPES: User "`{}` has no -type, -record, -callback or -spec", "";
    E0838 UNKNOWN_TYPE: User "`{}` has no {} `{}`", "";
    E0839 SEVERAL_ARITIES: User "`{}:{}` has several arities", "";
    E0840 WRONG_TYPES: User "{} wrong; the errors above say why",
        "where a type is missing, a dynamic term stands; the rest is as it should be";
    E0841 ERRORS_IN_FILES: User "{}", "";
    E0842 MORE_ERRORS: User "{} more errors and warnings", "correct those above first";
    E0843 STALE: User "{} of the files in this folder are stale", "";
    E0844 NOT_A_NAME: User "`{}` does not name a module or a part of one",
        "write MODULE, MODULE:NAME or MODULE:NAME/ARITY; quote other names as in Erlang: 'Elixir.Date':t";
    E0845 NOT_A_TYPE: User "`{}` is not a type: {}", "";
    E0846 NOT_A_TERM: User "this is not {}: {}", "";
    E0847 NOT_OF_TYPE: User "the term is not of type `{}`: {}", "";
    E0899 INTERNAL: Ours "otp-rs failed: {}", "";

    // otp.toml
    E0901 NOT_TOML: User "this is not TOML: {}", "";
    E0902 UNKNOWN_KEY: User "unknown key `{}`", "";
    E0903 MISSING_TABLE: User "`[{}]` is missing",
        "add the table [system] with the line stroot = \"stroot\", naming the root supervisor";
    E0904 MISSING_KEY: User "`{}` is missing", "";
    E0905 WRONG_VALUE: User "`{}` must be {}", "";
    E0906 NOT_A_TYPE_NAME: User "`{}` does not name a {}", "";
    E0907 LISTED_MODULES: User "`[behaviours]` is not in otp.toml any more",
        "remove the section: `cargo otp build` finds the modules in the code";

    // The application
    E0910 NO_APPLICATION: User
        "this is not inside an application: no `otp.toml` here or in a folder above",
        "make one with `cargo otp new NAME`, then `cd NAME`";
    E0911 NO_CARGO_TOML: User "there is an otp.toml here, but no Cargo.toml beside it",
        "an application is one crate; make a new one with `cargo otp new NAME`";
    E0912 NO_PACKAGE: User "this Cargo.toml describes no package",
        "otp.toml belongs beside the Cargo.toml of a package, not of a workspace";
    E0913 NOT_A_CDYLIB: User "the application's library is not a `cdylib`, so no VM can load it",
        "write under [lib]: crate-type = [\"cdylib\", \"rlib\"]";
    E0914 LIBRARY_NAME: User "the library's name differs from the package's",
        "remove `name` under [lib]; the VM knows the application by its package's name";
    E0915 BAD_NAME: User "`{}` cannot name {}",
        "choose another name: a lower-case letter, then lower-case letters, digits and `_`";
    E0916 NAME_TAKEN: User "the name `{}` is taken: {}", "";
    E0917 UNKNOWN_BEHAVIOUR: User "there is no template for a behaviour `{}`", "";
    E0918 TWO_APPLICATIONS: User "{} modules are of the behaviour `application`, and only one may be",
        "remove the others; what they start is a child of the root supervisor";
    E0919 NO_COMMAND_LINE: User "`{}` does not take the command line, which the root supervisor gets", "";
    E0920 DISAGREEMENT: User "otp.toml and the code disagree", "";
    E0921 ENVIRONMENT: User "`[env]` does not fit the code",
        "each key is a field of a struct with `#[derive(Env)]`";

    E0922 NOT_A_MANIFEST: User "`--manifest-path` does not lead to a Cargo.toml",
        "write the path of the file, such as --manifest-path shop/Cargo.toml";
    E0930 VERSION: User "`{}` is not a version", "a version is three numbers, such as 0.1.0";

    // Checking
    E0940 CHILD_CANNOT_START: User "the child `{}` of `{}` cannot start: {}", "";
    E0941 CHILDREN_REFUSED: User "`{}` cannot start: {}",
        "correct the child specs that its `init` returns: docs/supervisor.md";
    E0942 CHILDREN_UNKNOWN: User "the children of `{}` are not known: {}", "";
    E0943 NOTHING_STARTS: User "nothing starts `{}`, a {}",
        "make it a child of a supervisor, ChildSpec::of::<…>(…), start it by cx.start_link, or remove it";
    E0944 NAME_OF_ANOTHER: User "`{}` is the name of a `{}`, and is used as that of a `{}`",
        "use the static by which the process is registered: ChildSpec::of::<…>(…).registered(&NAME)";
    E0945 START_WAITS: User "`{}` of `{}` waits for `{}`, {}", "";
    E0946 TERMINATE_UNHEARD: User "`terminate` of `{}` is not called when its supervisor stops it",
        "call cx.trap_exit(true) in `init`, and write a clause of `handle_info` for `ExitSignal`; or remove `terminate`";
    E0947 DEADLOCK: User "`{}` of `{}` waits for `{}`, {}",
        "answer later with the caller that the clause takes, call in a task, or send a message instead";
    E0948 SENT_TOO_EARLY: User "`{}` of `{}` sends to `{}`, which is started later",
        "let the supervisor start it first; or send it in `handle_start`, when the supervisor has answered `cx.which_children`";
    E0949 NAME_OF_ANOTHER_VM: User "`{}` is isolated, and uses the name `{}` of a `{}` in this VM",
        "give it the pid of the process, as an argument or in a message";

    // Erlang dependencies
    E0950 NOT_IN_FOLDER: User "the Erlang application `{}` is not in {}",
        "the path in otp.toml leads to the folder that has `src` or `ebin`, from the folder of otp.toml";
    E0951 NOT_INSTALLED: User "the Erlang application `{}` is not installed",
        "install it, let ERL_LIBS lead to it, or give its `path`";
    E0952 NEEDS_MISSING: User "`{}` needs the Erlang application `{}`, which is not there",
        "name it in [erlang.dependencies], too";
    E0953 DEPENDENCY_CYCLE: User "the Erlang applications need each other: {}",
        "remove one of them from `applications` in a resource file";
    E0954 NO_REBAR3: User "there is no `rebar3` on PATH, which is needed for packages and for applications with a rebar.config",
        "install it, for example `apt-get install rebar3` on Debian, or see https://rebar3.org";
    E0955 REBAR3: User "rebar3 cannot fetch or compile the Erlang dependencies", "";
    E0956 DEPENDENCY_DOES_NOT_COMPILE: User "the Erlang dependency `{}` does not compile", "";
    E0957 GENERATED_BY_OTHERS: User
        "`cargo otp build` writes the Rust of Erlang dependencies into this folder, but the folder is not its own",
        "write it elsewhere: `otp-rs gen-types MODULE --out src/otp`, or move the file";
    E0958 RESOURCE_FILE: User "this is not a resource file of an application: {}",
        "a resource file is one term: {application, Name, [{vsn, \"1.0.0\"}, …]}.";
    E0959 NEEDS_NEWER_OTP: User
        "the Erlang application `{}` was built for OTP {} or newer, and this is OTP {}",
        "build it again with this OTP, or install the newer one";

    // Checking what the sources use
    E0960 NAME_OF_NOTHING: User "no process has the name `{}`", "";
    E0961 NO_SUCH_FUNCTION: User "this function cannot be called: {}",
        "correct the names, or the number of arguments: `(one,)` is one argument";
    E0962 APPLICATION_NOT_LISTED: User "`{}` belongs to the application `{}`, which is not started", "";
    E0963 POOL_WITHOUT_WORKERS: User "the pool `{}` has no workers, so its tasks fail with `no_worker`",
        "call `POOL.join(number, cx)` in `init` of a worker, keep the value in its state, and start one for each core";
    E0964 WORKERS_RESTARTED: User "`{}` has the strategy `rest_for_one`: if one `{}` ends, those behind it are restarted",
        "put the workers below a supervisor of their own: SupFlags::one_for_one()";
    E0965 NO_SUCH_PACKET: User "the option `packet` of a socket cannot be {}",
        "write the number of bytes of the header, 1, 2 or 4; or 0, or an atom such as `line`";

    // Building
    E1001 NO_CARGO: User "cannot run `cargo`: {}",
        "install Rust from https://rustup.rs, or correct PATH or the variable CARGO";
    E1002 CARGO_METADATA: User
        "cargo cannot read the application's Cargo.toml; see its message above",
        "`cargo metadata` shows whether cargo reads it";
    E1003 LIBRARY_DOES_NOT_COMPILE: User
        "the application's library does not compile; see cargo's messages above", "";
    E1004 NO_LIBRARY: Ours "cargo built the library, but did not say where it is", "";
    E1005 SOURCES_DO_NOT_COMPILE: User "the application's Erlang modules do not compile", "";
    E1006 GENERATED_DOES_NOT_COMPILE: Ours "the generated Erlang does not compile", "";
    E1007 NO_NIF_ENTRY: User "the library has no entry for the Erlang VM",
        "write this line into src/lib.rs: otp_bridge::application!();";
    E1008 NOT_LOADED: Ours "the Erlang VM cannot load the library", "";
    E1009 CRASH_ON_LOAD: Ours "loading the library ended the Erlang VM with signal {}", "";
    E1010 NOT_ERLANG: User "an Erlang type in the callbacks of `{}` is not valid Erlang",
        "derived types are valid; look at what a hand-written `ErlangType` returns";
    E1011 MANIFEST: Ours "cannot read the library's description of itself: {}",
        "use the same version of `otp-bridge` in Cargo.toml as of `cargo otp`";
    E1012 TESTS_FAILED: User "tests have failed, or do not compile", "see cargo's output above";
    E1013 PATH_OF_TESTS: User "cannot run tests in a folder whose path contains a line break",
        "move the application, or let CARGO_TARGET_DIR name another folder";

    E1014 UNKNOWN_PROFILE: User "there is no profile `{}`",
        "profiles are `dev`, `release`, and those of `[profile.NAME]` in the Cargo.toml of the workspace";
    E1019 NO_PROTOCOL: User "there is no gen_server, gen_statem or gen_event `{}` in the application",
        "`cargo otp schema` without a name describes all";

    // Running
    E1020 FAILED: User "`{}` failed; see the reason above",
        "fix the problem that the reason or the first report names";
    E1021 KILLED_BY_USER: User "`{}` was stopped at once, not in order",
        "press Ctrl-C once and wait; the child specs say how long a process may take";
    E1022 STATUS: User "`{}` ended the VM with status {}",
        "something called `erlang:halt/1`; `init:stop/0` stops the application in order";
    E1023 KILLED: User "the Erlang VM was killed from outside, by signal {}",
        "the system sends signal 9 to a process that uses too much memory";
    E1024 VM_CRASH: Ours "the Erlang VM died of signal {}", "";

    // Releasing
    E1030 NO_SUCH_APPLICATION: User
        "the Erlang application `{}` is needed, and is not installed",
        "install it, or correct its name";
    E1031 NO_RELEASE_MADE: User "`systools` of OTP cannot make the release",
        "correct what it names: [application] of otp.toml or of an application that is needed, or the file of [release] config";
    E1032 NO_SHARED_LIBRARY: User "the shared library `{}` is not on this machine",
        "install it: the file above is linked with it";
    E1033 NO_LDD: User "cannot run `ldd`, which says what a program is linked with: {}",
        "install it: it comes with the C library, on Debian in the package libc-bin";
    E1034 NOT_UPGRADABLE: User "a node of this release cannot be upgraded: {}",
        "correct it, or leave out --upgrade-from and restart the node with the new release";
    E1035 RELEASE_RUNS: User "a node runs from the release {}, as process {}", "";
    E1036 WRONG_MODULE: User "this file is not the module `{}`: {}",
        "compile the application again, or correct `modules` of its resource file";

    // Packaging
    E1037 NOT_A_TARGET: User "`{}` is not a target",
        "write a target of Rust, such as x86_64-unknown-linux-gnu, or x86_64-unknown-linux-gnu.2.17 for an older glibc";
    E1038 NO_CROSS_LINKER: User "this machine cannot link for `{}`",
        "install `cargo-zigbuild` and Zig: pip install cargo-zigbuild ziglang";
    E1039 TOO_NEW_GLIBC: User "the library needs glibc {}, and `{}` promises an older one",
        "promise the newer version, or compile the C code in the library for the older one";

    // Running nodes
    E1040 UNREACHABLE: User "cannot reach the node `{}`: {}",
        "`epmd -names` lists the nodes of this machine; --cookie names the file of `cargo otp run --cookie`";
    E1041 NOT_RUNNING: User "no application `{}` with a supervisor runs on the node `{}`",
        "`cargo otp tree --live NODE` shows all that do";
    E1042 RAISED: User "the expression raises an exception on the node `{}`", "";
    E1043 NOT_AN_EXPRESSION: User "this is not an expression of Erlang: {}",
        "quote it for the shell, such as --eval 'nodes()'";
    E1044 NO_TERMINAL: User "a shell needs a terminal: {}", "--eval evaluates an expression without one";
    E1045 SHELL_ENDED: User "the VM of the shell ended with {}", "";
    E1046 NOT_DECLARED: User "`{}:init/1` fails: {}",
        "if it needs the arguments of `cargo otp run`, write them after `--`";

    // The machine
    E1050 UNFIT: User "this machine lacks {}", "`cargo otp doctor` says above what to do";

    // Upgrading nodes
    E1060 NOT_UPGRADED: User "`{}` was not upgraded on the node `{}`: {}", "";
    E1061 CANNOT_CHANGE_OVER: User "`{}` cannot change over on the node `{}`: nothing was changed",
        "the lines above say what is in the way: docs/upgrades.md";
    E1062 LEFT_BEHIND: Nobody "{} on the node `{}` could not change over",
        "upgrade again when they are done, or with a longer --timeout";
    E1063 OLD_CODE_RUNS: User "`{}` keeps running the old code: {}",
        "correct it and save, or stop `cargo otp run --watch` and start it again";
    E1064 BUSY: Nobody "{} on the node `{}` {} busy: nothing was changed",
        "upgrade again when they are done, with a longer --timeout, or with --allow-busy, which lets them keep the old code until they are done";
    E1065 CHILD_NOT_STARTED: User "the processes on the node `{}` have changed over, but {} of their supervisors {} not started",
        "the lines above say why: remove the cause, then start the child with `supervisor:restart_child`";
    E1066 CANNOT_GO_BACK: User "`{}` cannot go back to the build {} on the node `{}`: nothing was changed",
        "upgrade to a build whose `code_change` goes back: `fn code_change(self, _: Downgrade<Older>) -> Older` (docs/upgrades.md)";
    E1067 NO_EARLIER_BUILD: User "`{}` cannot go back to `{}`: {}",
        "build its sources again: `cargo otp upgrade NODE` in their folder goes back as well";

    // Observing nodes
    E1070 OBSERVED: User "the node `{}` is observed {}", "end another `cargo otp observe` first: Ctrl-C";
    E1071 NO_PAGE: User "the node `{}` cannot serve a page at port {}: {}", "choose another port, or leave out --port";
    E1072 OBSERVER_ENDED: User "the observer on the node `{}` has ended: {}", "start `cargo otp observe` again";
    E1073 NO_BROWSER: User "no browser can be opened: {}", "leave out --open, and open the address yourself";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_each_page_begins_with_its_own() {
        assert!(ALL.is_sorted_by(|one, next| one.code < next.code));
        for message in ALL {
            let title = format!("# {}: {}\n", message.code, message.label);
            assert!(message.page.starts_with(&title), "{title}");
        }
    }

    #[test]
    fn labels_are_lower_case_without_a_full_stop() {
        for message in ALL {
            let first = message.label.chars().next().unwrap_or('A');
            let is_name = message.label.starts_with("this Erlang");
            assert!(first.is_lowercase() || "`{".contains(first) || is_name);
            assert!(!message.label.ends_with('.'), "{}", message.label);
        }
    }
}
