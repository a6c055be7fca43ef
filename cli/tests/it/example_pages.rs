//! Pages of the examples in a real browser.

use crate::browser::Browser;
use crate::running::Running;
use crate::support::cargo_otp_of_example;

/// The control of a light's property.
fn light(property: &str, control: &str) -> String {
    format!("#d-127-0-0-28-029001 [data-epc=\"{property}\"] {control}")
}

/// Devices are shown as soon as they are found, and can be set from several pages. Refusals are
/// reported.
#[test]
fn devices_of_echonet_lite_are_shown_and_set() {
    let Some(mut browser) = Browser::or_say() else {
        return;
    };
    // The test has its own addresses and port, so that no other program answers.
    let arguments = [
        &["run", "--", "--web", "0", "--port", "23620"][..],
        &["--interface", "127.0.0.27", "--node", "127.0.0.28"],
    ];
    let mut running = Running::start(cargo_otp_of_example("echonet_lite", &arguments.concat()));
    let address = running.line_with("http://");
    browser.open(address.trim());
    browser.shows("#connection", "live");

    let (level, switch) = (light("B0", "input"), light("80", "input"));
    browser.until(&format!("document.querySelector('{level}').value == 80"));
    browser.value(&format!(
        "document.querySelector('{level}').value = 30; \
         document.querySelector('{level}').dispatchEvent(new Event('change'))"
    ));
    browser.until(&format!(
        "document.querySelector('{switch}').checked === false"
    ));
    browser.press(&switch);

    // A user who opens the page then sees the devices' values.
    browser.open(address.trim());
    browser.until(&format!("document.querySelector('{level}').value == 30"));
    browser.until(&format!(
        "document.querySelector('{switch}').checked === true"
    ));

    browser.value(&format!(
        "document.querySelector('{level}').value = 101; \
         document.querySelector('{level}').dispatchEvent(new Event('change'))"
    ));
    browser.until("!document.querySelector('#message').hidden");
    browser.shows("#message", "lightLevel");

    // Everything fits the width of a phone.
    browser.width(360);
    browser.until("document.documentElement.scrollWidth <= 360");
    running.signal("-TERM");
    assert_eq!(running.end().code, Some(0));
}
