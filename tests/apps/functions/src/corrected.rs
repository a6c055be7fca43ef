//! Calls that OTP's own `-spec`s exclude, but the corrected bindings allow.
use otp_bindings::{atoms, erlang, gen_tcp, inet, ssl};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::{atom, list};

use crate::caller::{Answers, answers};

pub async fn all(cx: &Cx<'_>) -> Result<Answers> {
    let unknown = gen_tcp::connect_address(cx, "::1", 80, list![atoms::inet]).await?;
    let is_known = unknown == Err(inet::Posix::Nxdomain);
    let process = erlang::process_info(cx, cx.pid()).await?;
    let size = erlang::process_info_item(cx, cx.pid(), atoms::max_heap_size).await?;
    let version = atoms::tlsv1_2_;
    let usual = ssl::cipher_suites(cx, atoms::default, version).await?;
    let without_name = ssl::cipher_suites(cx, atoms::anonymous, version).await?;
    let names = ssl::cipher_suites_with_rfc_or_openssl(
        cx,
        atoms::exclusive_anonymous,
        version,
        atoms::openssl,
    )
    .await?;
    Ok(answers([
        (atom!("unknown"), Term::of(&(unknown.err(), is_known))),
        (atom!("process"), Term::of(&process.is_some())),
        (atom!("size"), Term::of(&is_size(&size))),
        (
            atom!("suites"),
            Term::of(&(is_list(&usual), is_list(&without_name))),
        ),
        (atom!("names"), Term::of(&!names.is_empty())),
    ]))
}

fn is_size(info: &erlang::InfoTupleOrNilOrUndefined) -> bool {
    use erlang::{InfoTupleOrNilOrUndefined as Info, ProcessInfoResultItem as Item};
    matches!(info, Info::InfoTuple(Item::MaxHeapSize(_)))
}

fn is_list(suites: &ssl::Ciphers) -> bool {
    matches!(suites, ssl::Ciphers::ErlCipherSuiteList(suites) if !suites.is_empty())
}
