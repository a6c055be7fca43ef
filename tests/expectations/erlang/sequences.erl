%% Lists, proper and not, and text.
-module(sequences).
-export([accepted/0, refused/0]).
-export_type([
    nothing/0, pids/0, some_atoms/0, any_list/0, any_nonempty/0, text/0, some_text/0, maybe_improper/0, improper/0, chardata/0,
    bytes_or_text/0, nested/0, pairs/0, empty_or_tail/0, several/0, any_improper/0
]).

-type nothing() :: [].
-type pids() :: [pid()].
-type some_atoms() :: [atom(), ...].
-type any_list() :: list().
-type any_nonempty() :: nonempty_list().
-type text() :: string().
-type some_text() :: nonempty_string().
-type maybe_improper() :: maybe_improper_list(atom(), binary()).
-type any_improper() :: maybe_improper_list().
-type improper() :: nonempty_improper_list(0..9, atom()).
-type chardata() :: maybe_improper_list(char() | binary() | chardata(), binary() | []).
-type bytes_or_text() :: binary() | string().
-type nested() :: [[{atom(), [boolean()]}]].
-type pairs() :: [{Key :: atom(), Value :: integer()}].
-type empty_or_tail() :: [] | nonempty_improper_list(atom(), integer()).
-type several() :: [atom()] | [pid(), ...] | not_a_list.

accepted() ->
    [{nothing, []}, {pids, []}, {pids, [self(), self()]}, {some_atoms, [a]}, {any_list, [a, 1, "b"]}, {any_nonempty, [[]]},
     {text, ""}, {text, "caf\x{e9}"}, {some_text, "a"}, {maybe_improper, []}, {maybe_improper, [a, b]},
     {maybe_improper, [a | <<"b">>]}, {any_improper, [1, 2 | 3]}, {any_improper, []}, {improper, [1, 2 | three]},
     {chardata, "abc"}, {chardata, [$a, <<"b">>, ["c" | <<"d">>] | <<"e">>]}, {bytes_or_text, <<"a">>}, {bytes_or_text, "a"},
     {nested, [[], [{a, [true]}]]}, {pairs, [{a, 1}]}, {empty_or_tail, []}, {empty_or_tail, [a | 1]},
     {several, [a]}, {several, [self()]}, {several, []}, {several, not_a_list}].

refused() ->
    [{nothing, [a], "1: expected [], got [a]"},
     {pids, [self(), a], "1[1]: expected pid(), got a"},
     {pids, [self() | self()], "1: expected [pid()]"},
     {some_atoms, [], "1: expected [atom(), ...], got []"},
     {some_atoms, [a, 1], "1[1]: expected atom(), got 1"},
     {some_text, "", "1: expected nonempty_string(), got []"},
     {maybe_improper, [a | b], "1[1]: expected binary(), got b"},
     {improper, [1], "1: expected nonempty_improper_list(0..9, atom()), got [1]"},
     {improper, [10 | a], "1[0]: expected 0..9, got 10"},
     {nested, [[{a, [true, 'maybe']}]], "1[0][0].1[1]: expected boolean(), got 'maybe'"},
     {pairs, [{a, 1}, {b, c}], "1[1].1: expected integer(), got c"}].
