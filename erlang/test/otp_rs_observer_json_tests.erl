%% JSON for the page about a node.
-module(otp_rs_observer_json_tests).
-include_lib("eunit/include/eunit.hrl").

each_kind_of_value_test() ->
    ?assertEqual(<<"[null,true,false,\"other\",1,1.5,\"text\",[],{}]">>,
        encode([null, true, false, other, 1, 1.5, <<"text">>, [], #{}])),
    ?assertEqual(<<"{\"a\":{\"b\":[1]}}">>, encode(#{a => #{<<"b">> => [1]}})).

characters_are_escaped_test() ->
    ?assertEqual(<<"\"\\\"\\\\\\n\\u0000\\u001f/ひ\""/utf8>>, encode(<<"\"\\\n", 0, 31, "/ひ"/utf8>>)).

bytes_that_are_no_text_are_replaced_test() ->
    ?assertEqual(<<"\"a", 16#FFFD/utf8, "b\"">>, encode(<<"a", 255, "b">>)),
    ?assertEqual(<<"a", 16#FFFD/utf8>>, otp_rs_observer_json:characters(["a", -1, "b"])).

a_term_is_cut_test() ->
    ?assert(byte_size(otp_rs_observer_json:text(lists:seq(1, 100000), 100)) < 200).

encode(Value) ->
    iolist_to_binary(otp_rs_observer_json:encode(Value)).
