//! The baseline of `cargo xtask bench board`: a "hello, world" server with the same version of
//! axum, as a plain program without a VM. `GET /LENGTH` replies with a text of this many bytes.
//! `POST /lines` appends a line to the file that the command line names, and replies when it is on
//! the disk.

use std::fs::File;
use std::io::Write;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use tokio::sync::{mpsc, oneshot};

type Line = (Bytes, oneshot::Sender<()>);

fn main() -> std::io::Result<()> {
    let mut words = std::env::args().skip(1);
    let port = words.next().and_then(|port| port.parse().ok());
    let file = words
        .next()
        .map(|path| File::options().append(true).create(true).open(path));
    let (sends, lines) = mpsc::unbounded_channel();
    if let Some(file) = file {
        let file = file?;
        std::thread::spawn(move || write(file, lines));
    }
    let run_time = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    run_time.block_on(async {
        let address = ("127.0.0.1", port.unwrap_or(0));
        let listener = tokio::net::TcpListener::bind(address).await?;
        println!("http://{}", listener.local_addr()?);
        let said = get(async || "hello, world").post(async |_: Bytes| "hello, world");
        // All clients are sent the same memory, as with a file that is kept in memory.
        let all = Bytes::from(vec![b'x'; 1 << 20]);
        let long = get(async move |Path(length): Path<usize>| all.slice(..length.min(all.len())));
        let router = Router::new()
            .route("/", said)
            .route("/{length}", long)
            .route("/lines", post(line).with_state(sends));
        axum::serve(listener, router).await
    })
}

async fn line(
    State(lines): State<mpsc::UnboundedSender<Line>>,
    line: Bytes,
) -> (StatusCode, &'static str) {
    let (tells, told) = oneshot::channel();
    // If no file was named, there is no receiver.
    let _ = lines.send((line, tells));
    match told.await {
        Ok(()) => (StatusCode::OK, "hello, world"),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "it is not written"),
    }
}

/// Appends lines. The lines that have been collected are synchronised together.
fn write(mut file: File, mut lines: mpsc::UnboundedReceiver<Line>) -> std::io::Result<()> {
    let mut together = Vec::new();
    while lines.blocking_recv_many(&mut together, 4096) > 0 {
        let text: Vec<u8> = together
            .iter()
            .flat_map(|(line, _)| [&line[..], b"\n"].concat())
            .collect();
        file.write_all(&text)?;
        file.sync_data()?;
        for (_, tells) in together.drain(..) {
            // The client may have left.
            let _ = tells.send(());
        }
    }
    Ok(())
}
