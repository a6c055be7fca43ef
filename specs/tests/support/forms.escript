#!/usr/bin/env escript
%% -*- erlang -*-
%% Prints what OTP itself reads: every type-level form of the files named on standard input, as the
%% JSON lines that `otp_specs::json::line` writes. Arguments: OUT [INCLUDE_DIRECTORY...].
%%
%% Elixir's `Code.Typespec` reads BEAM files of Elixir's compiler. Their lines are sorted: types,
%% specs and callbacks, and a line "typep NAME/ARITY" for each type that is not exported.
%%
%% A line "@ FILE" stands before the forms of each file, and "! LINE" for each error of epp.
-mode(compile).

-define(KINDS, [type, opaque, nominal, spec, callback, record, native_record, export_type,
                optional_callbacks]).

main([Out | Includes]) ->
    io:setopts([{encoding, utf8}]),
    {ok, Device} = file:open(Out, [write, raw, {delayed_write, 1 bsl 20, 1000}]),
    each_file(Device, Includes),
    ok = file:close(Device).

each_file(Device, Includes) ->
    case io:get_line("") of
        eof -> ok;
        Line ->
            File = string:trim(Line),
            Lines = try lines(File, filename:extension(File), Includes)
                    catch _:Reason -> [["! crash ", io_lib:format("~0p", [Reason]), $\n]]
                    end,
            ok = file:write(Device, unicode:characters_to_binary(["@ ", File, $\n, Lines])),
            each_file(Device, Includes)
    end.

lines(File, ".elixir", _) ->
    Beam = filename:rootname(File, ".elixir") ++ ".beam",
    true = code:add_path(filename:join([filename:dirname(Beam), "../../elixir/ebin"])),
    Module = list_to_atom(filename:basename(Beam, ".beam")),
    {ok, Bytes} = file:read_file(Beam),
    Fetched = fun(Function) ->
                      case 'Elixir.Code.Typespec':Function(Bytes) of {ok, Found} -> Found; error -> [] end
              end,
    Types = Fetched(fetch_types),
    Private = [["typep ", term(Name), $/, integer_to_list(length(Parameters)), $\n]
               || {typep, {Name, _, Parameters}} <- Types],
    Forms = [{case Kind of typep -> type; _ -> Kind end, Type} || {Kind, Type} <- Types]
        ++ [{spec, Spec} || Spec <- Fetched(fetch_specs)]
        ++ [{callback, Callback} || Callback <- Fetched(fetch_callbacks)],
    lists:sort([unicode:characters_to_list(line(File, Module, Kind, Value, true)) || {Kind, Value} <- Forms]
               ++ [unicode:characters_to_list(Line) || Line <- Private]);
lines(File, ".beam", _) ->
    case beam_lib:chunks(File, [abstract_code]) of
        {ok, {Module, [{abstract_code, {_, Forms}}]}} ->
            [begin
                 %% A parse transform may have inserted other attributes before it.
                 [Main | _] = [Name || {attribute, _, file, {Name, _}} <- Forms],
                 forms(Forms, File, Module, Main, true)
             end];
        _ -> []
    end;
