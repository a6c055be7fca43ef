//! The bytes that start a term.

pub(super) const VERSION: u8 = 131;
pub(super) const COMPRESSED: u8 = 80;

pub(super) const NEW_FLOAT: u8 = 70;
pub(super) const BIT_BINARY: u8 = 77;
pub(super) const NEW_PID: u8 = 88;
pub(super) const NEW_PORT: u8 = 89;
pub(super) const NEWER_REFERENCE: u8 = 90;
pub(super) const SMALL_INTEGER: u8 = 97;
pub(super) const INTEGER: u8 = 98;
pub(super) const FLOAT: u8 = 99;
pub(super) const ATOM: u8 = 100;
pub(super) const PORT: u8 = 102;
pub(super) const PID: u8 = 103;
pub(super) const SMALL_TUPLE: u8 = 104;
pub(super) const LARGE_TUPLE: u8 = 105;
pub(super) const NIL: u8 = 106;
pub(super) const STRING: u8 = 107;
pub(super) const LIST: u8 = 108;
pub(super) const BINARY: u8 = 109;
pub(super) const SMALL_BIG: u8 = 110;
pub(super) const LARGE_BIG: u8 = 111;
pub(super) const NEW_FUN: u8 = 112;
pub(super) const EXPORT: u8 = 113;
pub(super) const NEW_REFERENCE: u8 = 114;
pub(super) const SMALL_ATOM: u8 = 115;
pub(super) const MAP: u8 = 116;
pub(super) const ATOM_UTF8: u8 = 118;
pub(super) const SMALL_ATOM_UTF8: u8 = 119;
pub(super) const V4_PORT: u8 = 120;
