//! Mistakes in otp.toml's `[types]` and `[functions]`

use crate::gen_types_config::{gen_types, with_door};

/// Every mistake is reported with its line, all of them at once, and no file is written.
#[test]
fn mistakes_are_shown_at_their_lines_and_nothing_is_written() {
    let scratch = with_door();
    scratch.write(
        "otp.toml",
        "[types.\"door:keys\"]\nskip = true\n[types.\"dor:key\"]\nskip = true\n",
    );
    let before = scratch.everything();
    gen_types(&scratch, &["door.erl", "--out", "src/otp"]).refused(&[
        "`door` has no type `keys` in this run",
        "otp.toml:1:8",
        "did you mean `key`",
        "the module `dor` is not generated in this run",
        "otp.toml:3:8",
        "did you mean `door`",
    ]);
    assert_eq!(scratch.everything(), before);
}

#[track_caller]
fn refused(choices: &str, texts: &[&str]) {
    let scratch = with_door();
    scratch.write("otp.toml", choices);
    let said = gen_types(&scratch, &["door.erl", "--functions", "--out", "src/otp"]);
    said.refused(texts);
    assert!(!scratch.path("src").exists());
}

#[test]
fn what_matches_nothing() {
    refused(
        "[functions.\"door:opens/1\"]\nskip = true\n",
        &[
            "no function `door:opens/1` is bound",
            "otp.toml:1:12",
            "did you mean `open`",
        ],
    );
    refused(
        "[types.\"door:key/3\"]\nskip = true\n",
        &["there is no `door:key/3`", "there is `door:key/0`"],
    );
    refused(
        "[types.\"door:pair\"]\nrename = \"P\"\n",
        &[
            "`door:pair` has several arities",
            "`door:pair/1` and `door:pair/2`",
        ],
    );
    refused(
        "[types.\"door:#locks\"]\nrename = \"L\"\n",
        &["`door` has no type `#locks`", "did you mean `#lock`"],
    );
    refused(
        "[types.\"door:SmalOrLarge\"]\nrename = \"L\"\n",
        &[
            "`door` has no type `SmalOrLarge`",
            "did you mean `SmallOrLarge`",
        ],
    );
    refused(
        "[types.\"door:key\"]\nvariants = { Kee = \"K\" }\n",
        &[
            "it has no variant `Kee`",
            "otp.toml:2:14",
            "did you mean `Key`",
        ],
    );
    refused(
        "[types.\"door:spec\"]\nfields.sise = \"k\"\n",
        &[
            "it has no field `sise`",
            "otp.toml:2:8",
            "did you mean `size`",
        ],
    );
    refused(
        "[types]\nderives = [\"Eq\"]\n[types.\"door:handle\"]\nno_derives = [\"Hash\"]\n",
        &[
            "`Hash` is not among the derives of all types",
            "otp.toml:4:15",
        ],
    );
    refused(
        "[types.\"door:key\"]\n",
        &["changes nothing", "otp.toml:1:8"],
    );
    refused(
        "[functions.\"door:open\"]\n",
        &["changes nothing", "otp.toml:1:12"],
    );
    let scratch = with_door();
    scratch.write("otp.toml", "[functions.\"door:open/1\"]\nskip = true\n");
    gen_types(&scratch, &["door.erl"]).refused(&["no function `door:open/1`", "--functions"]);
}

#[test]
fn names_that_are_not_rust() {
    refused(
        "[types.\"door:key\"]\nrename = \"a key\"\n",
        &["`a key` is not the name of a Rust type", "otp.toml:2:10"],
    );
    refused(
        "[types.\"door:key\"]\nvariants = { Key = \"Self\" }\n",
        &[
            "`Self` is not the name of a Rust type or variant",
            "otp.toml:2:20",
        ],
    );
    refused(
        "[types.\"door:spec\"]\nfields = { size = \"type\" }\n",
        &["`type` is not the name of a Rust field", "otp.toml:2:19"],
    );
    refused(
        "[functions.\"door:open\"]\nrename = \"fn\"\n",
        &[
            "`fn` is not the name of a Rust field or function",
            "otp.toml:2:10",
        ],
    );
    refused(
        "[types]\nderives = [\"Eq\", \"E q\"]\n",
        &["`E q` is not the path of a derive", "otp.toml:2:18"],
    );
    refused(
        "[types.\"door:address\"]\nrust = \"crate::\"\n",
        &["`crate::` is not the path of a Rust type", "otp.toml:2:8"],
    );
    refused(
        "[types.\"door:address\"]\nrust = \"Vec<Address>\"\n",
        &["`Vec` in `Vec<Address>` means something else", "whole path"],
    );
}

