#!/usr/bin/env escript
%%! +pc unicode
%% Sends terms through the Rust library, and compares them with the terms that come back. Prints a
%% line for each difference, then `done`.
-mode(compile).
-import(terms_vm, [owned/1, owned_dirty/1, encoded/2, decoded/1, described/1, ordered/2, typed/2]).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = application:load(terms),
    %% On a slow machine, the output would contain warnings.
    ok = application:set_env(terms, long_callback, off),
    ok = application:start(terms),
    io:setopts([{encoding, unicode}]),
    Terms = terms(),
    All = zeros(release()) ++ Terms,
    [both_ways(Term) || Term <- All],
    [same_order(Left, Right) || Left <- All, Right <- All],
    [same({Name, Term}, {ok, Term}, typed(Name, Term)) || {Name, Term} <- typed()],
    [same({Name, Term}, {error, unicode:characters_to_binary(Text)}, typed(Name, Term)) || {Name, Term, Text} <- mistyped()],
    depth(),
    unknown_atoms(),
    io:format("done ~p~n", [length(Terms)]).

same(_, Expected, Expected) -> ok;
same(What, Expected, Got) -> io:format("~0tP: expected ~0tP, got ~0tP~n", [What, 30, Expected, 30, Got, 30]).

release() -> list_to_integer(erlang:system_info(otp_release)).

both_ways(Term) ->
    Encoded = encoded(Term, release()),
    same({owned, Term}, {ok, Term}, owned(Term)),
    same({encoded, Term}, {ok, term_to_binary(Term, [deterministic])}, Encoded),
    same({all_releases_read, Term}, Term, begin {ok, Oldest} = encoded(Term, 25), binary_to_term(Oldest) end),
    same({decoded, Term}, {ok, Term}, decoded(term_to_binary(Term))),
    case is_map(Term) andalso map_size(Term) > 32 of
        true -> ok;
        false -> same({small, Term}, {ok, term_to_binary(Term)}, Encoded)
    end,
    Text = unicode:characters_to_binary(io_lib:format("~0tp", [Term])),
    case is_readable(Text) of
        true -> same({described, Term}, Text, described(Term));
        false -> ok
    end.

%% Returns whether a text can be read as a term. Texts of identifiers and funs cannot, and Rust
%% writes them differently.
is_readable(Text) ->
    case erl_scan:string(unicode:characters_to_list(<<Text/binary, ".">>)) of
        {ok, Tokens, _} -> element(1, erl_parse:parse_term(Tokens)) =:= ok;
        {error, _, _} -> false
    end.

same_order(Left, Right) ->
    Erlang = if Left < Right -> [-1]; Left > Right -> [1]; Left =:= Right -> [0]; true -> [-1, 1] end,
    {ok, Rust} = ordered(Left, Right),
    lists:member(Rust, Erlang) orelse io:format("~0tP and ~0tP compare ~p, not ~p~n", [Left, 20, Right, 20, Rust, Erlang]).

