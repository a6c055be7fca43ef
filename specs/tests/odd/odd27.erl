%% What OTP 27 added. Older releases read it in their own way.
-module(odd27).
-moduledoc """
The module's words.
  Indented.
""".
-moduledoc #{since => "OTP 27.0"}.
-export_type([t/0]).

-doc "A type.".
-type t() :: a.
-doc #{since => <<"OTP 27.1">>, equiv => start(Name, [])}.
-doc """"
Four quotes hold """ three.
-type in_text() :: never.
"""".
-opaque o() :: {t(), dynamic()}.
-doc hidden.
-spec f() -> ok.
-doc(~"sigil").
-spec g() -> ok.
-doc ~S"""
Verbatim \n text.
""".
-callback h() -> ok.
-doc {file, "words.md"}.
-callback i() -> ok.
-record(r, {a = ~"binary", b = ~s(string), c = ~b[x\]y], d = ~B{verbatim\}, e = """
  Text
    more
  """ :: string(), f = ~'quoted', g = ~|bars|, h = ~<angle>}).
-type after_sigils() :: b.
-type unquoted() :: maybe | else.
-type quoted() :: 'maybe' | 'else'.
-type maybe_call() :: maybe().
f() -> ~"
-type in_sigil() :: never.
", ~S(\), """
    -type in_triple() :: never.
    """, ok.
g() -> maybe ok ?= f() else _ -> error end.
-type last() :: c.
