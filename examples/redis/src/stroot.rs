//! The application's root supervisor.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::atomic::Ordering;

use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;
use otp_bridge::term::Shared;

use crate::cluster::slot_of;
use crate::commands::set_parameter;
use crate::neighbours::Neighbours;
use crate::options::Options;
use crate::persistence::{Rewriter, Saver, Writer};
use crate::rdb;
use crate::reactor::Reactor;
use crate::scripting::Scripter;
use crate::server::{DUMP_FILE, Server};

/// Starts the server's processes.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    /// The command line.
    type Args = Vec<String>;

    fn init(words: Vec<String>) -> Result<impl InitReturn> {
        let options = Options::read(&words).map_err(Exit::new)?;
        let port = free(options.port)?;
        // The child specs hold the server's state, so that a restarted process finds the keys
        // again.
        let server = Shared::new(Server::default());
        server.port.store(port, Ordering::Relaxed);
        server.set_folder(&options.folder);
        server.may_debug.store(options.may_debug, Ordering::Relaxed);
        for (name, value) in &options.parameters {
            set_parameter(&server, name, value)
                .map_err(|why| Exit::new(format!("--{name} {value}: {why}")))?;
        }
        if options.cluster.is_some() {
            server.store.group_by(slot_of);
        }
        if options.log.is_none() {
            let path = Path::new(&options.folder).join(DUMP_FILE);
            if path.exists() {
                rdb::load(&server, &path).map_err(|error| Exit::new(error.to_string()))?;
            }
        }
        let reactor = |number| ChildSpec::of::<Reactor>((port, server.clone())).id(number);
        let mut children: Vec<ChildSpec> = vec![
            ChildSpec::of::<Saver>(server.clone()),
            ChildSpec::of::<Scripter>(server.clone()),
        ];
        if let Some(folder) = options.log {
            // The writer reads the log before the reactors start to listen.
            children.push(ChildSpec::of::<Writer>((server.clone(), folder)));
            children.push(ChildSpec::of::<Rewriter>(server.clone()));
        }
        children.push(ChildSpec::of::<Neighbours>((
            server.clone(),
            options.master,
            options.cluster,
        )));
        children.extend((0..options.reactors).map(reactor));
        println!(
            "listening on 127.0.0.1:{port} with {} reactors",
            options.reactors
        );
        Ok((
            ok,
            (SupFlags::one_for_one().intensity(5).period(10), children),
        ))
    }
}

/// Checks that a port is free. The reactors share the port, so they would not notice that another
/// program uses it. 0 stands for any free port.
fn free(port: u16) -> Result<u16> {
    let probe = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).and_then(|it| it.local_addr());
    let cannot = |error| Exit::new(format!("127.0.0.1:{port} cannot be used: {error}"));
    Ok(probe.map_err(cannot)?.port())
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};
    use std::net::TcpStream;
    use std::thread::sleep;
    use std::time::Duration;

    use otp_bridge::atom;

    use super::*;

    fn connect(port: u16) -> io::Result<TcpStream> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        Ok(stream)
    }

    /// Returns the server's reply, or an empty text if it has closed the connection.
    fn ask(stream: &mut TcpStream, request: &str) -> io::Result<String> {
        stream.write_all(request.as_bytes())?;
        let mut buffer = [0; 1024];
        let count = stream.read(&mut buffer)?;
        Ok(String::from_utf8_lossy(&buffer[..count]).into_owned())
    }

    /// Repeats a request until the server listens again.
    fn ask_again(port: u16, request: &str) -> io::Result<String> {
        for _ in 0..500 {
            let asked = connect(port).and_then(|mut stream| ask(&mut stream, request));
            if asked.as_ref().is_ok_and(|reply| !reply.is_empty()) {
                return asked;
            }
            sleep(Duration::from_millis(10));
        }
        ask(&mut connect(port)?, request)
    }

    #[otp_bridge::test(application = false)]
    async fn the_keys_outlive_a_reactor_and_its_clients_are_told(cx: &Cx<'_>) -> Result<()> {
        let port = free(0)?;
        let words = ["--port", &port.to_string(), "--reactors", "1"].map(str::to_owned);
        let root = cx.start_link::<Stroot>(words.to_vec()).await?;
        let asked = cx.blocking(|| {
            let mut stream = connect(port)?;
            ask(&mut stream, "SET colour blue\r\n").map(|reply| (reply, stream))
        });
        let (reply, mut stream) = asked.await?;
        assert_eq!(reply, "+OK\r\n");
        for child in cx.which_children(&root).await? {
            let reactor = child.process.running().expect("it has just answered");
            cx.exit(&reactor, atom!("kill")).await?;
        }
        let told = cx.blocking(|| ask(&mut stream, "GET colour\r\n")).await;
        assert!(told.is_err() || told.is_ok_and(|reply| reply.is_empty()));
        let found = cx.blocking(|| ask_again(port, "GET colour\r\n")).await?;
        assert_eq!(found, "$4\r\nblue\r\n");
        Ok(())
    }
}
