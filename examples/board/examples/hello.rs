//! "hello, world" of the same axum, for `cargo xtask bench board`: a program of its own, without a
//! VM. `/LENGTH` is a text of so many bytes.

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
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
        // The same bytes are sent to all, as those of a file in memory would be.
        let all = Bytes::from(vec![b'x'; 1 << 20]);
        let long = get(async move |Path(length): Path<usize>| all.slice(..length.min(all.len())));
        let router = Router::new().route("/", said).route("/{length}", long);
        axum::serve(listener, router).await
    })
}