#[test]
fn names_that_are_taken() {
    refused(
        "[types.\"door:key\"]\nrename = \"Spec\"\n",
        &["something else in `door` is called `Spec`", "otp.toml:2:10"],
    );
    refused(
        "[types.\"door:key\"]\nrename = \"InitReturn\"\n",
        &["something else in `door` is called `InitReturn`"],
    );
    refused(
        "[types.\"door:key\"]\nvariants = { Key = \"Master\" }\n",
        &[
            "another variant is called `Master`",
            "otp.toml:2:20",
            "or rename the other one too",
        ],
    );
    refused(
        "[types.\"door:spec\"]\nfields = { at = \"size\" }\n",
        &["another field is called `size`"],
    );
    refused(
        "[types.\"door:spec\"]\nfields = { at = \"new\" }\n",
        &[
            "`new` is the function that makes such a map",
            "otp.toml:2:17",
        ],
    );
    refused(
        "[functions.\"door:open\"]\nrename = \"close\"\n",
        &[
            "another function of `door` is called `close`",
            "otp.toml:2:10",
        ],
    );
    refused(
        "[types.\"door:key\"]\nrename = \"K\"\n[types.\"door:key/0\"]\nskip = true\n",
        &[
            "an earlier override also names `door:key/0`",
            "otp.toml:3:8",
        ],
    );
    // Two names may be exchanged.
    let scratch = with_door();
    let swapped =
        "[types.\"door:key\"]\nrename = \"Handle\"\n[types.\"door:handle\"]\nrename = \"Key\"\n";
    scratch.write("otp.toml", swapped);
    let said = gen_types(&scratch, &["door.erl"]);
    said.succeeded();
    assert!(said.out.contains("pub enum Handle {"), "{}", said.out);
    assert!(said.out.contains("pub struct Key("), "{}", said.out);
}

#[test]
fn keys_that_do_not_go_together() {
    refused(
        "[types.\"door:key\"]\nskip = true\nrename = \"K\"\n",
        &["a skipped item cannot have `rename`", "otp.toml:3:10"],
    );
    refused(
        "[types.\"door:key\"]\nrust = \"u8\"\nderives = [\"Eq\"]\n",
        &[
            "`derives` has no effect on a type that `rust` names",
            "otp.toml:3:11",
        ],
    );
    refused(
        "[types.\"door:port_number\"]\nderives = [\"Eq\"]\n",
        &["this is an alias of another type", "otp.toml:2:11"],
    );
    refused(
        "[functions.\"door:open\"]\nskip = true\nrename = \"f\"\n",
        &["a skipped item cannot have `rename`", "otp.toml:3:10"],
    );
}

#[test]
fn what_the_file_cannot_say() {
    refused(
        "[types]\nderive = [\"Eq\"]\n",
        &[
            "`derive` does not name a type",
            "otp.toml:2:1",
            "did you mean `derives`",
        ],
    );
    refused(
        "[types]\nderives = \"Eq\"\n",
        &["`derives` must be a list", "otp.toml:2:11"],
    );
    refused(
        "[types.\"door:key\"]\nrenames = \"K\"\n",
        &[
            "unknown key `types.\"door:key\".renames`",
            "did you mean `rename`",
        ],
    );
    refused(
        "[types.\"door:key\"]\nskip = 1\n",
        &["`skip` must be `true` or `false`"],
    );
    refused(
        "[types.\"door:key\"]\nrename = 1\n",
        &["`rename` must be a string"],
    );
    refused(
        "[types.\"door:key\"]\nvariants = 1\n",
        &["`variants` must be a table"],
    );
    refused(
        "[types]\n\"door:key\" = \"K\"\n",
        &["must be a table", "otp.toml:2:1"],
    );
    refused("[type]\n", &["unknown key `type`", "did you mean `types`"]);
    refused("types = 1\n", &["`types` must be a table"]);
}
