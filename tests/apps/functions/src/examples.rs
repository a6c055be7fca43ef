//! The examples of the bindings' modules, which are part of the documentation.

use otp_bridge::{Cx, Exit, Result};

/// Declares the modules, and a function that runs one by its name.
macro_rules! examples {
    ($($module:ident = $file:literal,)*) => {
        $(
            #[path = $file]
            mod $module;
        )*

        pub async fn run(cx: &Cx<'_>, module: &str) -> Result<()> {
            match module {
                $(stringify!($module) => $module::example(cx).await,)*
                other => Err(Exit::error(format!("{other} has no example"))),
            }
        }

        /// The modules with an example.
        pub const MODULES: &[&str] = &[$(stringify!($module)),*];
    };
}

examples! {
    application = "../../../../bindings/examples/application.rs",
    calendar = "../../../../bindings/examples/calendar.rs",
    code = "../../../../bindings/examples/code.rs",
    crypto = "../../../../bindings/examples/crypto.rs",
    dets = "../../../../bindings/examples/dets.rs",
    erlang = "../../../../bindings/examples/erlang.rs",
    erpc = "../../../../bindings/examples/erpc.rs",
    ets = "../../../../bindings/examples/ets.rs",
    file = "../../../../bindings/examples/file.rs",
    gen_event = "../../../../bindings/examples/gen_event.rs",
    gen_server = "../../../../bindings/examples/gen_server.rs",
    gen_statem = "../../../../bindings/examples/gen_statem.rs",
    gen_tcp = "../../../../bindings/examples/gen_tcp.rs",
    gen_udp = "../../../../bindings/examples/gen_udp.rs",
    global = "../../../../bindings/examples/global.rs",
    httpc = "../../../../bindings/examples/httpc.rs",
    inet = "../../../../bindings/examples/inet.rs",
    inets = "../../../../bindings/examples/inets.rs",
    lists = "../../../../bindings/examples/lists.rs",
    logger = "../../../../bindings/examples/logger.rs",
    maps = "../../../../bindings/examples/maps.rs",
    mnesia = "../../../../bindings/examples/mnesia.rs",
    net_adm = "../../../../bindings/examples/net_adm.rs",
    net_kernel = "../../../../bindings/examples/net_kernel.rs",
    os = "../../../../bindings/examples/os.rs",
    persistent_term = "../../../../bindings/examples/persistent_term.rs",
    pg = "../../../../bindings/examples/pg.rs",
    proc_lib = "../../../../bindings/examples/proc_lib.rs",
    rpc = "../../../../bindings/examples/rpc.rs",
    socket = "../../../../bindings/examples/socket.rs",
    ssl = "../../../../bindings/examples/ssl.rs",
    string = "../../../../bindings/examples/string.rs",
    supervisor = "../../../../bindings/examples/supervisor.rs",
    sys = "../../../../bindings/examples/sys.rs",
    timer = "../../../../bindings/examples/timer.rs",
    unicode = "../../../../bindings/examples/unicode.rs",
}
