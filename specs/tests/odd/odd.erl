%% Shapes that are legal and rare. Read by OTP and by specs; both must agree.
-module(odd).
-export([f/0, 'quoted function'/1]).
-compile([export_all, nowarn_export_all]).
-export_type([t/0, 'Quoted'/1]). -export_type([]).
-include("odd.hrl").
-include_lib("kernel/include/file.hrl").

%% Unions: only a union at the right end is lifted.
-type u1() :: a | b | c.
-type u2() :: a | (b | c).
-type u3() :: (a | b) | c.
-type u4() :: a | (b | c) | d.
-type u5() :: a | ((b | c)).
-type u6() :: A :: a | b.
-type u7() :: a | X :: b | c.
-type u8() :: a | (X :: (b | c)).
-type u9() :: X :: Y :: t().

%% Integers and operators.
-type i1() :: -1 | +1 | 1 + 2 | 1 bsl 3 - 1 | - - 1 | bnot 1.
-type i2() :: -1 .. 1.
-type i3() :: (1 bsl 64) - 1.
-type i4() :: 16#ff | 1_000 | 2#1_0 | 36#Zz | 18446744073709551616 | 16#FFFF_FFFF_FFFF_FFFF_FFFF.
-type i5() :: $a | $\n | $\s | $\x{41} | $\101 | $\^A | $' | $" | $\\ | $ .
-type i6() :: 1 * 2 + 3 * -4 .. 1 rem 5 div 6 band 7.
-type i7() :: 0..16#10FFFF | 9007199254740991 | 9007199254740992.
-type i8() :: 1 - 2 - 3 | 1 + (2 + 3) | not true | a xor b.

%% Names.
-type 'Quoted'(A) :: {A, 'a\'b', 'new\nline', '\x{1F600}', '', 'end', ok@home, æøå}.
-type t() :: 'Quoted'(_).
-opaque o(A, B) :: [A | B].
-opaque vars(_A, B1) :: {_A, B1}.

%% Built-in names, with their arities and with others.
-type b1() :: list() | list(a) | nonempty_list(a) | nonempty_list() | [] | nil() | [a] | [a, ...].
-type b2() :: tuple() | {} | {a} | map() | #{} | #{a => b} | #{a := b, c => d, any() => _}.
-type b3() :: fun() | fun((...) -> a) | fun(() -> a) | fun((a, b) -> fun((c) -> d)).
-type b4() :: <<>> | <<_:8>> | <<_:_*8>> | <<_:8,_:_*1>> | <<_:(1+2)>> | <<_:_*16#8>> | binary().
-type b5() :: list(a, b) | timeout(a) | tuple(a) | map(a, b) | integer(1) | nil(a).
-type b6() :: maybe_improper_list() | maybe_improper_list(a, b) | nonempty_improper_list(a, b)
            | nonempty_maybe_improper_list() | nonempty_maybe_improper_list(a, b) | bool() | no_return().
-type b7() :: erlang:timestamp() | 'Elixir.Foo':t() | file:io_device() | lists:unknown(a, [b]).
-type b8() :: dynamic() | record().
-type(parenthesised() :: {a, b}).
- type spaced ( ) :: a .
-type
  % a comment with a full stop. And another.
  commented() ::
    % one
    a % two
    | b. % three

