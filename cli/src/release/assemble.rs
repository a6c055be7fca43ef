//! The temporary folder of a release, and the two calls of `otp_rs_assemble` in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use otp_erlang::ErlangSource;
use otp_erlang::tools::{ASSEMBLE, MAKE_RELUP, RELEASE, RELUP, RELUP_TEXT, UNPACK, UPGRADER};

use crate::build::{Built, Dependency, compiled};
use crate::installation::Installation;
use crate::platform;
use crate::project::config::Config;
use crate::report::{Error, Progress, Result, Ui, catalog};
use crate::vm::{self, configuration};

use super::{ReleaseOptions, dependency};

/// The modules that build a release.
const TOOLS: [ErlangSource; 2] = [ASSEMBLE, MAKE_RELUP];

/// The modules of the application whose modules handle `bin/NAME eval`, `bin/NAME upgrade` and
/// similar commands. It has the name of the first one.
const CLIENT_MODULES: [ErlangSource; 5] = [RELEASE, RELUP, RELUP_TEXT, UNPACK, UPGRADER];

/// Returns the folder of all of these modules, compiled.
pub(crate) fn modules(otp: &Installation, built: &Built, ui: &Ui) -> Result<PathBuf> {
    let modules: Vec<&ErlangSource> = TOOLS.iter().chain(&CLIENT_MODULES).collect();
    compiled(otp, &built.target, &modules, ui)
}

/// Programs of ERTS that a release runs. The others are for building, or contain the folder in
/// which OTP was installed.
const PROGRAMS: [&str; 6] = [
    "beam.smp",
    "epmd",
    "erl_child_setup",
    "erlexec",
    "heart",
    "inet_gethost",
];

/// The folder in which a release is assembled.
pub(super) struct Stage<'a> {
    otp: &'a Installation,
    /// Compiled modules of the tool itself.
    tools: PathBuf,
    /// The applications that do not belong to OTP, as `NAME-VERSION`.
    applications: PathBuf,
    /// The files that `systools` reads and writes.
    scratch: PathBuf,
    /// The release.
    pub(super) folder: PathBuf,
}

/// The versions of OTP.
pub(super) struct Versions {
    /// The version of ERTS, such as `13.1.5`.
    pub(super) erts: String,
    /// The release of OTP, such as `25`.
    pub(super) otp: String,
}

impl<'a> Stage<'a> {
    /// Creates the folders, and copies the necessary compiled modules.
    pub(super) fn open(root: &Path, otp: &'a Installation, modules: &Path) -> Result<Self> {
        let [tools, applications, scratch, folder] =
            ["tools", "lib", "scratch", "release"].map(|name| root.join(name));
        let stage = Stage {
            otp,
            tools,
            applications,
            scratch,
            folder,
        };
        for folder in [&stage.tools, &stage.scratch, &stage.folder] {
            create(folder)?;
        }
        copy_modules(&TOOLS, modules, &stage.tools)?;
        stage.add_client(modules)?;
        Ok(stage)
    }