terms() ->
    Captured = {captured, [1]},
    [
        ok, '', 'two words', 'é', '日本', list_to_atom(lists:duplicate(255, $a)), list_to_atom(lists:duplicate(255, 16#65E5)),
        0, 1, -1, 255, 256, 1 bsl 31, -(1 bsl 31) - 1, (1 bsl 59) - 1, 1 bsl 59, -(1 bsl 59) - 1, (1 bsl 63) - 1, -(1 bsl 63),
        1 bsl 63, -(1 bsl 63) - 1, (1 bsl 64) - 1, 1 bsl 64, 1 bsl 2040, (1 bsl 2040) - 1, -(1 bsl 3000),
        0.0, -1.5, 1.0e300, 5.0e-324, 0.1,
        <<>>, <<"text">>, <<"grün"/utf8>>, <<0, 255>>, binary:copy(<<"x">>, 1000), <<1:1>>, <<1, 2, 3:7>>, binary:part(<<"abcdef">>, 2, 3),
        [], [1], "text", [1, 2 | 3], [[a | b] | <<"c">>], lists:duplicate(300, $a), [256], [[], [[]]],
        {}, {a}, {a, b, c}, list_to_tuple(lists:seq(1, 300)),
        #{}, #{a => 1, "b" => 2.0, {c} => #{}}, #{1 => a, 1.0 => b}, maps:from_list([{N, N * N} || N <- lists:seq(1, 32)]),
        maps:from_list([{{N, a}, [N]} || N <- lists:seq(1, 500)]),
        self(), whereis(init), other_pid(77, 3), other_pid(16#FFFFFFF, 1),
        hd(erlang:ports()), other_port(12), other_port(16#FFFFFFFFF),
        make_ref(), erlang:monitor(process, self()), alias(), other_reference([1, 2, 3]), other_reference([1, 2, 3, 4, 5]),
        fun lists:map/2, fun no_such:function/3, fun() -> ok end, fun() -> Captured end, fun(X) -> {X, self(), Captured} end,
        {nested, [#{key => [{value}]}], self(), make_ref()}
    ].

%% Two terms since OTP 27, and one term before.
zeros(Release) when Release < 27 -> [];
zeros(_) ->
    Minus = binary_to_term(<<131, 70, 128, 0:56>>),
    [Minus, maps:from_list([{0.0, a}, {Minus, b}]), maps:from_list([{Minus, a}]), {Minus, a}, {0.0, b}].

%% Identifiers of another node can only be created from their bytes.
other_pid(Id, Serial) -> binary_to_term(<<131, 88, (node_bytes())/binary, Id:32, Serial:32, 5:32>>).
other_port(Id) -> binary_to_term(<<131, 120, (node_bytes())/binary, Id:64, 5:32>>).
other_reference(Words) ->
    binary_to_term(<<131, 90, (length(Words)):16, (node_bytes())/binary, 5:32, << <<Word:32>> || Word <- Words >>/binary>>).
node_bytes() -> <<131, Bytes/binary>> = term_to_binary('other@host'), Bytes.

typed() ->
    [
        {bool, true}, {u8, 255}, {i64, -(1 bsl 63)}, {u64, (1 bsl 64) - 1}, {i128, -(1 bsl 127)}, {i128, 5}, {integer, 1 bsl 200},
        {f64, 1.5}, {unit, {}}, {atom, 'é'}, {atom, '日本'}, {string, <<"grün"/utf8>>}, {characters, "grün"}, {iodata, <<"x">>},
        {bitstring, <<5:3>>}, {bitstring, <<1, 2>>}, {list, []}, {list, [1, -1]}, {nested, [[], [[]]]},
        {tuple, {1, {false, a}, <<"b">>}}, {tree, #{a => [], 1 => [1]}}, {map, #{a => {}}}, {timeout, infinity}, {timeout, 5},
        {pid, self()}, {pid, other_pid(1, 2)}, {port, hd(erlang:ports())}, {reference, make_ref()}, {'fun', fun erlang:self/0},
        {request, get}, {request, {add, 5}}, {request, {add, -1, 1 bsl 100}}, {request, self()}, {request, {a, 1.5}},
        {request, {a, undefined}}, {options, #{name => <<"a">>, type => b}},
        {options, #{name => <<"a">>, type => b, timeout => infinity}}
    ].

mistyped() ->
    [
        {bool, yes, "expected boolean(), got yes"},
        {u8, 256, "expected 0..255, got 256"},
        {i128, 1 bsl 127,
            "expected integer() of at most 128 bits (use `Integer` for others), "
            "got 170141183460469231731687303715884105728"},
        {f64, 1, "expected float(), got 1"},
        {string, <<255>>, "expected binary() of UTF-8 (use `Binary` for others), got <<255>>"},
        {list, [1, x], "[1]: expected integer(), got x"},
        {list, [1 | 2], "expected [integer()], got [1|2]"},
        {tuple, {1, {false, 2}, <<>>}, "1.1: expected atom(), got 2"},
        {tree, #{{k} => [1, x]}, "{k}[1]: expected 0..255, got x"},
        {request, {add, x}, "1: expected non_neg_integer(), got x"},
        {request, "other",
            "expected get | {add, non_neg_integer()} | {add, -128..127, integer()} | pid() | "
            "{atom(), undefined | float()}, got \"other\""},
        {options, #{name => <<"a">>, type => b, timeout => soon}, "timeout: expected timeout(), got soon"},
        {options, #{name => <<"a">>}, "type: expected atom(), got no such key in #{name => <<\"a\">>}"}
    ].

%% Terms of any depth are read or refused, on every kind of scheduler.
depth() ->
    Tuples = fun(Depth) -> lists:foldl(fun(_, Inner) -> {Inner} end, leaf, lists:seq(1, Depth)) end,
    Lists = fun(Depth) -> lists:foldl(fun(_, Inner) -> [Inner] end, [], lists:seq(1, Depth)) end,
    [same({depth, Term}, {ok, Term}, Read(Term))
        || Term <- [Tuples(127), Lists(126), Tuples(16384), Lists(16383)], Read <- [fun terms_vm:owned/1, fun terms_vm:owned_dirty/1]],
    [case Read(Term) of
         {error, _} -> ok;
         Other -> io:format("a deep term gave ~0tP~n", [Other, 20])
     end || Term <- [Tuples(1000000), Lists(1000000)],
            Read <- [fun terms_vm:owned/1, fun terms_vm:owned_dirty/1, fun(Nested) -> typed(nested, Nested) end]].

%% Bytes from outside create no atoms.
unknown_atoms() ->
    Unknown = [<<131, 119, 9, "no_atom_1">>, <<131, 88, 119, 9, "no_atom_1", 1:32, 1:32, 1:32>>],
    [same({unknown, Bytes}, refused, try decoded(Bytes) catch error:_ -> refused end) || Bytes <- Unknown],
    same(atom, none, try binary_to_existing_atom(<<"no_atom_1">>) catch error:badarg -> none end).
