%% Texts of terms in the reports of the run time.
-module(otp_rs_tests).
-include_lib("eunit/include/eunit.hrl").

%% A VM whose range of printable characters is Latin-1 writes other texts as texts, too.
beyond_latin_1_is_a_text_test() ->
    ?assertEqual("{name,[\"ひと\"]}", written({name, ["ひと"]}, 100)),
    ?assertEqual("#{who => <<\"ひと\"/utf8>>}", written(#{who => <<"ひと"/utf8>>}, 100)).

other_terms_are_those_of_io_lib_test() ->
    Terms = [[], [1 | 2], "text", <<>>, <<"text">>, <<255, 254>>, <<1:3>>, 'an atom', 1.5, {}, {1}, #{}, #{1 => [2]}, fun lists:map/2],
    [?assertEqual(lists:flatten(io_lib:format("~0tp", [Term])), written(Term, 1000)) || Term <- Terms].

a_long_term_is_cut_test_() ->
    Long = [lists:duplicate(100000, 16#3042), lists:duplicate(100000, {16#3042}), maps:from_list([{N, N} || N <- lists:seq(1, 10000)])],
    [fun() -> ?assert(length(written(Term, 200)) < 400) end || Term <- Long].

written(Term, Most) ->
    unicode:characters_to_list(otp_rs:written(Term, Most)).