    fn add_client(&self, modules: &Path) -> Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let name = RELEASE.name;
        let client = self.applications.join(format!("{name}-{version}/ebin"));
        create(&client)?;
        copy_modules(&CLIENT_MODULES, modules, &client)?;
        let modules = CLIENT_MODULES.map(|module| module.name).join(", ");
        let resource = format!(
            "{{application, {name}, [\n    {{description, \"What the program of a release asks a node\"}},\n    \
             {{vsn, \"{version}\"}},\n    {{modules, [{modules}]}},\n    {{registered, []}},\n    \
             {{applications, [kernel, stdlib]}}\n]}}.\n"
        );
        write(&client.join(format!("{name}.app")), &resource)
    }

    /// Copies the application and those whose Rust code it uses, each with only its newest library,
    /// and Erlang dependencies.
    pub(super) fn add_applications(&self, built: &Built) -> Result<()> {
        for one in built.all() {
            let name = format!("{}-{}", one.name, one.version);
            let [ebin, private] =
                ["ebin", "priv"].map(|part| self.applications.join(&name).join(part));
            create(&ebin)?;
            create(&private)?;
            let beams = one.modules.iter().map(|module| format!("{module}.beam"));
            for file in beams.chain([format!("{}.app", one.name)]) {
                copy(&one.ebin.join(&file), &ebin.join(&file))?;
            }
            let library = one.library.file_name().unwrap_or_default();
            copy(&one.library, &private.join(library))?;
        }
        for dependency in self.dependencies(built) {
            let name = format!("{}-{}", dependency.name, dependency.version);
            dependency::copy(dependency, &self.applications.join(name))?;
        }
        Ok(())
    }

    /// Returns the Erlang applications that do not belong to OTP.
    fn dependencies<'b>(&self, built: &'b Built) -> Vec<&'b Dependency> {
        let mut dependencies = built.dependencies();
        dependencies.retain(|dependency| !dependency.is_of(self.otp));
        dependencies
    }

    /// Returns the text of sys.config: the file that otp.toml names, or an empty configuration.
    fn system_configuration(&self, config: &Config) -> Result<String> {
        let Some(file) = &config.release.config else {
            return Ok("[].\n".to_owned());
        };
        let path = config.path.with_file_name(file);
        configuration::check(self.otp, &path)?;
        fs::read_to_string(&path).map_err(|error| Error::io("read", &path, &error))
    }

    /// Runs `systools`, which creates the release, and unpacks the release into the folder.
    pub(super) fn make(&self, built: &Built, order: &ReleaseOptions<'_>) -> Result<Versions> {
        let system = self.system_configuration(order.config)?;
        write(&self.scratch.join("sys.config"), &system)?;
        let mut erl = self.erl("make");
        erl.args([&self.scratch, &self.folder])
            .args([&built.name, &built.version]);
        let others = built.all().into_iter().filter(|one| one.name != built.name);
        let others = others.map(|other| &other.name);
        let dependencies = self.dependencies(built).into_iter();
        let others = others.chain(dependencies.map(|dependency| &dependency.name));
        erl.args(others.map(|name| format!("load:{name}")));
        erl.args(&order.config.release.applications);
        for path in order.earlier {
            let path =
                std::path::absolute(path).map_err(|error| Error::io("read", path, &error))?;
            erl.arg(format!("from:{}", path.display()));
        }
        let answer = self.answer(erl)?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let mut words = text.split_whitespace();
        let mut next = || words.next().unwrap_or_default().to_owned();
        let versions = Versions {
            erts: next(),
            otp: next(),
        };
        self.keep_programs(&versions)?;
        Ok(versions)
    }

    fn keep_programs(&self, versions: &Versions) -> Result<()> {
        let programs = self.folder.join(format!("erts-{}/bin", versions.erts));
        for path in entries(&programs)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if !PROGRAMS.contains(&name.as_ref()) {
                fs::remove_file(&path).map_err(|error| Error::io("remove", &path, &error))?;
            }
        }
        Ok(())
    }

    /// Sets permissions: all users may read files and run programs, because the owner of the
    /// release and the user who runs it may differ.
    pub(super) fn set_modes(&self, program: &str) -> Result<()> {
        let program = self.folder.join(program);
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            set_mode(&folder, platform::PROGRAM)?;
            for path in entries(&folder)? {
                let file = fs::metadata(&path).map_err(|error| Error::io("read", &path, &error))?;
                if file.is_dir() {
                    folders.push(path);
                    continue;
                }
                let is_program = path == program || platform::is_executable(&file);
                set_mode(
                    &path,
                    if is_program {
                        platform::PROGRAM
                    } else {
                        platform::DATA
                    },
                )?;
            }
        }
        Ok(())
    }

    /// Packs the folder, and returns the archive.
    pub(super) fn pack(&self, name: &str, progress: &Progress) -> Result<PathBuf> {
        let archive = self.scratch.join("packed.tar.gz");
        let mut erl = self.erl("pack");
        // https://reproducible-builds.org/docs/source-date-epoch/
        let time = std::env::var("SOURCE_DATE_EPOCH").ok();
        let time = time.and_then(|time| time.parse::<u32>().ok());
        erl.arg(&self.folder)
            .arg(name)
            .arg(&archive)
            .arg(time.unwrap_or_default().to_string());
        progress.begin(bytes_of(&self.folder)?);
        let packed = |line: &str| line.parse().map(|bytes| progress.reach(bytes)).is_ok();
        let answer = vm::following(&mut erl, packed).map_err(|error| self.cannot_run(&error))?;
        self.judge(answer)?;
        Ok(archive)
    }

    fn erl(&self, function: &str) -> Command {
        let mut erl = vm::erl(self.otp);
        erl.args(["-boot", "no_dot_erlang", "+fnu", "-pa"]);
        erl.arg(&self.tools);
        let applications = entries(&self.applications).unwrap_or_default();
        erl.args(applications.iter().map(|folder| folder.join("ebin")));
        erl.args(["-s", ASSEMBLE.name, function, "-extra"]);
        erl.env("ERL_CRASH_DUMP_SECONDS", "0");
        erl
    }

    fn answer(&self, mut erl: Command) -> Result<Output> {
        self.judge(erl.output().map_err(|error| self.cannot_run(&error))?)
    }

    fn cannot_run(&self, error: &io::Error) -> Error {
        Error::io("run", &self.otp.erl, error)
    }

    fn judge(&self, answer: Output) -> Result<Output> {
        let said = said(&answer);
        match answer.status.code() {
            Some(0) => Ok(answer),
            Some(3) => {
                let name = said.trim_start_matches("missing ").trim();
                Err(catalog::NO_SUCH_APPLICATION.with(&[&name]))
            }
            Some(4) => Err(catalog::NO_RELEASE_MADE.error().detail(said)),
            Some(5) => Err(catalog::NOT_UPGRADABLE.with(&[&said])),
            _ => Err(catalog::INTERNAL
                .with(&[&"the release cannot be put together"])
                .detail(said)),
        }
    }
}

