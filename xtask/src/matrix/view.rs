//! A folder that looks like an installation of OTP and starts another one.
//!
//! OTP's own start script contains the folder that OTP was built for. In a folder with a whole
//! system, this path is wrong, and the system's programs need its loader and libraries. So each
//! program here is a script, and all other files are links. `code:root_dir()` returns this folder.
//! A program that finds `erl` here also finds the headers and modules of the release.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::installation::{Installation, Loader};
use super::{at, entries};
use crate::step::Outcome;

/// A folder that starts another installation.
#[derive(Debug)]
pub(super) struct View {
    folder: PathBuf,
}

impl View {
    /// Makes the folder anew. Its name is the version.
    pub(super) fn new(installation: &Installation, parent: &Path) -> Outcome<Self> {
        let folder = parent.join(&installation.version);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(at(&folder))?;
        }
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        let view = Self { folder };
        let erts = view.folder.join(name(&installation.erts));
        let special = [installation.root.join("bin"), installation.erts.clone()];
        view.link(&installation.root, &view.folder, &special)?;
        view.link(&installation.erts, &erts, &[installation.erts.join("bin")])?;
        view.programs_of(&special[0], &view.programs(), installation)?;
        view.programs_of(
            &installation.erts.join("bin"),
            &erts.join("bin"),
            installation,
        )?;
        view.elixir(installation)?;
        Ok(view)
    }

    /// Returns the whole folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder for `PATH`.
    pub(super) fn programs(&self) -> PathBuf {
        self.folder.join("bin")
    }

    /// Checks that the VM starts.
    pub(super) fn check(&self) -> Outcome {
        let erl = self.programs().join("erl");
        let root = "io:put_chars(code:root_dir()), halt().";
        let answer = Command::new(&erl)
            .args(["-noinput", "-boot", "start_clean", "-eval", root])
            .stdin(Stdio::null())
            .output()
            .map_err(at(&erl))?;
        let printed = String::from_utf8_lossy(&answer.stdout);
        if answer.status.success() && Path::new(&*printed) == self.folder {
            return Ok(());
        }
        let complained = String::from_utf8_lossy(&answer.stderr);
        Err(format!(
            "{} does not start: {}\n{printed}{complained}",
            erl.display(),
            answer.status
        ))
    }

    /// Links to all entries of a folder except `special`.
    fn link(&self, from: &Path, to: &Path, special: &[PathBuf]) -> Outcome {
        fs::create_dir_all(to).map_err(at(to))?;
        for path in entries(from)?.iter().filter(|path| !special.contains(path)) {
            link(path, to)?;
        }
        Ok(())
    }

    /// Writes scripts for the programs, and links for the other files beside them.
    fn programs_of(&self, from: &Path, to: &Path, installation: &Installation) -> Outcome {
        fs::create_dir_all(to).map_err(at(to))?;
        for path in entries(from)? {
            let script = match name(&path).as_str() {
                "erl" => self.start_script(installation),
                _ if is_elf(&path) => wrapper(&path, installation.loader.as_ref()),
                _ => {
                    link(&path, to)?;
                    continue;
                }
            };
            write_program(&to.join(name(&path)), &script)?;
        }
        Ok(())
    }

    /// Adds the programs of the Elixir that is beside OTP, if there is one. They are scripts that
    /// start the `erl` of `PATH`.
    fn elixir(&self, installation: &Installation) -> Outcome {
        let folder = installation.root.with_file_name("elixir").join("bin");
        for program in ["elixir", "elixirc"] {
            let path = folder.join(program);
            if path.is_file() {
                write_program(&self.programs().join(program), &wrapper(&path, None))?;
            }
        }
        Ok(())
    }

    /// Returns a script with the effect of OTP's own `erl` that uses this folder as the root.
    fn start_script(&self, installation: &Installation) -> String {
        let folder = quoted(&self.folder);
        let erts = name(&installation.erts);
        let flags = flags(installation.loader.as_ref());
        format!(
            "#!/bin/sh\nROOTDIR={folder}\nBINDIR=\"$ROOTDIR/{erts}/bin\"\nEMU=beam\nPROGNAME=erl\n\
             export ROOTDIR BINDIR EMU PROGNAME\nexec \"$BINDIR/erlexec\" {flags}\"$@\"\n"
        )
    }
}

