//! Prometheus scrapes the metrics of the application.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use otp_tests::application::{build, root};
use otp_tests::running::{PATIENCE, Running};
use serde_json::Value;
use tempfile::TempDir;

use crate::{APPLICATION, event, get};

/// A Prometheus on this machine that scrapes one address, several times in a second.
struct Prometheus {
    server: Child,
    address: String,
    /// Its files.
    _folder: TempDir,
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Prometheus {
    /// Returns `None` if it is not installed.
    fn scrapes(target: &str) -> Option<Self> {
        let folder = TempDir::new().expect("a folder");
        let config = folder.path().join("prometheus.yml");
        let job = "  - job_name: services\n    scrape_interval: 300ms\n    scrape_timeout: 300ms\n";
        let targets = format!("    static_configs:\n      - targets: [\"{target}\"]\n");
        let text = format!("scrape_configs:\n{job}{targets}");
        fs::write(&config, text).expect("it is written");
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = free.local_addr().expect("an address").to_string();
        drop(free);
        let server = Command::new("prometheus")
            .arg(format!("--config.file={}", config.display()))
            .arg(format!(
                "--storage.tsdb.path={}",
                folder.path().join("data").display()
            ))
            .arg(format!("--web.listen-address={address}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let server = server.ok()?;
        Some(Prometheus {
            server,
            address,
            _folder: folder,
        })
    }

    /// Returns the first value of a query, as soon as there is one.
    fn value(&self, query: &str) -> String {
        let end = Instant::now() + PATIENCE;
        let path = format!("/api/v1/query?query={query}");
        while Instant::now() < end {
            let reply = std::panic::catch_unwind(|| get(&self.address, &path));
            let reply = reply.unwrap_or_default();
            let body = reply.split("\r\n\r\n").nth(1).unwrap_or_default();
            let answer: Value = serde_json::from_str(body).unwrap_or_default();
            if let Some(value) = answer["data"]["result"][0]["value"][1].as_str() {
                return value.to_owned();
            }
            thread::sleep(Duration::from_millis(100));
        }
        panic!("no value of {query}");
    }
}

/// Returns the address of the server in a log event.
pub(crate) fn listens(running: &Running, module: &str) -> String {
    loop {
        let event = event(running);
        let message = event["message"].as_str().unwrap_or_default();
        let address = message.strip_prefix("the HTTP server listens at http://");
        if let Some(address) = address.filter(|_| event["mfa"] == format!("{module}:init/1")) {
            return address.to_owned();
        }
    }
}

/// The dashboard and the alerts query metrics that the page has.
fn queries_exist(page: &str) {
    let folder = root().join("bridge/metrics");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    let dashboard = read("grafana.json");
    serde_json::from_str::<Value>(&dashboard).expect("JSON");
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let all = [dashboard, read("alerts.yml")].concat();
    let names = all
        .split(|c| !is_name(c))
        .filter(|it| it.starts_with("otp_rs_"));
    for name in names {
        let suffixes = ["_total", "_bucket"].iter();
        let mut families = suffixes.filter_map(|suffix| name.strip_suffix(suffix));
        let family = families.next().unwrap_or(name);
        assert!(page.contains(&format!("# TYPE {family} ")), "{name}");
    }
    let mut check = Command::new("promtool");
    check
        .args(["check", "rules"])
        .arg(folder.join("alerts.yml"));
    if let Ok(checked) = check.output() {
        assert!(checked.status.success(), "{checked:?}");
    }
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the tests should see what is left out"
)]
fn prometheus_scrapes_the_metrics() {
    let ebin = build(APPLICATION);
    let flags = ["-otp_rs_log_level", "info", "-otp_rs_log_format", "json"];
    let running = Running::start_vm("services", &ebin, &flags, &["0", "0"]);
    let [http, meters] = ["http", "meters"].map(|module| listens(&running, module));
    assert!(get(&http, "/next").ends_with("\r\n\r\n1"));
    assert!(get(&http, "/next").ends_with("\r\n\r\n2"));
    assert!(get(&http, "/traced").ends_with("\r\n\r\n7"));
    assert!(get(&http, "/greet/ann%22").ends_with("ann\""));
    let text = get(&meters, "/metrics");
    assert!(text.starts_with("HTTP/1.1 200 OK"), "{text}");
    let clause = r#"module="counter",callback="handle_call/3",message="Next""#;
    let seconds = "otp_rs_callback_duration_seconds";
    for line in [
        format!("otp_rs_callbacks_total{{{clause},outcome=\"returned\"}} 2\n"),
        format!("otp_rs_callbacks_total{{{clause},outcome=\"panicked\"}} 0\n"),
        format!("{seconds}_bucket{{{clause},le=\"+Inf\"}} 2\n"),
        "greetings_total{guest=\"ann\\\"\"} 1\n".to_owned(),
    ] {
        assert!(text.contains(&line), "{line}\n{text}");
    }
    queries_exist(&text);
    let Some(prometheus) = Prometheus::scrapes(&meters) else {
        eprintln!("prometheus is not installed: this part of the test is left out");
        return;
    };
    assert_eq!(prometheus.value("up"), "1");
    assert_eq!(prometheus.value("greetings_total"), "1");
    let count = format!("{seconds}_count{{message=%22Next%22}}");
    assert_eq!(prometheus.value(&count), "2");
    assert_eq!(
        prometheus.value("otp_rs_vm_ets_tables%20%3E%20bool%200"),
        "1"
    );
}