lines(File, ".chunk", _) ->
    {ok, Bytes} = file:read_file(File),
    {docs_v1, _, _, _, _, Metadata, Docs} = binary_to_term(Bytes),
    %% EDoc of OTP 27 leaves out the name. The file has the name of its module.
    Module = case Metadata of
                 #{name := Name} -> binary_to_atom(Name);
                 #{} -> list_to_atom(filename:basename(File, ".chunk"))
             end,
    Forms = lists:append([maps:get(signature, M, []) || {_, _, _, _, M} <- Docs]),
    Known = [{Type, length(Parameters)} || {attribute, _, Kind, {Type, _, Parameters}} <- Forms,
                                           Kind =:= type orelse Kind =:= opaque],
    Others = [maps:get(Key, maps:get(types, Metadata, #{}))
              || Key <- lists:sort(maps:keys(maps:get(types, Metadata, #{}))),
                 not lists:member(Key, Known)],
    forms(Forms ++ Others, File, Module, File, true);
lines(File, _, Includes) ->
    {ok, Epp} = epp:open([{name, File}, {includes, Includes}, {location, {1, 1}}]),
    Forms = parse(Epp),
    epp:close(Epp),
    forms(Forms, File, undefined, File, true).

parse(Epp) ->
    case epp:parse_erl_form(Epp) of
        {eof, _} -> [];
        {ok, Form} -> [Form | parse(Epp)];
        {error, Error} -> [{error, Error} | parse(Epp)];
        {warning, _} -> parse(Epp)
    end.

forms([{attribute, _, file, {Name, _}} | Forms], File, Module, Main, _) ->
    forms(Forms, File, Module, Main, Name =:= Main);
forms([{attribute, _, module, Name} | Forms], File, _, Main, Own) ->
    forms(Forms, File, module_name(Name), Main, Own);
forms([{attribute, _, Kind, Value} | Forms], File, Module, Main, Own) ->
    Line = case lists:member(Kind, ?KINDS) of
               true -> line(File, Module, Kind, Value, Own);
               false -> []
           end,
    [Line | forms(Forms, File, Module, Main, Own)];
forms([{error, {Location, _, _}} | Forms], File, Module, Main, Own) ->
    [error_line(Location) | forms(Forms, File, Module, Main, Own)];
forms([_ | Forms], File, Module, Main, Own) ->
    forms(Forms, File, Module, Main, Own);
forms([], _, _, _, _) ->
    [].

module_name({Name, _}) -> Name;
module_name(Name) -> Name.

error_line({Line, _}) -> error_line(Line);
error_line(Line) -> ["! ", integer_to_list(Line), $\n].

line(File, Module, Kind, Value, Own) ->
    {Name, Arity} = head(Kind, Value),
    ["{\"file\":", text(File),
     ",\"module\":", case Module of undefined -> "null"; _ -> term(Module) end,
     ",\"kind\":", term(Kind),
     ",\"name\":", case Name of none -> "null"; {name, N} -> term(N) end,
     ",\"arity\":", integer_to_list(Arity),
     ",\"own\":", atom_to_list(Own),
     ",\"form\":", tuple([term(attribute), term(Kind), value(Kind, Value)]), "}\n"].

head(Kind, {{_, F, A}, _}) when Kind =:= spec; Kind =:= callback -> {{name, F}, A};
head(Kind, {{F, A}, _}) when Kind =:= spec; Kind =:= callback -> {{name, F}, A};
head(Kind, {Name, _, Parameters}) when Kind =:= type; Kind =:= opaque; Kind =:= nominal ->
    {{name, Name}, length(Parameters)};
head(Kind, {Name, Fields}) when Kind =:= record; Kind =:= native_record ->
    {{name, Name}, length(Fields)};
head(_, List) when is_list(List) -> {none, length(List)};
head(_, _) -> {none, 0}.

value(Kind, {Head, Clauses}) when Kind =:= spec; Kind =:= callback ->
    tuple([term(Head), list([bare(C) || C <- Clauses])]);
value(Kind, {Name, Type, Parameters}) when Kind =:= type; Kind =:= opaque; Kind =:= nominal ->
    tuple([term(Name), bare(Type), list([bare(P) || P <- Parameters])]);
value(Kind, {Name, Fields}) when Kind =:= record; Kind =:= native_record ->
    tuple([term(Name), list([field(F) || F <- Fields])]);
value(_, Plain) ->
    term(Plain).

field({typed_record_field, Field, Type}) ->
    tuple([term(typed_record_field), field(Field), bare(Type)]);
field({record_field, _, Name}) ->
    tuple([term(record_field), bare(Name)]);
field({record_field, _, Name, Default}) ->
    tuple([term(record_field), bare(Name), default(Default)]).

%% Literals are kept. Any other default is only marked as present.
default({op, _, '-', {Tag, _, _}} = Node) when Tag =:= integer; Tag =:= float -> bare(Node);
default({Tag, _, _} = Node) when Tag =:= atom; Tag =:= integer; Tag =:= float; Tag =:= char;
                                 Tag =:= string -> bare(Node);
default({nil, _} = Node) -> bare(Node);
default(_) -> term('_default').

%% Returns a node of the abstract format without its annotation.
bare({string, _, Text}) ->
    tuple([term(string), case lists:all(fun is_character/1, Text) of
                             true -> ["{\"s\":", text(Text), "}"];
                             false -> list([term(C) || C <- Text])
                         end]);
bare(Node) when is_tuple(Node) ->
    [Tag, _ | Rest] = tuple_to_list(Node),
    tuple([term(Tag) | [part(Part) || Part <- Rest]]).

part(Node) when is_tuple(Node) -> bare(Node);
part(Nodes) when is_list(Nodes) -> list([part(Node) || Node <- Nodes]);
part(Plain) -> term(Plain).

is_character(C) -> is_integer(C) andalso C >= 0 andalso C =< 16#10FFFF
                       andalso not (C >= 16#D800 andalso C =< 16#DFFF).

term(Atom) when is_atom(Atom) -> text(atom_to_list(Atom));
term(I) when is_integer(I), abs(I) < 1 bsl 53 -> integer_to_list(I);
term(I) when is_integer(I) -> ["{\"i\":\"", integer_to_list(I), "\"}"];
term(F) when is_float(F) -> ["{\"f\":\"", io_lib:format("~w", [F]), "\"}"];
term(Tuple) when is_tuple(Tuple) -> tuple([term(T) || T <- tuple_to_list(Tuple)]);
term(List) when is_list(List) ->
    try length(List) of
        _ -> list([term(T) || T <- List])
    catch
        error:badarg ->
            {Elements, Tail} = split_tail(List, []),
            ["{\"l\":[", list([term(E) || E <- Elements]), $,, term(Tail), "]}"]
    end;
term(Binary) when is_binary(Binary) ->
    ["{\"b\":\"", [io_lib:format("~2.16.0b", [B]) || <<B>> <= Binary], "\"}"];
term(Map) when is_map(Map) ->
    ["{\"m\":", list([["[", term(K), $,, term(V), "]"] || {K, V} <- lists:sort(maps:to_list(Map))]),
     "}"].

split_tail([H | T], Elements) -> split_tail(T, [H | Elements]);
split_tail(Tail, Elements) -> {lists:reverse(Elements), Tail}.

tuple(Parts) -> ["{\"t\":", list(Parts), "}"].

list(Parts) -> [$[, lists:join($,, Parts), $]].

text(Text) -> [$", [escape(C) || C <- Text], $"].

escape($") -> "\\\"";
escape($\\) -> "\\\\";
escape(C) when C < 32; C =:= 127 -> io_lib:format("\\u~4.16.0b", [C]);
escape(C) -> C.