%% Records.
-record(r0, {}).
-record(r1, {a, b = 1, c :: integer(), d = [] :: list(), 'e f' = "text" "more" :: string()}).
-record r2, {a = fun() -> {1, 2} end, b = case x of y -> 1; _ -> 2 end :: atom(), c}.
-record(r3, {a = <<1, 2:8>>, b = fun lists:map/2, c = begin a, b end, d = #r1{a = 1, b = {2}}}).
-record(r4, {f = fun F(X) -> F(X) end, g = [X || X <- [1, 2]], h = -1, i = - 1.5, j = 1.0e10,
             k = $a, l = ok, m = "\x{d7}", n = {}, o = #{}, p = if true -> 1 end}).
-record(r5, {a = fun(X) when X > 1 -> {X} end :: fun((integer()) -> {integer()}),
             b = try x() catch _:_ -> 1 after 2 end :: term(),
             c = receive a -> 1 after 0 -> 2 end}).
-record('Odd Record', {'Field' :: #r1{a :: integer(), c :: 1..2}}).
-record(r6, {a = X :: integer(), b = 1.0, c = 1.5e-7, d = 123456789.125, e = 1.0e22, f = 0.1,
             g = 1.0e16, h = 9.007199254740992e15, i = 1.0e-5, j = 0.001, k = 100000.0}).
-type rt() :: #r0{} | #r1{} | #r1{a :: b, c :: d} | #'Odd Record'{'Field' :: _}.

%% Signatures.
-spec f() -> ok.
-spec g(a) -> b; (c) -> d; (E) -> F when E :: F, F :: [E].
-spec(h(A, B) -> {A, B} when is_subtype(A, atom()), B :: integer()).
-spec odd:qualified(a) -> b.
-spec ?MODULE:by_macro(?MODULE) -> ?LINE.
-spec 'quoted function'(X :: fun((...) -> any())) -> (a | b) | c.
- spec spaced(a)->b.
-callback cb(A :: term()) -> {ok, A} | ignore.
-callback cb2(a) -> b; (b) -> c.
-optional_callbacks([cb/1, {cb2, 1}]).
-optional_callbacks([]).

%% Macros.
-define(TUPLE(A, B), {A, B}).
-define(NAME, my_type).
-define(UNION, a | b).
-define(STRING(X), ??X).
-define(EMPTY, ).
-define(OVER(), none).
-define(OVER(A), {one, A}).
-define(OVER(A, B), {two, A, B}).
-define(NESTED(A), ?TUPLE(A, ?TUPLE(A, ?UNION))).
-define(WHOLE(N), -type N() :: N).
-define(ALIAS, ?OVER).
-define(WORDS, maybe | else).
-define(end_of, last).
-type ?NAME() :: ?TUPLE(a, ?TUPLE(b, c)) | ?UNION.
-type over() :: ?OVER() | ?OVER(a) | ?OVER({a, b}, [{c, d}]).
-type nested() :: ?NESTED(x).
-type end_of() :: ?end_of.
-type words() :: ?WORDS.
-record(stringified, {a = ?STRING(foo(bar, "baz", 'Qux')) :: string()}).
?WHOLE(whole_form).
?EMPTY -type empty() :: a.
-?NAME(ignored).
-type undefined_macro() :: ?NO_SUCH_MACRO.
-type wrong_arguments() :: ?TUPLE(a).
-type after_errors() :: ok.
-undef(UNION).
-type undefined_again() :: ?UNION.
-define(UNION, c).
-type redefined() :: ?UNION | ?FILE_IS_NOT_A_TYPE.
-define(circle, ?circle).
-type circular() :: ?circle.
-type machine() :: ?MACHINE.
-record(predefined, {a = ?OTP_RELEASE, b = ?MODULE_STRING, c = ?BEAM}).

%% Conditions.
-ifdef(NEVER).
-type never() :: a.
-ifdef(NEVER_TWICE).
-else.
-type never_either() :: a.
-endif.
-else.
-type always() :: a.
-endif.
-ifndef(NEVER).
-type not_never() :: a.
-endif.
-if(?OTP_RELEASE >= 25).
-type recent() :: a.
-elif(true).
-type not_recent() :: a.
-else.
-type not_recent_either() :: a.
-endif.
-if(defined(NEVER) orelse (1 + 2 =:= 3 andalso not false)).
-type computed() :: a.
-endif.
-if(no_function(1)).
-type failing() :: a.
-else.
-type failing_else() :: a.
-endif.
-if(false andalso no_function(1)).
-type failing_unreached() :: a.
-elif(not is_port(a) andalso no_other_function() orelse true).
-type failing_reached() :: a.
-else.
-type failing_nowhere() :: a.
-endif.
-if(is_integer(?OTP_RELEASE) and is_atom(a) and (abs(-1) == 1) and (length([a, b]) > 1)).
-type guards() :: a.
-endif.
-if(?MODULE == odd).
-type by_module() :: a.
-endif.
-if("abc" < "abd" andalso {a, 1} > {a, 0} andalso a > 1 andalso 1.0 == 1).
-type compared() :: a.
-endif.
-if(undefined_thing).
-type atom_is_not_true() :: a.
-elif(1 / 2 == 0.5).
-type divided() :: a.
-endif.

%% Errors cost their form only.
-type broken() :: {a, .
-type broken2() :: {'it''s', [c, d]}.
-type after_broken() :: a.
-type 1() :: a.
-spec broken(a -> b.
-record(broken, {a, {b}}).
-type bad_variable(_) :: a.
-type ranged() :: 1..2..3.
-type text() :: "text".
-type float() :: 1.0.
-type after_all() :: a.

%% Functions hold anything, also what looks like a form.
f() ->
    "
-type in_string() :: a.
", '
-type in_atom() :: a.
', $., $", $', $\\, $\", {a, [$.| $.]}, <<"%">>,
    % -type in_comment() :: a.
    1.0, [1, 2] ++ [3], fun() -> ok end, #r1.a, X = #{a => 1},
    X.
'quoted function'(_) -> ok. 'another one'() -> $.. -type after_char() :: a.
-type no_space() :: a.-type same_line() :: b.
-file("elsewhere.erl", 10).
-type elsewhere() :: ?LINE.
-record(elsewhere, {line = ?LINE, file = ?FILE}).
-file("odd.erl", 1).
-type last() :: a
.
