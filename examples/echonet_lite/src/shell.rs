//! The module `echonet`, with functions for Erlang shells.

use otp_bridge::module;

/// Devices of ECHONET Lite: `echonet:set(<<"127.0.0.2">>, <<"029001">>, <<"lightLevel">>, 30).`
#[module("echonet")]
pub mod functions {
    use otp_bridge::term::Binary;
    use otp_bridge::{Cx, Result};

    use crate::controller::CONTROLLER;
    use crate::frame::Esv;
    use crate::messages::{
        Answer, Ask, Device, Devices, Discover, Measure, PropertyName, Read, Write,
    };
    use crate::objects::{self, Value};
    use crate::station::Failure;

    /// Searches for nodes. Returns the number of nodes that have answered.
    pub async fn discover(cx: &Cx<'_>) -> Result<u64> {
        cx.call(&CONTROLLER, Discover).await
    }

    /// Returns all known devices.
    pub async fn devices(cx: &Cx<'_>) -> Result<Vec<Device>> {
        Devices::all(cx).await
    }

    /// Reads a property of a device. Uses TCP if the address begins with `tcp:`.
    pub async fn get(
        address: String,
        object: String,
        property: PropertyName,
        cx: &Cx<'_>,
    ) -> Result<Result<Value, Failure>> {
        cx.call(&CONTROLLER, Read(address, object, property)).await
    }

    /// Sets a property of a device.
    pub async fn set(
        address: String,
        object: String,
        property: PropertyName,
        value: Value,
        cx: &Cx<'_>,
    ) -> Result<Result<(), Failure>> {
        cx.call(&CONTROLLER, Write(address, object, property, value))
            .await
    }

    /// Requests any service, with encoded values.
    pub async fn ask(
        address: String,
        object: String,
        service: Esv,
        properties: Vec<(u8, Binary)>,
        second: Vec<(u8, Binary)>,
        cx: &Cx<'_>,
    ) -> Result<Result<Option<Answer>, Failure>> {
        let ask = Ask(address, object, service, properties, second);
        cx.call(&CONTROLLER, ask).await
    }

    /// Returns the JSON Schema of a property of a class.
    pub fn schema(class: u16, property: u8) -> Option<String> {
        objects::property(class, property).map(|it| objects::schema(&it.data).to_string())
    }

    /// Reads the mandatory properties of a node profile this many times. Returns the time in
    /// microseconds.
    pub async fn measure(
        address: String,
        rounds: u64,
        cx: &Cx<'_>,
    ) -> Result<Result<u64, Failure>> {
        let most = std::time::Duration::from_secs(300);
        cx.call_within(&CONTROLLER, Measure(address, rounds), most)
            .await
    }
}
