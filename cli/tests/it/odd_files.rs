//! Files that are not regular, files that cannot be read or written, and `ERL_LIBS`.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use crate::support::{Said, Scratch, otp_rs, said};

fn run(scratch: &Scratch, arguments: &[&str]) -> Said {
    let mut command = otp_rs(arguments);
    command.current_dir(scratch.path(""));
    said(command)
}

/// A pipe without a writer. A program that opens it carelessly waits for ever.
fn pipe(scratch: &Scratch, name: &str) {
    let made = Command::new("mkfifo").arg(scratch.path(name)).status();
    assert!(made.expect("mkfifo runs").success());
}

#[test]
fn pipes_devices_and_files_of_the_kernel_are_refused() {
    let scratch = Scratch::new();
    pipe(&scratch, "pipe.erl");
    for path in ["pipe.erl", "/dev/zero", "/proc/kmsg", "/proc/self/environ"] {
        run(&scratch, &["forms", path]).refused(&["E0810", "not a regular file"]);
    }
    run(&scratch, &["types", "./pipe.erl"]).refused(&["E0816"]);
    run(&scratch, &["schema", "./pipe.erl"]).refused(&["E0816"]);
    run(&scratch, &["gen-types", "pipe", "--src", "."]).refused(&["E0810", "not a regular file"]);
    let arguments = ["gen-types", "gen_event", "--config", "pipe.erl"];
    run(&scratch, &arguments).refused(&["E0810", "not a regular file"]);
}

#[test]
fn standard_input_is_read() {
    let scratch = Scratch::new();
    scratch.write("m.erl", "-module(m).\n-type t() :: ok.\n");
    let mut command = otp_rs(&["forms", "--format", "erlang", "/dev/stdin"]);
    command.stdin(File::open(scratch.path("m.erl")).expect("a file"));
    let said = said(command);
    said.succeeded();
    assert!(said.out.contains("-type t() :: ok."), "{}", said.out);
}

#[test]
fn a_header_that_cannot_be_read_is_not_missing() {
    let scratch = Scratch::new();
    pipe(&scratch, "pipe.hrl");
    fs::create_dir(scratch.path("folder.hrl")).expect("a folder");
    scratch.write(
        "m.erl",
        "-module(m).\n-include(\"pipe.hrl\").\n-include(\"folder.hrl\").\n-include(\"none.hrl\").\n",
    );
    run(&scratch, &["forms", "m.erl"]).failed(&[
        "m.erl:2:10: error[E0219]: cannot read include file `pipe.hrl`: not a regular file",
        "m.erl:3:10: error[E0219]: cannot read include file `folder.hrl`: is a directory",
        "m.erl:4:10: error[E0210]: cannot find include file `none.hrl`",
    ]);
}

#[test]
fn a_full_disk_is_said_by_every_command_that_prints() {
    let scratch = Scratch::new();
    scratch.write("m.erl", "-module(m).\n-type t() :: ok.\n");
    let commands: &[&[&str]] = &[
        &["forms", "m.erl"],
        &["types", "./m.erl"],
        &["schema", "./m.erl"],
        &["gen-types", "gen_event"],
        &["explain"],
        &["explain", "E0813"],
        &["--help"],
        &["--version"],
    ];
    for arguments in commands {
        let mut command = otp_rs(arguments);
        let full = File::options().write(true).open("/dev/full");
        command
            .current_dir(scratch.path(""))
            .stdout(Stdio::from(full.expect("/dev/full")));
        said(command).failed(&["E0813", "No space left on device"]);
    }
}

#[test]
fn erl_libs_has_modules_and_headers() {
    let scratch = Scratch::new();
    scratch.write(
        "libs/shop-1.2/include/shop.hrl",
        "-type item() :: binary().\n",
    );
    scratch.write(
        "libs/shop-1.1/include/shop.hrl",
        "-type old() :: binary().\n",
    );
    scratch.write("more/shop/include/shop.hrl", "-type later() :: binary().\n");
    scratch.write(
        "libs/shop-1.2/src/shop.erl",
        "-module(shop).\n-export_type([price/0]).\n-type price() :: 0..99.\n",
    );
    scratch.write(
        "m.erl",
        "-module(m).\n-include_lib(\"shop/include/shop.hrl\").\n-type t() :: {item(), shop:price()}.\n",
    );
    let with_libs = |arguments: &[&str]| {
        let mut command = otp_rs(arguments);
        command
            .current_dir(scratch.path(""))
            .env("ERL_LIBS", "libs:more");
        said(command)
    };
    with_libs(&["forms", "m.erl"]).succeeded();
    let said = with_libs(&["schema", "./m.erl:t"]);
    said.succeeded();
    assert!(said.out.contains("shop:price()"), "{}", said.out);
    with_libs(&["types", "shop:price"]).succeeded();
    run(&scratch, &["types", "shop:price"]).refused(&["`shop`"]);
    run(&scratch, &["forms", "m.erl"]).failed(&["E0211"]);
}
