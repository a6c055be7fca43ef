//! `cargo otp upgrade --to`: a node goes back to a build that its application's folder has kept.

use std::fs;
use std::path::Path;
use std::process::id;

use crate::nodes::cookie;
use crate::running::Running;
use crate::support::{Said, Scratch, cargo_otp, target};

const NAME: &str = "goes_back";

/// The first build. Replies begin with its number.
const TALLY: &str = r#"//! Counts.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// How many there were.
#[derive(Debug, Term)]
pub struct Tally {
    count: u64,
}

/// `next`
#[derive(Debug, Term)]
#[reply((u64, u64))]
pub struct Next;

#[gen_server]
impl GenServer for Tally {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Tally { count: 0 })
    }

    fn handle_call(&mut self, _: Next) -> HandleCall<(u64, u64)> {
        self.count += 1;
        reply((1, self.count))
    }
    // clauses
}
"#;

const CHILD: &str = "ChildSpec::of::<crate::tally::Tally>(()).registered(&Server::<crate::tally::Tally>::registered())";

/// The changes to the state's type for the second build.
const CHANGES: [(&str, &str); 4] = [
    ("    count: u64,", "    count: u64,\n    step: u64,"),
    ("Tally { count: 0 }", "Tally { count: 0, step: 1 }"),
    (
        "#[gen_server]",
        "/// The first state.\n#[derive(Debug, Term)]\npub struct First {\n    count: u64,\n}\n\n#[gen_server]",
    ),
    (
        "    // clauses",
        "
    fn code_change(_: Term, First { count }: First, _: Term) -> impl CodeChangeReturn<Self> {
        (ok, Tally { count, step: 1 })
    }
    // clauses",
    ),
];

/// The clause that goes back.
const BACK: (&str, &str) = (
    "    // clauses",
    "
    fn code_change(self, _: Downgrade<First>) -> First {
        First { count: self.count }
    }",
);

struct Folder {
    scratch: Scratch,
    node: String,
}

impl Folder {
    fn new() -> Self {
        let scratch = Scratch::with_application_named(NAME);
        scratch
            .cargo_otp(NAME, &["add", "tally", "gen_server"])
            .succeeded();
        scratch.write(&format!("{NAME}/src/tally.rs"), TALLY);
        cookie(&scratch, &format!("{NAME}/cookie"), "back_and_forth");
        let node = format!("back{}@127.0.0.1", id());
        let folder = Folder { scratch, node };
        folder.change("src/stroot.rs", ("vec![]", &format!("vec![{CHILD}]")));
        folder
    }

    fn change(&self, file: &str, (from, to): (&str, &str)) {
        let file = format!("{NAME}/{file}");
        let text = self.scratch.read(&file);
        assert_eq!(text.matches(from).count(), 1, "`{from}` in {text}");
        self.scratch.write(&file, &text.replace(from, to));
    }

    /// Makes the build with this number from the one before it.
    fn number(&self, number: u64) {
        let old = format!("reply(({}", number - 1);
        self.change("src/tally.rs", (&old, &format!("reply(({number}")));
    }

    fn says(&self, verb: &str, more: &[&str]) -> Said {
        let arguments = [&[verb, &self.node, "--cookie", "cookie"], more].concat();
        self.scratch.cargo_otp(NAME, &arguments)
    }

    fn upgrade(&self, more: &[&str]) -> Said {
        self.says("upgrade", more)
    }

    fn eval(&self, expression: &str) -> String {
        let said = self.says("shell", &["--eval", expression]);
        said.succeeded();
        said.out.trim().to_owned()
    }

    #[track_caller]
    fn counts(&self, expected: &str) {
        assert_eq!(self.eval("gen_server:call(tally, next)"), expected);
    }

    /// Returns the name of the build that a node would run if it was started from the folder.
    fn built(&self) -> String {
        let file = target().join("otp/debug").join(NAME).join(".built");
        let library = std::fs::read_to_string(file).expect("a build");
        let (_, content) = library.rsplit_once('-').expect("its content");
        content.chars().take(8).collect()
    }

