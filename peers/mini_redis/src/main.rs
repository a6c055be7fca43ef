//! `mini-redis-peer PORT`: the crate's server at a port of 127.0.0.1, until it is interrupted.

fn main() -> mini_redis::Result<()> {
    let port = std::env::args().nth(1).ok_or("a port")?;
    let port: u16 = port.parse()?;
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
        mini_redis::server::run(listener, tokio::signal::ctrl_c()).await
    })
}
