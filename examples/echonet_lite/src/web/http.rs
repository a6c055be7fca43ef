//! As much of HTTP/1.1 as the page needs: a request for each connection.

use std::io;

use otp_bridge::net::TcpStream;

/// The longest request.
const REQUEST: usize = 16 << 10;

/// A request.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct HttpRequest {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) content_type: String,
    pub(super) body: Vec<u8>,
    host: String,
}

impl HttpRequest {
    /// Whether it names this server. A page of somebody else's whose name leads here does not.
    pub(super) fn is_for(&self, port: u16) -> bool {
        ["127.0.0.1", "localhost"]
            .iter()
            .any(|host| self.host == format!("{host}:{port}"))
    }
}

/// What the first bytes of a connection are.
enum Parsed {
    Whole(HttpRequest),
    Part,
    Malformed,
}

/// The request. `None` if there is none in these bytes.
pub(super) async fn read(stream: &TcpStream) -> io::Result<Option<HttpRequest>> {
    let (mut bytes, mut piece) = (Vec::new(), vec![0; 4096]);
    loop {
        let count = stream.read(&mut piece).await?;
        bytes.extend_from_slice(&piece[..count]);
        match parse(&bytes) {
            Parsed::Whole(asked) => return Ok(Some(asked)),
            Parsed::Part if count > 0 && bytes.len() < REQUEST => {}
            _ => return Ok(None),
        }
    }
}

fn parse(bytes: &[u8]) -> Parsed {
    let mut headers = [httparse::EMPTY_HEADER; 48];
    let mut request = httparse::Request::new(&mut headers);
    let head = match request.parse(bytes) {
        Ok(httparse::Status::Complete(head)) => head,
        Ok(httparse::Status::Partial) => return Parsed::Part,
        Err(_) => return Parsed::Malformed,
    };
    let header = |name: &str| {
        let found = request
            .headers
            .iter()
            .find(|it| it.name.eq_ignore_ascii_case(name));
        found
            .and_then(|it| std::str::from_utf8(it.value).ok())
            .unwrap_or_default()
    };
    let length = match header("content-length") {
        "" => 0,
        text => match text.parse::<usize>() {
            Ok(length) if length < REQUEST => length,
            _ => return Parsed::Malformed,
        },
    };
    let Some(body) = bytes[head..].get(..length) else {
        return Parsed::Part;
    };
    Parsed::Whole(HttpRequest {
        method: request.method.unwrap_or_default().to_owned(),
        path: request.path.unwrap_or_default().to_owned(),
        content_type: header("content-type").to_owned(),
        body: body.to_vec(),
        host: header("host").to_owned(),
    })
}

pub(super) async fn answer(
    stream: &TcpStream,
    status: u16,
    kind: &str,
    body: &str,
) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
         Content-Security-Policy: default-src 'self'; frame-ancestors 'none'\r\n\r\n",
        reason = if status == 200 { "OK" } else { "Refused" },
        length = body.len(),
    );
    stream
        .write_all(&[head.as_bytes(), body.as_bytes()].concat())
        .await
}

pub(super) async fn begin_events(stream: &TcpStream) -> io::Result<()> {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await
}

/// An event; JSON has no line breaks.
pub(super) async fn event(stream: &TcpStream, json: &str) -> io::Result<()> {
    stream
        .write_all(format!("data: {json}\n\n").as_bytes())
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_when_it_is_whole() {
        let whole = b"POST /set HTTP/1.1\r\nHost: localhost:80\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
        for length in 0..whole.len() {
            assert!(matches!(parse(&whole[..length]), Parsed::Part), "{length}");
        }
        let Parsed::Whole(asked) = parse(whole) else {
            panic!("it is whole")
        };
        assert_eq!(
            (asked.path.as_str(), asked.body.as_slice()),
            ("/set", &b"{}"[..])
        );
        assert!(asked.is_for(80) && !asked.is_for(81));
    }

    #[test]
    fn what_is_not_a_request_is_refused() {
        for bytes in [
            &b"\x10\x81\x00\x01"[..],
            b"GET / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n",
        ] {
            assert!(matches!(parse(bytes), Parsed::Malformed));
        }
    }
}
