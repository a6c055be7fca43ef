%% coding: latin-1
-module(odd_latin1).
-type t() :: été | 'äöü' | $å.
-record(r, {a = "ñ" :: string()}).
-type crlf() ::
  a % comment é
 | b.