/// Returns additional flags of the VM. By default, the VM writes its code through another mapping
/// than the mapping that it runs. In this case QEMU 7.2 for aarch64 keeps running the old code of a
/// purged module.
fn flags(loader: Option<&Loader>) -> &'static str {
    match loader {
        Some(Loader::Emulator { .. }) => "+JMsingle true ",
        _ => "",
    }
}

/// Returns a script that starts the program as its own system would.
fn wrapper(program: &Path, loader: Option<&Loader>) -> String {
    let program = quoted(program);
    // A program finds other programs beside itself by its own name: escript finds the `erl` in this
    // folder.
    match loader {
        None => format!("#!/bin/sh\nexec {program} \"$@\"\n"),
        Some(Loader::Dynamic {
            program: loader,
            libraries,
        }) => {
            let folders: Vec<_> = libraries
                .iter()
                .map(|path| path.to_string_lossy())
                .collect();
            let folders = quoted(Path::new(&folders.join(":")));
            let loader = quoted(loader);
            format!(
                "#!/bin/sh\nexec {loader} --argv0 \"$0\" --library-path {folders} {program} \"$@\"\n"
            )
        }
        Some(Loader::Emulator {
            processor,
            system,
            has_large_pages,
        }) => {
            let (emulator, system) = (processor.emulator, quoted(system));
            let pages = if *has_large_pages { "-p 65536 " } else { "" };
            format!("#!/bin/sh\nexec {emulator} {pages}-0 \"$0\" -L {system} {program} \"$@\"\n")
        }
    }
}

fn write_program(path: &Path, script: &str) -> Outcome {
    fs::write(path, script).map_err(at(path))?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(at(path))
}

fn link(path: &Path, folder: &Path) -> Outcome {
    let link = folder.join(name(path));
    symlink(path, &link).map_err(at(&link))
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn is_elf(path: &Path) -> bool {
    let mut start = [0; 4];
    let file = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    file.is_ok() && start == *b"\x7fELF"
}

/// Quotes a path for a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::erlang;
    use crate::matrix::installation;

    #[test]
    fn the_installed_otp_starts_from_such_a_folder() {
        let libraries = erlang::libraries().expect("`cargo xtask test` installs Erlang");
        let root = libraries.join("..");
        let mut installation = Installation::find(root.to_str().unwrap()).unwrap();
        let parent = std::env::temp_dir().join(format!("otp-rs-matrix-{}", std::process::id()));
        let view = View::new(&installation, &parent).unwrap();
        view.check().unwrap();
        // The check reports a program that cannot start.
        installation.loader = Some(Loader::Dynamic {
            program: "/no/loader".into(),
            libraries: Vec::new(),
        });
        let view = View::new(&installation, &parent).unwrap();
        let problem = view.check().unwrap_err();
        assert!(problem.contains("/no/loader"), "{problem}");
        fs::remove_dir_all(&parent).unwrap();
    }

    fn emulator(has_large_pages: bool) -> Loader {
        Loader::Emulator {
            processor: &installation::PROCESSORS[1],
            system: std::env::temp_dir(),
            has_large_pages,
        }
    }

    #[test]
    fn an_emulator_has_pages_of_its_own_size() {
        let pages = |has_large_pages| {
            let loader = emulator(has_large_pages);
            wrapper(Path::new("/x"), Some(&loader)).contains("qemu-aarch64-static -p 65536 ")
        };
        assert_eq!([pages(false), pages(true)], [false, true]);
    }

    #[test]
    fn a_vm_in_an_emulator_runs_its_code_where_it_writes_it() {
        assert_eq!(flags(Some(&emulator(false))), "+JMsingle true ");
        assert_eq!(flags(None), "");
    }

    #[test]
    fn a_word_of_the_shell_stays_one() {
        assert_eq!(quoted(Path::new("/a b/c'd")), r"'/a b/c'\''d'");
    }

    #[test]
    fn a_program_of_another_system_is_started_by_its_loader() {
        let loader = Loader::Dynamic {
            program: "/other/lib64/ld.so".into(),
            libraries: vec!["/other/usr/lib".into(), "/other/lib".into()],
        };
        let script = wrapper(Path::new("/other/bin/x"), Some(&loader));
        let line = "exec '/other/lib64/ld.so' --argv0 \"$0\" --library-path '/other/usr/lib:/other/lib' '/other/bin/x' \"$@\"";
        assert!(script.contains(line), "{script}");
        assert_eq!(
            wrapper(Path::new("/x"), None),
            "#!/bin/sh\nexec '/x' \"$@\"\n"
        );
    }
}
