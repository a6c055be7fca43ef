%% Members of a union that are spelled differently and contain the same terms, or each other.
-module(synonyms).
-export_type([a/0, b/0, c/0, d/0, e/0, f/0, g/0, h/0, i/0, j/0, k/0, l/0, m/0, n/0]).
-export([unions/1]).

-type a() :: byte() | arity().
-type b() :: char() | byte() | 0..1114111.
-type c() :: byte() | 0..255 | 256.
-type d() :: none | byte() | arity() | 5 | 3..4.
-type e() :: {x, byte()} | {x, arity()} | {y, 0..255}.
-type f() :: [byte()] | [arity()] | [0..255].
-type g() :: {byte(), a} | {0..255, a} | {arity(), a} | {char(), a} | {integer(), b}.
-type h() :: #{x := byte()} | #{x := arity()}.
-type i() :: mfa() | {module(), atom(), arity()} | {atom(), node(), byte()}.
-type j() :: list() | [term()] | [any()] | string() | [char()] | nonempty_string() | [char(), ...].
-type k() :: binary() | <<_:_*8>> | bitstring() | <<_:_*1>>.
-type l() :: [a | b] | [b | a] | {ok, [a | b]} | {ok, [b | a]}.
-type m() :: fun((byte()) -> ok) | fun((arity()) -> ok).
-type n() :: non_neg_integer() | neg_integer() | byte() | char() | arity().

-spec unions(a() | b() | arity()) -> byte() | arity() | n().
unions(_) -> 1.
