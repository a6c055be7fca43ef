//! "hello, world" of the same axum, for `cargo xtask bench board`: a program of its own, without a
//! VM.

use axum::Router;
use axum::body::Bytes;
use axum::routing::get;

fn main() -> std::io::Result<()> {
    let port = std::env::args()
        .nth(1)
        .and_then(|port| port.parse().ok())
        .unwrap_or(0_u16);
    let run_time = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    run_time.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
        println!("http://{}", listener.local_addr()?);
        let said = get(async || "hello, world").post(async |_: Bytes| "hello, world");
        axum::serve(listener, Router::new().route("/", said)).await
    })
}
