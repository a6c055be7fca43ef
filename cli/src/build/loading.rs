//! Loads the library of a build into a VM and asks it for its manifest.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use otp_codegen::erlang as text;
use otp_contract::manifest::Manifest;
use otp_contract::modules;
use otp_erlang::tools::LOADER;

use super::cargo::Package;
use super::ebin::{Next, announce, compile_generated, output_of};
use super::layout::CacheKey;
use super::{BuildOptions, library, shared};
use crate::installation::Installation;
use crate::platform;
use crate::project::Application;
use crate::report::{Error, Result, Ui, catalog};
use crate::vm;

/// The exit code of a VM that could not compile the library's module.
const NOT_COMPILED: i32 = 3;

/// The minimum pause of cargo's output during compilation. cargo lists units that are already built
/// without such a pause, and then ends if there are no others.
const NOTHING_TO_DO: Duration = Duration::from_millis(50);

/// A VM that waits for a library. It has already loaded Erlang's compiler, which takes most of its
/// time. It ends when its input ends.
struct Loader<'a> {
    otp: &'a Installation,
    /// The application's folder.
    folder: PathBuf,
    /// `None` only during the request and the drop.
    vm: Option<Child>,
}

/// The VM was not asked, because the build failed, or because its answer was known.
impl Drop for Loader<'_> {
    fn drop(&mut self) {
        if let Some(mut vm) = self.vm.take() {
            // Under `--watch`, there are many builds, and each would leave one behind.
            let _ = vm.kill();
            let _ = vm.wait();
        }
    }
}

impl<'a> Loader<'a> {
    /// Starts the VM in an application's folder. `modules` are the folders with its code.
    fn start(otp: &'a Installation, folder: &Path, modules: &[PathBuf; 2]) -> Result<Self> {
        let vm = vm::erl_with_input(otp)
            // As in erlc: a VM with one scheduler starts faster.
            .args(["+S1", "+sbtu", "+A0", "+fnu"])
            .args(["-boot", "no_dot_erlang", "-pa"])
            .args(modules)
            .args(["-s", LOADER.name, "main"])
            .current_dir(folder)
            .env("ERL_CRASH_DUMP_SECONDS", "0")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Error::io("run", &otp.erl, &error))?;
        Ok(Loader {
            otp,
            folder: folder.to_owned(),
            vm: Some(vm),
        })
    }

    /// Makes the VM compile the module, load the library and return the manifest as a JSON text.
    /// All paths are relative to the application's folder, and are ASCII without a space.
    fn ask(mut self, question: [&str; 3], scratch: &Path) -> Result<String> {
        let answer = scratch.join("manifest");
        let input = self.vm.as_mut().and_then(|vm| vm.stdin.take());
        if let Some(mut input) = input {
            // If the VM has ended, its exit status has the reason.
            let _ = writeln!(input, "{} {}/manifest", question.join(" "), name(scratch));
        }
        let ended = match self.vm.take() {
            Some(vm) => vm.wait_with_output(),
            None => Err(ErrorKind::NotFound.into()),
        };
        let said = ended.map_err(|error| Error::io("run", &self.otp.erl, &error))?;
        let text = output_of(&said);
        if said.status.code() == Some(NOT_COMPILED) {
            return Err(catalog::GENERATED_DOES_NOT_COMPILE
                .error()
                .at(self.folder.join("src").display())
                .detail(text));
        }
        match fs::read_to_string(&answer) {
            Ok(manifest) if said.status.success() => Ok(manifest),
            _ => Err(not_loaded(
                &text,
                platform::signal_of(said.status),
                &self.folder,
            )),
        }
    }
}

/// The state of loading the library of a build.
pub(super) struct Loading<'a> {
    otp: &'a Installation,
    early: Option<Loader<'a>>,
}

/// Makes cargo build the library, and returns the means to load it.
pub(super) fn compile<'a>(
    application: &Application,
    package: &Package,
    otp: &'a Installation,
    order: &BuildOptions<'_>,
    ui: &Ui,
) -> Result<(PathBuf, Loading<'a>)> {
    let folder = order.folder(package);
    while_working(otp, &package.target, &folder, |said| {
        let tests = order.tests.as_ref();
        library::build(&application.folder, &order.profile, tests, ui, said)
    })
}

/// Makes a VM load Erlang's compiler while cargo works, unless cargo has nothing to compile. `work`
/// reports each message of cargo.
fn while_working<'a, T>(
    otp: &'a Installation,
    target: &Path,
    folder: &Path,
    work: impl FnOnce(&mut dyn FnMut()) -> Result<T>,
) -> Result<(T, Loading<'a>)> {
    thread::scope(|scope| {
        let (messages, heard) = channel::<()>();
        let early = scope.spawn(move || is_working(&heard).then(|| early(otp, target, folder))?);
        let done = work(&mut || {
            // The receiver is gone once it is known that cargo is compiling.
            let _ = messages.send(());
        });
        drop(messages);
        let early = early.join().ok().flatten();
        done.map(|done| (done, Loading { otp, early }))
    })
}