/// Returns the number of bytes of all files below a folder.
fn bytes_of(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for path in entries(folder)? {
        let file = fs::metadata(&path).map_err(|error| Error::io("read", &path, &error))?;
        bytes += if file.is_dir() {
            bytes_of(&path)?
        } else {
            file.len()
        };
    }
    Ok(bytes)
}

fn said(answer: &Output) -> String {
    let text = String::from_utf8_lossy(&answer.stdout) + String::from_utf8_lossy(&answer.stderr);
    text.trim().to_owned()
}

fn create(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).map_err(|error| Error::io("write", file, &error))
}

fn copy_modules(modules: &[ErlangSource], from: &Path, to: &Path) -> Result<()> {
    let mut beams = modules.iter().map(|it| format!("{}.beam", it.name));
    beams.try_for_each(|beam| copy(&from.join(&beam), &to.join(&beam)))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let copied = fs::copy(from, to).map_err(|error| Error::io("read", from, &error));
    copied.map(drop)
}

fn set_mode(path: &Path, mode: u32) -> Result<()> {
    fs::set_permissions(path, platform::permissions(mode))
        .map_err(|error| Error::io("write", path, &error))
}

/// Returns the entries of a folder, in order of name.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| Error::io("read", folder, &error))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use otp_contract::modules::SHARED;

    use otp_erlang::ErlangSource;
    use otp_erlang::tools::{ASSEMBLE, RELUP, UPGRADER};

    use super::CLIENT_MODULES;
    use crate::project::names::generated_modules;

    #[test]
    fn no_application_has_a_module_that_its_release_brings() {
        let taken = generated_modules("shop");
        for ErlangSource { name, .. } in CLIENT_MODULES {
            assert!(taken.iter().any(|known| known == name), "{name}");
        }
    }

    #[test]
    fn the_modules_that_are_left_to_one_application_are_those_that_all_bring() {
        let define = format!("-define(SHARED, [{}]).", SHARED.join(", "));
        assert!(ASSEMBLE.source.contains(&define), "{define}");
    }

    #[test]
    fn an_upgrade_brings_all_modules_that_run_it() {
        let define = RELUP.source.lines();
        let define = define.filter_map(|line| line.strip_prefix("-define(UPGRADING, "));
        let list = define.filter_map(|list| list.strip_suffix(").")).next();
        let list = list.expect("a list of modules");
        assert!(UPGRADER.source.contains(list));
        let modules = list.trim_matches(['[', ']']).split(", ");
        assert!(modules.into_iter().all(|module| SHARED.contains(&module)));
    }
}
