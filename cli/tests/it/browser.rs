//! A real browser without a window, driven by the DevTools protocol over two pipes.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::nodes::{end_group, in_group};

/// Chromium under the names of its packages. The first one is the browser without windows.
const PROGRAMS: [&str; 3] = ["chromium-headless-shell", "chromium", "google-chrome"];

/// Long enough for a page on a busy machine.
const PATIENCE: Duration = Duration::from_mins(10);

/// A browser with one page. It ends with the test.
pub(crate) struct Browser {
    child: Child,
    requests: File,
    messages: Receiver<Value>,
    last: u64,
    session: Value,
    _folder: TempDir,
}

impl Browser {
    /// Prints a line that the test is left out if the machine has no browser.
    #[expect(
        clippy::print_stderr,
        reason = "whoever runs the test should see that it is left out"
    )]
    pub(crate) fn or_say() -> Option<Self> {
        let browser = Self::start();
        if browser.is_none() {
            eprintln!("skipped: Chromium is not installed (`cargo xtask test` installs it)");
        }
        browser
    }

    fn start() -> Option<Self> {
        let program = PROGRAMS.iter().find_map(|name| on_path(name))?;
        let folder = tempfile::tempdir().expect("a folder");
        let pipes = ["requests", "messages"].map(|name| folder.path().join(name));
        let made = Command::new("mkfifo").args(&pipes).status();
        assert!(made.expect("mkfifo").success());
        // The protocol's own file descriptors: 3 is read, and 4 is written.
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$@\" 3<\"$0\" 4>\"$REPLIES\""]);
        command.arg(&pipes[0]).arg(program);
        command.env("REPLIES", &pipes[1]);
        command.args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
        ]);
        command.args(["--disable-dev-shm-usage", "--remote-debugging-pipe"]);
        command.arg("--window-size=1600,1000");
        command.arg(format!(
            "--user-data-dir={}",
            folder.path().join("user").display()
        ));
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let child = in_group(&mut command).spawn().expect("a browser");
        let requests = OpenOptions::new()
            .write(true)
            .open(&pipes[0])
            .expect("a pipe");
        let mut browser = Self {
            child,
            requests,
            messages: messages(&pipes[1]),
            last: 0,
            session: Value::Null,
            _folder: folder,
        };
        let page = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = json!({ "targetId": page["targetId"], "flatten": true });
        browser.session = browser.ask("Target.attachToTarget", attached)["sessionId"].take();
        Some(browser)
    }

    /// Sends a command of the protocol, and returns its result.
    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let answered = self.answer_of(method, parameters);
        answered.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sends a command of the protocol, and returns its result or the browser's error.
    fn answer_of(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        self.last += 1;
        let mut request = json!({ "id": self.last, "method": method, "params": parameters });
        if !self.session.is_null() {
            request["sessionId"] = self.session.clone();
        }
        let mut bytes = request.to_string().into_bytes();
        bytes.push(0);
        self.requests.write_all(&bytes).expect("the browser reads");
        loop {
            let mut message = self.messages.recv_timeout(PATIENCE).expect(method);
            if message["id"] == self.last {
                let error = message["error"].take();
                return if error.is_null() {
                    Ok(message["result"].take())
                } else {
                    Err(error)
                };
            }
        }
    }

    /// Opens an address as if the user had typed it.
    pub(crate) fn open(&mut self, address: &str) {
        let opened = self.ask("Page.navigate", json!({ "url": address }));
        assert!(opened["errorText"].is_null(), "{opened}");
    }

    /// Makes the page believe that it is on a screen of this width.
    pub(crate) fn width(&mut self, width: u32) {
        let screen =
            json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": true });
        self.ask("Emulation.setDeviceMetricsOverride", screen);
    }

    /// Makes the page believe that the system has a preference, such as `prefers-color-scheme`.
    pub(crate) fn media(&mut self, feature: &str, value: &str) {
        let features = json!({ "features": [{ "name": feature, "value": value }] });
        self.ask("Emulation.setEmulatedMedia", features);
    }

    /// Sets whether scripts of pages run.
    pub(crate) fn scripts(&mut self, run: bool) {
        self.ask(
            "Emulation.setScriptExecutionDisabled",
            json!({ "value": !run }),
        );
    }

    /// The value of a JavaScript expression. A promise is awaited.
    #[track_caller]
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let evaluated = self.evaluated(expression);
        evaluated.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    fn evaluated(&mut self, expression: &str) -> Result<Value, Value> {
        let options =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut evaluated = self.answer_of("Runtime.evaluate", options)?;
        let exception = &evaluated["exceptionDetails"];
        assert!(exception.is_null(), "{expression}: {exception}");
        Ok(evaluated["result"]["value"].take())
    }

    /// Waits until an expression is true. While a page is being opened, the expression may fail.
    #[track_caller]
    pub(crate) fn until(&mut self, expression: &str) {
        let begun = Instant::now();
        let guarded = format!(
            "(() => {{ try {{ return Boolean({expression}) }} catch {{ return false }} }})()"
        );
        // A page that is closed during the request gives an error instead of an answer.
        while self.evaluated(&guarded).ok() != Some(Value::Bool(true)) {
            if begun.elapsed() > PATIENCE {
                let text = self.value("document.body.innerText");
                panic!(
                    "not true: {expression}\n{}",
                    text.as_str().unwrap_or_default()
                );
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until an element's text contains another one.
    #[track_caller]
    pub(crate) fn shows(&mut self, selector: &str, text: &str) {
        let (selector, text) = (json!(selector), json!(text));
        self.until(&format!(
            "document.querySelector({selector}).innerText.includes({text})"
        ));
    }

    /// Presses an element once it is there.
    #[track_caller]
    pub(crate) fn press(&mut self, selector: &str) {
        let selector = json!(selector);
        self.until(&format!("document.querySelector({selector})"));
        self.value(&format!("document.querySelector({selector}).click()"));
    }
}

impl Browser {
    /// Writes a picture of the page for the documentation, if the environment variable
    /// `SCREENSHOTS` names a folder.
    pub(crate) fn picture(&mut self, file: &str) {
        let Some(folder) = std::env::var_os("SCREENSHOTS") else {
            return;
        };
        let options = json!({ "format": "webp", "quality": 80 });
        let taken = self.ask("Page.captureScreenshot", options);
        let bytes = STANDARD.decode(taken["data"].as_str().expect("base64"));
        let path = Path::new(&folder).join(file);
        std::fs::write(path, bytes.expect("base64")).expect("it is written");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        end_group(&mut self.child);
    }
}

/// The browser's messages. A zero byte ends each message.
fn messages(pipe: &Path) -> Receiver<Value> {
    let pipe = BufReader::new(File::open(pipe).expect("a pipe"));
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for message in pipe.split(0).map_while(Result::ok) {
            let message = serde_json::from_slice(&message).expect("JSON");
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    receiver
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut found = std::env::split_paths(&path).map(|folder| folder.join(program));
    found.find(|path| path.is_file())
}
