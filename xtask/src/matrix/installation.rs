//! An Erlang/OTP in a folder: an installation, or a whole system that contains one.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::{at, entries};
use crate::step::{self, Outcome};

/// The possible places of OTP's own folder in the given folder.
const PLACES: [&str; 4] = ["", "lib/erlang", "usr/lib/erlang", "usr/local/lib/erlang"];

/// An Erlang/OTP that is not the machine's own.
#[derive(Debug)]
pub(super) struct Installation {
    /// The folder that contains `lib`, `releases` and `erts-VERSION`.
    pub(super) root: PathBuf,
    /// The folder `erts-VERSION`.
    pub(super) erts: PathBuf,
    /// The full version, such as `27.3.4`, and the processor if this machine has another one.
    pub(super) version: String,
    /// The way to start its programs, if they belong to another system.
    pub(super) loader: Option<Loader>,
}

/// A way to start the programs of another system.
#[derive(Debug)]
pub(super) enum Loader {
    /// Its dynamic loader, and the folders of its shared libraries.
    Dynamic {
        program: PathBuf,
        libraries: Vec<PathBuf>,
    },
    /// An emulator of its processor, and the folder of the system.
    Emulator {
        processor: &'static Processor,
        system: PathBuf,
        /// Whether the emulator gives the programs pages of 64 KiB.
        has_large_pages: bool,
    },
}

/// A processor that this machine may lack.
#[derive(Debug)]
pub(super) struct Processor {
    /// Its number in ELF files.
    machine: u8,
    /// The first part of a target's name.
    name: &'static str,
    /// cargo's target for libraries.
    pub(super) target: &'static str,
    /// The linker of libraries.
    pub(super) linker: &'static str,
    /// The emulator that runs its programs.
    pub(super) emulator: &'static str,
}

/// The supported processors, both for emulation and for this machine.
pub(super) const PROCESSORS: [Processor; 2] = [
    Processor {
        machine: 62,
        name: "x86_64",
        target: "x86_64-unknown-linux-gnu",
        linker: "x86_64-linux-gnu-gcc",
        emulator: "qemu-x86_64-static",
    },
    Processor {
        machine: 183,
        name: "aarch64",
        target: "aarch64-unknown-linux-gnu",
        linker: "aarch64-linux-gnu-gcc",
        emulator: "qemu-aarch64-static",
    },
];

impl Installation {
    /// Finds OTP in the folder.
    pub(super) fn find(folder: &str) -> Outcome<Self> {
        let folder = fs::canonicalize(folder).map_err(at(Path::new(folder)))?;
        let mut roots = PLACES.iter().map(|place| folder.join(place));
        let found = roots.find_map(|root| Some((erts(&root)?, version(&root)?, root)));
        let (erts, mut version, root) = found.ok_or_else(|| without_otp(&folder))?;
        let loader = match another_processor(&erts)? {
            Some(processor) => {
                version = format!("{version}-{}", processor.name);
                Some(Loader::emulator(processor, folder)?)
            }
            None => Loader::find(&folder),
        };
        Ok(Self {
            root,
            erts,
            version,
            loader,
        })
    }

    /// Uses pages of 64 KiB. If the kernel has other pages, only an emulator supports this.
    pub(super) fn with_large_pages(mut self) -> Self {
        if let Some(Loader::Emulator {
            has_large_pages, ..
        }) = &mut self.loader
        {
            *has_large_pages = true;
            self.version.push_str("-64KiB");
        }
        self
    }
}

fn without_otp(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "{folder}: no Erlang/OTP is here: no folders `lib`, `releases` and `erts-VERSION`, neither in it nor in its \
         lib/erlang, usr/lib/erlang or usr/local/lib/erlang\n\
         name the folder that OTP was installed in, or that of a whole system with OTP in it, such as\n  \
         debootstrap --variant=minbase SUITE DIR && chroot DIR apt-get install --yes erlang erlang-src"
    )
}

/// Returns the newest run time that contains a VM.
fn erts(root: &Path) -> Option<PathBuf> {
    let is_erts = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("erts-")) && path.join("bin/erlexec").is_file()
    };
    entries(root).ok()?.into_iter().rfind(is_erts)
}

/// Returns the version of the release that starts by default.
fn version(root: &Path) -> Option<String> {
    let releases = root.join("releases");
    let started = fs::read_to_string(releases.join("start_erl.data")).ok()?;
    let release = started.split_whitespace().nth(1)?;
    let version = fs::read_to_string(releases.join(release).join("OTP_VERSION"));
    Some(version.map_or(release.to_owned(), |text| text.trim().to_owned()))
}

/// Returns the processor of the VM, if this machine has another one.
fn another_processor(erts: &Path) -> Outcome<Option<&'static Processor>> {
    let vm = erts.join("bin/erlexec");
    let mut machine = [0];
    let read = File::open(&vm).and_then(|mut file| {
        // The second half of an ELF file's first 20 bytes: its kind, then its machine.
        file.seek(SeekFrom::Start(18))?;
        file.read_exact(&mut machine)
    });
    read.map_err(at(&vm))?;
    let host = step::host()?;
    let processor = PROCESSORS.iter().find(|one| one.machine == machine[0]);
    Ok(processor.filter(|processor| !host.starts_with(processor.name)))
}

impl Loader {
    fn emulator(processor: &'static Processor, system: PathBuf) -> Outcome<Self> {
        let Processor {
            name,
            emulator,
            linker,
            target,
            ..
        } = processor;
        for program in [emulator, linker] {
            step::on_path(program).ok_or_else(|| {
                format!(
                    "{}: it is for {name}, and there is no `{program}`; on Debian: apt-get install qemu-user-static \
                     gcc-{name}-linux-gnu libc6-dev-arm64-cross, and then: rustup target add {target}",
                    system.display()
                )
            })?;
        }
        Ok(Self::Emulator {
            processor,
            system,
            has_large_pages: false,
        })
    }

    /// Returns the loader of the system in the folder, if there is a whole system.
    fn find(folder: &Path) -> Option<Self> {
        let is_loader = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with("ld-linux") || name.starts_with("ld-musl"))
        };
        let of = |name: &str| entries(&folder.join(name)).unwrap_or_default();
        let program = ["lib64", "lib"]
            .into_iter()
            .find_map(|name| of(name).into_iter().find(is_loader))?;
        let libraries = ["usr/lib", "lib"].into_iter().flat_map(of).filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            path.is_dir() && name.contains("-linux-")
        });
        let plain = ["usr/lib64", "lib64", "usr/lib", "lib"].map(|name| folder.join(name));
        let libraries = libraries
            .chain(plain)
            .filter(|path| path.is_dir())
            .collect();
        Some(Self::Dynamic { program, libraries })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_otp_is_told_with_what_to_do() {
        let folder = env!("CARGO_MANIFEST_DIR");
        let problem = Installation::find(folder).unwrap_err();
        for part in [folder, "no Erlang/OTP is here", "debootstrap"] {
            assert!(problem.contains(part), "{problem}");
        }
        let problem = Installation::find("/no/such/folder").unwrap_err();
        assert!(
            problem.contains("/no/such/folder: No such file"),
            "{problem}"
        );
    }
}
