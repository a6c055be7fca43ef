%% Terms as JSON, for a page. OTP has no module for it before 27.
-module(otp_rs_observer_json).
-export([encode/1, text/2, characters/1]).
-export_type([json/0]).

%% `null`, `true` and `false` are themselves, any other atom is a text. A list is an array, so texts
%% are binaries.
-type json() :: atom() | integer() | float() | binary() | [json()] | #{atom() | binary() => json()}.

-spec encode(json()) -> iodata().
encode(null) -> <<"null">>;
encode(true) -> <<"true">>;
encode(false) -> <<"false">>;
encode(Atom) when is_atom(Atom) -> string(atom_to_binary(Atom), <<$">>);
encode(Number) when is_integer(Number) -> integer_to_binary(Number);
encode(Number) when is_float(Number) -> float_to_binary(Number, [short]);
encode(Text) when is_binary(Text) -> string(Text, <<$">>);
encode(List) when is_list(List) -> [$[, lists:join($,, [encode(Element) || Element <- List]), $]];
encode(Map) when is_map(Map) ->
    [${, lists:join($,, [[encode(Key), $:, encode(Value)] || {Key, Value} <- maps:to_list(Map)]), $}].

%% Returns a term as Erlang writes it, on one line and with about this number of characters at most.
-spec text(term(), pos_integer()) -> binary().
text(Term, Most) ->
    %% A node with an application of otp-rs can write texts beyond Latin-1 even without `+pc`.
    characters(case erlang:function_exported(otp_rs, written, 2) of
        true -> otp_rs:written(Term, Most);
        false -> io_lib:format("~0tp", [Term], [{chars_limit, Most}])
    end).

%% Returns the text up to the first element that is not a character.
-spec characters(unicode:chardata()) -> binary().
characters(Text) ->
    case unicode:characters_to_binary(Text) of
        Binary when is_binary(Binary) -> Binary;
        {_, Good, _} -> <<Good/binary, 16#FFFD/utf8>>
    end.

%% A byte that is not UTF-8 becomes U+FFFD.
-spec string(binary(), binary()) -> binary().
string(<<$", Rest/binary>>, Out) -> string(Rest, <<Out/binary, "\\\"">>);
string(<<$\\, Rest/binary>>, Out) -> string(Rest, <<Out/binary, "\\\\">>);
string(<<$\n, Rest/binary>>, Out) -> string(Rest, <<Out/binary, "\\n">>);
string(<<Control, Rest/binary>>, Out) when Control < 16#20 ->
    string(Rest, <<Out/binary, (iolist_to_binary(io_lib:format("\\u~4.16.0b", [Control])))/binary>>);
string(<<Character/utf8, Rest/binary>>, Out) -> string(Rest, <<Out/binary, Character/utf8>>);
string(<<_, Rest/binary>>, Out) -> string(Rest, <<Out/binary, 16#FFFD/utf8>>);
string(<<>>, Out) -> <<Out/binary, $">>.