    /// Damages the files of a kept build in every way, and then restores them. The node loads
    /// nothing of them.
    fn damage(&self, build: &str) {
        let kept = target().join("otp/debug").join(NAME).join("kept");
        let kept = kept.join(build).join(NAME);
        let library = fs::read_dir(kept.join("priv")).expect("a folder");
        let library = library.flatten().next().expect("a library").path();
        let [tally, nif] = ["tally", NAME].map(|it| kept.join(format!("ebin/{it}.beam")));
        let nif = nif.with_file_name(format!("{NAME}_nif.beam"));
        let resource = kept.join(format!("ebin/{NAME}.app"));
        let whole = |path: &Path| fs::read(path).expect("it is read");
        let atoms: Vec<String> = (0..2_000_000).map(|number| format!("a{number}")).collect();
        let damages = [
            (&tally, whole(&tally)[..100].to_vec()),
            (&tally, whole(&nif)),
            (&nif, b"FOR1".to_vec()),
            (&library, whole(&library)[..1000].to_vec()),
            (&resource, format!("{{application, {NAME}, x}}.\n").into()),
            (
                &resource,
                format!("{{application, {NAME}, [x | y]}}.\n").into(),
            ),
            (
                &resource,
                format!("{{application, {NAME}, [{}]}}.\n", atoms.join(",")).into(),
            ),
        ];
        for (file, damaged) in damages {
            let before = whole(file);
            // The file is a link to one that is still in use.
            fs::remove_file(file).expect("it is removed");
            fs::write(file, damaged).expect("it is written");
            for to in ["previous", build] {
                let words = ["error[E1067]", "the copy of the build", "is damaged"];
                self.upgrade(&["--to", to]).refused(&words);
            }
            fs::write(file, before).expect("it is written");
        }
        self.counts("{1,7}");
    }

    fn start(&self) -> Running {
        let run = ["run", "--name", &self.node, "--cookie", "cookie"];
        let mut running = Running::start(cargo_otp(&self.scratch.path(NAME), &run));
        running.line_with("started");
        running
    }

    /// Kills a command that goes back while it waits for a busy process.
    fn is_killed(&self) {
        self.eval(
            "Self = self(), spawn(fun() -> register(busy, self()), \
             erlang:suspend_process(whereis(tally)), Self ! busy, receive stop -> ok end end), \
             receive busy -> ok end",
        );
        let upgrade = ["upgrade", &self.node, "--cookie", "cookie"];
        let back = ["--to", "previous", "--timeout", "600"];
        let command = cargo_otp(
            &self.scratch.path(NAME),
            &[&upgrade[..], &back[..]].concat(),
        );
        let running = Running::start(command);
        let until = |condition: &str| {
            format!(
                "(fun Until() -> case {condition} of true -> ok; false -> timer:sleep(20), Until() end end)()"
            )
        };
        self.eval(&until("otp_rs_upgrade:progress() =/= none"));
        running.signal("-KILL");
        assert_eq!(running.end().code, None);
        self.eval(&until("whereis(otp_rs_upgrade) =:= undefined"));
        self.eval("busy ! stop");
    }
}

#[test]
fn a_node_goes_back_to_the_build_before_and_forth_again() {
    let folder = Folder::new();
    folder.change(
        "src/stroot.rs",
        (
            "        (ok, (",
            "        println!(\"started\");\n        (ok, (",
        ),
    );
    let running = folder.start();
    folder.counts("{1,1}");
    let first = folder.built();
    folder.upgrade(&["--to", "previous"]).refused(&[
        "error[E1067]: `goes_back` cannot go back to `previous`: the node has not been upgraded",
    ]);
    folder
        .upgrade(&["--to", "../elsewhere"])
        .refused(&["error[E1067]", &first]);

    // The second build cannot go back.
    for change in CHANGES {
        folder.change("src/tally.rs", change);
    }
    folder.number(2);
    folder.upgrade(&[]).succeeded();
    folder.counts("{2,2}");
    let refused = folder.upgrade(&["--to", "previous"]);
    let message = format!(
        "error[E1066]: `goes_back` cannot go back to the build {first} on the node `{}`",
        folder.node
    );
    refused.failed(&[&message]);
    let line = "tally: 1 process (tally): CANNOT GO BACK: the state is `#{count := non_neg_integer(), step := non_neg_integer()}`, \
                in the older build `#{count := non_neg_integer()}`";
    assert!(refused.out.contains(line), "{}", refused.out);
    folder.counts("{2,3}");

    // The third one can.
    folder.change("src/tally.rs", BACK);
    folder.number(3);
    folder.upgrade(&[]).succeeded();
    folder.counts("{3,4}");
    let third = folder.built();
    let dry = folder.upgrade(&["--to", &first, "--dry-run"]);
    dry.succeeded();
    let back = "tally: 1 process (tally): the state is converted back by `code_change` of the running build";
    assert!(dry.out.contains(back), "{}", dry.out);
    assert!(
        dry.out
            .starts_with(&format!("build: {third} becomes {first}\n")),
        "{}",
        dry.out
    );
    folder.counts("{3,5}");
    folder.upgrade(&["--to", &first]).succeeded();
    folder.counts("{1,6}");
    assert_eq!(folder.built(), first);

    folder.damage(&third);

    // The build before is the third one now.
    folder.upgrade(&["--to", "previous"]).succeeded();
    folder.counts("{3,8}");
    assert_eq!(folder.built(), third);
    folder.is_killed();
    folder.counts("{3,9}");
    folder.upgrade(&["--to", "previous"]).succeeded();
    folder.counts("{1,10}");

    running.signal("-INT");
    running.end().succeeded();
}
