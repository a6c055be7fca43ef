#!/usr/bin/env escript
%%! +pc unicode
%% Answers questions about terms in Erlang: one question and one answer per line, in hexadecimal.
-mode(compile).

main(_) ->
    io:setopts(standard_io, [binary, {encoding, latin1}]),
    answer(io:get_line("")).

answer(eof) ->
    ok;
answer(Line) ->
    [Question, Hex] = binary:split(string:trim(Line, trailing, "\n"), <<" ">>),
    Answer = try question(Question, binary:decode_hex(Hex))
             catch Class:Reason -> unicode:characters_to_binary(io_lib:format("~tp:~tp", [Class, Reason]))
             end,
    io:put_chars([binary:encode_hex(Answer), $\n]),
    answer(io:get_line("")).

%% Returns the bytes of the term with this text.
question(<<"read">>, Text) ->
    {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list(<<Text/binary, ".">>)),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    {value, Term, _} = erl_eval:exprs(Expressions, []),
    term_to_binary(Term, [deterministic]);
%% Returns the text of the term with these bytes. The keys of its maps are in order, which is an
%% option since OTP 26.
question(<<"print">>, Bytes) ->
    Format = case release() < 26 of true -> "~0tp"; false -> "~0ktp" end,
    unicode:characters_to_binary(io_lib:format(Format, [binary_to_term(Bytes)]));
%% Returns the bytes with which Erlang encodes the term with these bytes.
question(<<"again">>, Bytes) ->
    term_to_binary(binary_to_term(Bytes), [deterministic]);
question(<<"as_it_is">>, Bytes) ->
    term_to_binary(binary_to_term(Bytes));
question(<<"release">>, <<>>) ->
    integer_to_binary(release());
%% Compares all terms of a list with each other. Returns a row for each term, with a byte for each
%% comparison.
question(<<"compare">>, Bytes) ->
    Terms = binary_to_term(Bytes),
    << <<(compare(Left, Right))>> || Left <- Terms, Right <- Terms >>;
%% Returns the compiler's messages about a module with these forms.
question(<<"compile">>, Text) ->
    Forms = forms(unicode:characters_to_list(<<"-module(m).\n", Text/binary>>), 1),
    case compile:forms(Forms, [binary, return, warnings_as_errors]) of
        {ok, m, _, []} -> <<"ok">>;
        Wrong -> unicode:characters_to_binary(io_lib:format("~tp", [Wrong]))
    end.

release() ->
    list_to_integer(erlang:system_info(otp_release)).

forms(Text, Line) ->
    case erl_scan:tokens([], Text, Line) of
        {done, {ok, Tokens, Next}, Rest} ->
            {ok, Form} = erl_parse:parse_form(Tokens),
            [Form | forms(Rest, Next)];
        {done, {eof, _}, _} -> [];
        {more, _} -> []
    end.

compare(Left, Right) when Left < Right -> $<;
compare(Left, Right) when Left > Right -> $>;
compare(Left, Right) when Left =:= Right -> $=;
compare(_, _) -> $~.
