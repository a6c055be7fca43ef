//! Requests about libraries of functions.

pub fn words(all: &[&str]) -> Vec<Vec<u8>> {
    all.iter().map(|it| it.as_bytes().to_vec()).collect()
}

/// Returns a request that loads a library whose code is these lines.
pub fn load(name: &str, lines: &str) -> Vec<Vec<u8>> {
    let code = format!("#!lua name={name}\n{lines}");
    words(&["function", "load", "replace", &code])
}

/// The code of a library that registers a function.
pub fn registers(name: &str, body: &str, flags: &str) -> String {
    format!(
        "redis.register_function{{function_name='{name}',callback=function(keys,args) {body} end,flags={{{flags}}}}}\n"
    )
}

/// Returns the bytes of a reply that is one string.
pub fn bulk(reply: &[u8]) -> Vec<u8> {
    let begin = reply
        .iter()
        .position(|it| *it == b'\n')
        .map_or(0, |at| at + 1);
    reply[begin..reply.len() - 2].to_vec()
}

pub fn request(words: &[Vec<u8>]) -> Vec<u8> {
    let mut request = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        request.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
        request.extend_from_slice(word);
        request.extend_from_slice(b"\r\n");
    }
    request
}

pub fn ask(words: &str) -> Vec<u8> {
    request(&self::words(&words.split(' ').collect::<Vec<_>>()))
}