/// Waits until cargo pauses between its messages, and therefore is compiling, or has ended. cargo
/// is silent while it waits for another build in the same folder, which may take any time.
fn is_working(heard: &Receiver<()>) -> bool {
    let mut last = heard.recv().map_err(RecvTimeoutError::from);
    while last.is_ok() {
        last = heard.recv_timeout(NOTHING_TO_DO);
    }
    last == Err(RecvTimeoutError::Timeout)
}

/// The first build of a folder has no compiled modules yet from which the VM could be started.
fn early<'a>(otp: &'a Installation, target: &Path, folder: &Path) -> Option<Loader<'a>> {
    let modules = shared::known(otp, target, &LOADER)?;
    let is_built = folder.join("src").is_dir();
    is_built
        .then(|| Loader::start(otp, folder, &modules).ok())
        .flatten()
}

impl<'a> Loading<'a> {
    /// Asks the library for its modules. The answer is recorded with the library.
    pub(super) fn manifest(
        self,
        next: &Next<'_>,
        package: &Package,
        library: &str,
        ui: &Ui,
    ) -> Result<Manifest> {
        let module = modules::library(&package.name);
        next.folder.write(
            &format!("src/{module}.erl"),
            &text::library_module(&package.name, &package.version, library),
        )?;
        let key = CacheKey {
            file: ".manifest",
            library,
            text: "",
        };
        let manifest = match next.folder.known(&key) {
            Some(manifest) => {
                compile_generated(self.otp, next, std::slice::from_ref(&module), ui)?;
                manifest
            }
            None => {
                let loader = self.loader(next, &package.target, ui)?;
                announce(&[&module], ui);
                let scratch = next.folder.scratch()?;
                let manifest =
                    loader.ask([&module, library, &name(next.made())], scratch.path())?;
                next.folder.remember(&key, &manifest)?;
                manifest
            }
        };
        Manifest::from_json(&manifest).map_err(|error| catalog::MANIFEST.with(&[&error]))
    }

    fn loader(self, next: &Next<'_>, target: &Path, ui: &Ui) -> Result<Loader<'a>> {
        match self.early {
            Some(loader) => Ok(loader),
            None => {
                let modules = shared::compiled_with(self.otp, target, &LOADER, ui)?;
                Loader::start(self.otp, &next.folder.path, &modules)
            }
        }
    }
}

/// Returns the name of a scratch folder in the application's folder.
fn name(folder: &Path) -> String {
    folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The VM's messages about a library without an application: with otp-bridge, and without it.
const NO_ENTRY: [&str; 2] = [
    "Library init-call unsuccessful",
    "Failed to find library init function",
];

fn not_loaded(said: &str, signal: Option<i32>, folder: &Path) -> Error {
    let location = folder.join("priv");
    if let Some(signal) = signal {
        return catalog::CRASH_ON_LOAD
            .with(&[&signal])
            .at(location.display())
            .detail(said);
    }
    if NO_ENTRY.iter().any(|text| said.contains(text)) {
        return catalog::NO_NIF_ENTRY.error().at("src/lib.rs").detail(said);
    }
    catalog::NOT_LOADED
        .error()
        .at(location.display())
        .detail(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_works_when_it_pauses_after_it_has_said_something() {
        let (messages, heard) = channel();
        messages.send(()).unwrap();
        assert!(is_working(&heard));
        messages.send(()).unwrap();
        drop(messages);
        assert!(!is_working(&heard), "it has ended");
        let (messages, heard) = channel();
        let waits = thread::spawn(move || is_working(&heard));
        // Waits as long as it would take to notice a pause.
        thread::sleep(2 * NOTHING_TO_DO);
        drop(messages);
        assert!(!waits.join().unwrap(), "it has only waited");
    }

    #[test]
    fn a_library_without_entry_is_the_users_and_a_crash_is_ours() {
        let folder = Path::new("/out");
        let said = "{error,{bad_lib,\"Library init-call unsuccessful\"}}";
        let error = not_loaded(said, None, folder);
        assert_eq!(error.exit_code(), 1);
        assert!(error.remedies()[0].contains("otp_bridge::application!();"));
        assert_eq!(not_loaded("", Some(11), folder).exit_code(), 2);
        assert_eq!(
            not_loaded("undefined symbol: x", None, folder).exit_code(),
            2
        );
    }
}
