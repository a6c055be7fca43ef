#!/usr/bin/env escript
%% -*- erlang -*-
%%! +S 1 +pc unicode
%% PropEr as the oracle of `cargo xtask values`: generates instances of a module's public types,
%% mutates each of them, and decides for each mutation whether it is an instance.
%%
%% PropEr knows neither maps with keys nor identifiers, and it looks for types in modules that it
%% loads. So all types that a module's types refer to are written into one module, `stub` (and into
%% `judge`, see `judged/1`), and a term is encoded before PropEr sees it:
%%
%%   map          {'$map', ValueOfKey1, ..., [{OtherKey, Value}]}   {'$value', Value}, or '$absent'
%%   tuple        {'$tuple', Element1, ...}, so that no other term is a tuple(), which has at
%%                most 12 elements
%%   identifier   {'$pid'}, {'$port'}, {'$reference'}
%%   fun          {'$fun', Arity}
%%   float        {'$float', Float}, as PropEr takes 1.5 for an instance of 1..2
%%
%% The keys are all atoms that are keys in the types of the module, so that the encoding of a term
%% depends on the term alone.
-mode(compile).

main([Out, Values, Mutations, Paths | Modules]) ->
    [code:add_patha(Path) || Path <- string:lexemes(Paths, ":")],
    ok = filelib:ensure_dir(filename:join(Out, "x")),
    put(out, Out),
    Counts = {list_to_integer(Values), list_to_integer(Mutations)},
    [module(list_to_atom(Module), Out, Counts) || Module <- Modules],
    init:stop().

module(Module, Out, Counts) ->
    rand:seed(exsss, {1, 2, 3}),
    Types = try stub(Module) catch throw:no_types -> [] end,
    Cases = [{Name, Arity, cases(Name, Arity, Counts)} || {Name, Arity} <- Types],
    Bytes = term_to_binary(Cases, [{minor_version, 2}]),
    ok = file:write_file(filename:join(Out, [atom_to_list(Module), ".cases"]), Bytes).

%% ---------------------------------------------------------------------------------------------
%% Cases

%% Returns [{Value, [{Mutation, IsInstance}]}], or the reason why there are none.
cases(Name, Arity, {Values, Mutations}) ->
    Arguments = lists:join(",", lists:duplicate(Arity, "any()")),
    Text = lists:flatten(io_lib:format("~p(~s)", [Name, Arguments])),
    Of = {user_type, 1, Name, lists:duplicate(Arity, {type, 1, any, []})},
    within(300_000, fun() ->
        ok = typeserver(),
        rand:seed(exsss, {1, 2, erlang:phash2(Name)}),
        case proper_typeserver:translate_type({stub, Text}) of
            {ok, Type} ->
                Picked = [pick(Type, Size) || Size <- sizes(Values)],
                %% Picking has stopped it. One typeserver judges all terms: starting one for each
                %% term would take most of the time, because it reads the module `judge` first.
                ok = typeserver(),
                {ok, _} = proper_typeserver:translate_type({judge, "integer()"}),
                [one(Encoded, Of, Mutations) || Encoded <- Picked, Encoded =/= none];
            {error, Reason} ->
                {none, why(Reason)}
        end
    end).

typeserver() ->
    catch proper_typeserver:stop(),
    Known = get(reference),
    erase(),
    _ = Known =/= undefined andalso put(reference, Known),
    proper_typeserver:start().

why({missing_type, _, {type, Name, _}}) -> lists:flatten(io_lib:format("~p is not known to PropEr", [Name]));
why({unsupported, _, _}) -> "not supported by PropEr";
why({Reason, _}) when is_atom(Reason) -> atom_to_list(Reason);
why({Reason, _, _}) when is_atom(Reason) -> atom_to_list(Reason);
why(Reason) when is_atom(Reason) -> atom_to_list(Reason);
why(Reason) -> lists:flatten(io_lib:format("~P", [Reason, 8])).

sizes(Values) -> [1 + (Index * 12) div max(1, Values) || Index <- lists:seq(0, Values - 1)].

one(Encoded, Of, Mutations) ->
    Value = decode(Encoded),
    {Value, is_instance(encode(Value), Of), [begin
        Mutation = mutate(Value),
        {Mutation, is_instance(encode(Mutation), Of)}
    end || _ <- lists:seq(1, Mutations)]}.

pick(Type, Size) ->
    case catch proper_gen:pick(Type, Size) of
        {ok, Encoded} -> case erts_debug:flat_size(Encoded) of
            Small when Small < 20000 -> Encoded;
            _ -> none
        end;
        _ -> none
    end.

is_instance(Encoded, Of) ->
    case catch proper_typeserver:is_instance(Encoded, judge, Of) of
        true -> true;
        false -> case has_large_tuple(Encoded) of true -> unknown; false -> false end;
        _ -> unknown
    end.

%% Returns whether the term has a tuple that is too large for a tuple().
has_large_tuple(Tuple) when is_tuple(Tuple) ->
    tuple_size(Tuple) > 13 andalso element(1, Tuple) =:= '$tuple' orelse lists:any(fun has_large_tuple/1, tuple_to_list(Tuple));
has_large_tuple([Head | Tail]) -> has_large_tuple(Head) orelse has_large_tuple(Tail);
has_large_tuple(_) -> false.

within(Time, Do) ->
    %% A reason with arguments of PropEr's functions could be so large that there is no memory for a
    %% copy.
    Done = fun() -> try Do() catch _:Reason -> {none, lists:flatten(io_lib:format("~P", [Reason, 8]))} end end,
    {Pid, Monitor} = spawn_opt(fun() -> exit({done, Done()}) end,
        [monitor, {max_heap_size, #{size => 40_000_000, kill => true, error_logger => false}}]),
    receive
        {'DOWN', Monitor, process, Pid, {done, {none, Why}}} -> {none, Why};
        {'DOWN', Monitor, process, Pid, {done, Cases}} ->
            case Cases of
                [] -> {none, "PropEr generates none"};
                Some -> Some
            end;
        {'DOWN', Monitor, process, Pid, killed} -> {none, "PropEr takes too much memory"};
        {'DOWN', Monitor, process, Pid, Reason} -> {none, lists:flatten(io_lib:format("~P", [Reason, 8]))}
    after Time ->
        exit(Pid, kill),
        receive {'DOWN', Monitor, process, Pid, _} -> ok end,
        {none, "PropEr takes too much time"}
    end.

%% ---------------------------------------------------------------------------------------------
%% The module `stub`

stub(Module) ->
    put(keys, []), put(seen, []),
    Public = public(Module),
    Public =/= [] orelse throw(no_types),
    Forms = close([{Module, Name, Arity} || {Name, Arity} <- Public], []),
    Keys = lists:usort(get(keys)),
    persistent_term:put(keys, Keys),
    Types = [{attribute, 1, type, bound(Name, with_maps(Type, Keys), Parameters)} || {Name, Type, Parameters} <- Forms],
    load(stub, [{name(Module, N), A} || {N, A} <- Public], Types),
    load(judge, [{name(Module, N), A} || {N, A} <- Public], judged(Types)),
    [{name(Module, Name), Arity} || {Name, Arity} <- Public].

%% The compiler refuses parameters without a use, and variables that are not parameters.
bound(Name, Type, Parameters) ->
    Used = variables(Type),
    Bound = [Variable || {var, _, Variable} <- Parameters],
    Kept = [case lists:member(Variable, Used) of true -> Parameter; false -> ignored(Parameter) end
        || {var, _, Variable} = Parameter <- Parameters],
    {Name, with_any(Type, [Variable || Variable <- Used, not lists:member(Variable, Bound)]), Kept}.

variables({var, _, Name}) -> [Name];
variables(Tuple) when is_tuple(Tuple) -> variables(tuple_to_list(Tuple));
variables([Head | Tail]) -> variables(Head) ++ variables(Tail);
variables(_) -> [].

with_any({var, _, Name} = Variable, Unbound) ->
    case lists:member(Name, Unbound) of true -> {type, 1, any, []}; false -> Variable end;
with_any(Tuple, Unbound) when is_tuple(Tuple) -> list_to_tuple(with_any(tuple_to_list(Tuple), Unbound));
with_any([Head | Tail], Unbound) -> [with_any(Head, Unbound) | with_any(Tail, Unbound)];
with_any(Other, _) -> Other.

load(Stub, Exported, Types) ->
    Ready = [{attribute, 1, module, Stub}, {attribute, 1, export_type, Exported} | Types],
    {ok, Stub, Beam} = compile:forms(Ready, [debug_info, nowarn_unused_type]),
    Folder = filename:join(filename:absname(get(out)), "stubs"),
    File = filename:join(Folder, atom_to_list(Stub)),
    ok = filelib:ensure_dir(File),
    ok = file:write_file(File ++ ".beam", Beam),
    code:add_patha(Folder), code:purge(Stub), code:delete(Stub), code:purge(Stub),
    {module, Stub} = code:load_file(Stub).

%% PropEr fails to judge any other term than [] by the type `[]`, so the types with which it judges
%% have a list of an atom that no term contains.
judged({type, Line, nil, []}) -> {type, Line, list, [{atom, Line, '$never'}]};
judged(Tuple) when is_tuple(Tuple) -> list_to_tuple(judged(tuple_to_list(Tuple)));
judged([Head | Tail]) -> [judged(Head) | judged(Tail)];
judged(Other) -> Other.

name(Module, Name) -> list_to_atom(lists:concat([Module, ":", Name])).

public(Module) ->
    Forms = forms(Module),
    Exported = lists:append([Types || {attribute, _, export_type, Types} <- Forms]),
    lists:usort([{Name, length(Parameters)} || {attribute, _, Kind, {Name, _, Parameters}} <- Forms,
        Kind =:= type orelse Kind =:= opaque, lists:member({Name, length(Parameters)}, Exported)]).

forms(Module) ->
    case get({forms, Module}) of
        undefined -> Forms = read(Module), put({forms, Module}, Forms), Forms;
        Forms -> Forms
    end.

read(Module) ->
    case code:get_object_code(Module) of
        {Module, Bytes, _} -> case beam_lib:chunks(Bytes, [debug_info]) of
            {ok, {_, [{debug_info, {debug_info_v1, Backend, Data}}]}} ->
                case Backend:debug_info(erlang_v1, Module, Data, []) of
                    {ok, Forms} -> Forms;
                    _ -> []
                end;
            _ -> []
        end;
        error -> []
    end.

%% Returns every type that these refer to, as {Name, Type, Parameters}.
close([], Done) -> Done;
close([What | Open], Done) ->
    case lists:member(What, get(seen)) of
        true -> close(Open, Done);
        false ->
            put(seen, [What | get(seen)]), put(open, []),
            Form = definition(What),
            close(get(open) ++ Open, [Form | Done])
    end.

definition({Module, {record, Name}, 0} = What) ->
    case [Fields || {attribute, _, record, {Found, Fields}} <- forms(Module), Found =:= Name] of
        [Fields | _] -> {of_what(What), record(Module, Name, Fields, []), []};
        [] -> {of_what(What), {type, 1, any, []}, []}
    end;
definition({Module, Name, Arity} = What) ->
    Found = [{Kind, Type, Parameters} || {attribute, _, Kind, {N, Type, Parameters}} <- forms(Module),
        N =:= Name, length(Parameters) =:= Arity, Kind =:= type orelse Kind =:= opaque],
    case Found of
        [{type, Type, Parameters} | _] -> {of_what(What), type(Module, Type), Parameters};
        %% Another version of the module may use other parts, so only the kind of the term is
        %% compared.
        [{opaque, Type, Parameters} | _] -> {of_what(What), type(Module, kind(Module, Type, 20)), [ignored(P) || P <- Parameters]};
        [] -> {of_what(What), {type, 1, any, []}, [{var, 1, list_to_atom("_V" ++ integer_to_list(I))} || I <- lists:seq(1, Arity)]}
    end.

ignored({var, _, '_'} = Parameter) -> Parameter;
ignored({var, Line, Name}) -> {var, Line, list_to_atom("_" ++ atom_to_list(Name))}.

of_what({Module, {record, Name}, 0}) -> name(Module, "#" ++ atom_to_list(Name));
of_what({Module, Name, _}) -> name(Module, Name).

refer(Module, Name, Arguments) ->
    What = {Module, Name, length(Arguments)},
    put(open, [What | get(open)]),
    {user_type, 1, of_what(What), Arguments}.

record(Module, Name, Fields, Refined) ->
    Type = fun(Field) ->
        {FieldName, Declared} = case Field of
            {typed_record_field, Plain, T} -> {field(Plain), T};
            Plain -> {field(Plain), {type, 1, any, []}}
        end,
        type(Module, proplists:get_value(FieldName, Refined, Declared))
    end,
    tuple_of([{atom, 1, Name} | lists:map(Type, Fields)]).

field({record_field, _, {atom, _, Name}}) -> Name;
field({record_field, _, {atom, _, Name}, _}) -> Name.

%% Returns the type with the parts encoded that PropEr does not know. Maps stay maps with their
%% keys.
type(M, {ann_type, _, [_, Type]}) -> type(M, Type);
type(M, {paren_type, _, [Type]}) -> type(M, Type);
type(M, {remote_type, _, [{atom, _, Other}, {atom, _, Name}, Arguments]}) ->
    _ = M, refer(Other, Name, [type(M, A) || A <- Arguments]);
type(M, {user_type, _, Name, Arguments}) -> refer(M, Name, [type(M, A) || A <- Arguments]);
type(M, {type, _, record, [{atom, _, Name}]}) -> refer(M, {record, Name}, []);
type(M, {type, _, record, [{atom, _, Name} | Refined]}) ->
    Fields = [Fields || {attribute, _, record, {Found, Fields}} <- forms(M), Found =:= Name],
    record(M, Name, hd(Fields), [{F, T} || {type, _, field_type, [{atom, _, F}, T]} <- Refined]);
type(_, {type, _, pid, []}) -> tagged('$pid', []);
type(_, {type, _, port, []}) -> tagged('$port', []);
type(_, {type, _, reference, []}) -> tagged('$reference', []);
type(_, {type, _, identifier, []}) -> union([tagged('$pid', []), tagged('$port', []), tagged('$reference', [])]);
type(_, {type, _, float, []}) -> tagged('$float', [{type, 1, float, []}]);
type(M, {type, _, number, []}) -> union([{type, 1, integer, []}, type(M, {type, 1, float, []})]);
type(_, {type, _, Fun, []}) when Fun =:= 'fun'; Fun =:= function -> tagged('$fun', [range(0, 255)]);
type(_, {type, _, 'fun', [{type, _, any} | _]}) -> tagged('$fun', [range(0, 255)]);
type(_, {type, _, 'fun', [{type, _, product, Arguments} | _]}) -> tagged('$fun', [{integer, 1, length(Arguments)}]);
type(_, {type, _, Atom, []}) when Atom =:= module; Atom =:= node -> {type, 1, atom, []};
type(_, {type, _, Any, []}) when Any =:= term; Any =:= dynamic -> {type, 1, any, []};
type(_, {type, _, mfa, []}) -> tuple_of([{type, 1, atom, []}, {type, 1, atom, []}, range(0, 255)]);
type(_, {type, _, Byte, []}) when Byte =:= byte; Byte =:= arity -> range(0, 255);
type(_, {type, _, char, []}) -> range(0, 16#10FFFF);
type(_, {type, _, string, []}) -> {type, 1, list, [range(0, 16#10FFFF)]};
type(_, {type, _, nonempty_string, []}) -> {type, 1, nonempty_list, [range(0, 16#10FFFF)]};
type(_, {type, _, nonempty_binary, []}) -> {type, 1, binary, [{integer, 1, 8}, {integer, 1, 8}]};
type(_, {type, _, nonempty_bitstring, []}) -> {type, 1, binary, [{integer, 1, 1}, {integer, 1, 1}]};
type(_, {type, _, list, []}) -> {type, 1, list, [{type, 1, any, []}]};
type(_, {type, _, map, any}) -> any_map();
type(M, {type, _, map, Fields}) ->
    {map, [{Required =:= map_field_exact, map_key(M, Key), type(M, Value)} || {type, _, Required, [Key, Value]} <- Fields]};
type(_, {type, _, tuple, any}) -> union([tuple_of(lists:duplicate(Size, {type, 1, any, []})) || Size <- lists:seq(0, 12)]);
type(M, {type, _, tuple, Elements}) -> tuple_of([type(M, Element) || Element <- Elements]);
type(M, {type, Line, Name, Arguments}) when is_list(Arguments), Name =/= binary, Name =/= range ->
    {type, Line, Name, [type(M, Argument) || Argument <- Arguments]};
type(_, {op, _, _, _} = Op) -> {integer, 1, value(Op)};
type(_, {op, _, _, _, _} = Op) -> {integer, 1, value(Op)};
type(_, {char, Line, Value}) -> {integer, Line, Value};
type(_, {type, Line, Name, Arguments}) -> {type, Line, Name, [case value(A) of V -> {integer, 1, V} end || A <- Arguments]};
type(_, Other) -> Other.

value({integer, _, Value}) -> Value;
value({char, _, Value}) -> Value;
value(Op) -> {value, Value, _} = erl_eval:expr(Op, []), Value.

map_key(M, Key) ->
    case type(M, Key) of
        {atom, _, Name} = Atom -> put(keys, [Name | get(keys)]), Atom;
        Other -> Other
    end.

tagged(Tag, Rest) -> {type, 1, tuple, [{atom, 1, Tag} | Rest]}.
tuple_of(Types) -> tagged('$tuple', Types).
range(Low, High) -> {type, 1, range, [{integer, 1, Low}, {integer, 1, High}]}.
union([Type]) -> Type;
union(Types) -> {type, 1, union, Types}.
any_map() -> {map, [{false, {type, 1, any, []}, {type, 1, any, []}}]}.

%% Encodes maps as tuples of the values of all keys.
with_maps({map, Fields}, Keys) ->
    Values = [value_of(Key, Fields, Keys) || Key <- Keys],
    Pairs = [{type, 1, tuple, [with_maps(Key, Keys), with_maps(Value, Keys)]} || {_, Key, Value} <- Fields, not is_atom_type(Key)],
    Others = case Pairs of
        [] -> {type, 1, nil, []};
        _ -> {type, 1, list, [union(Pairs)]}
    end,
    tagged('$map', Values ++ [Others]);
with_maps({type, Line, Name, Arguments}, Keys) when is_list(Arguments) ->
    {type, Line, Name, [with_maps(Argument, Keys) || Argument <- Arguments]};
with_maps({user_type, Line, Name, Arguments}, Keys) ->
    {user_type, Line, Name, [with_maps(Argument, Keys) || Argument <- Arguments]};
with_maps(Other, _) -> Other.

is_atom_type({atom, _, _}) -> true;
is_atom_type(_) -> false.

%% The leftmost association that has the key counts.
value_of(Key, Fields, Keys) ->
    Required = lists:any(fun({Exact, Type, _}) -> Exact andalso Type =:= {atom, element(2, Type), Key} end, Fields),
    case lists:dropwhile(fun({_, Type, _}) -> not may_have(Type, Key) end, Fields) of
        [] -> {atom, 1, '$absent'};
        [{_, _, Value} | _] when Required -> tagged('$value', [with_maps(Value, Keys)]);
        [{_, _, Value} | _] -> union([{atom, 1, '$absent'}, tagged('$value', [with_maps(Value, Keys)])])
    end.

may_have({atom, _, Name}, Key) -> Name =:= Key;
may_have({type, _, Any, []}, _) when Any =:= any; Any =:= atom -> true;
may_have({type, _, boolean, []}, Key) -> is_boolean(Key);
may_have({type, _, union, Types}, Key) -> lists:any(fun(Type) -> may_have(Type, Key) end, Types);
may_have({var, _, _}, _) -> true;
may_have({user_type, _, Name, Arguments}, Key) ->
    [Module, Type] = string:split(atom_to_list(Name), ":"),
    case get({having, Name, Key}) of
        undefined ->
            put({having, Name, Key}, false),
            put(open, []),
            {_, Body, _} = definition({list_to_atom(Module), list_to_atom(Type), length(Arguments)}),
            Has = may_have(Body, Key),
            put({having, Name, Key}, Has), Has;
        Has -> Has
    end;
may_have(_, _) -> false.

%% Returns the kinds of terms of an opaque type.
kind(_, _, 0) -> {type, 1, any, []};
kind(M, {ann_type, _, [_, Type]}, D) -> kind(M, Type, D - 1);
kind(M, {type, _, union, Types}, D) -> union([kind(M, Type, D - 1) || Type <- Types]);
kind(_, {remote_type, _, [{atom, _, Other}, {atom, _, Name}, Arguments]}, D) -> kind_of(Other, Name, Arguments, D);
kind(M, {user_type, _, Name, Arguments}, D) -> kind_of(M, Name, Arguments, D);
kind(_, {atom, _, _}, _) -> {type, 1, atom, []};
kind(_, {integer, _, _}, _) -> {type, 1, integer, []};
kind(_, {type, _, Tuple, _}, _) when Tuple =:= tuple; Tuple =:= record; Tuple =:= mfa -> {type, 1, tuple, any};
kind(_, {type, _, map, _}, _) -> {type, 1, map, any};
kind(_, {type, _, binary, _}, _) -> {type, 1, bitstring, []};
kind(_, {type, _, 'fun', _}, _) -> {type, 1, 'fun', []};
kind(_, {type, _, List, _}, _) when List =:= list; List =:= nil; List =:= nonempty_list; List =:= maybe_improper_list; List =:= nonempty_improper_list; List =:= string ->
    {type, 1, maybe_improper_list, [{type, 1, any, []}, {type, 1, any, []}]};
kind(_, {type, _, Integer, _}, _) when Integer =:= range; Integer =:= integer; Integer =:= non_neg_integer; Integer =:= pos_integer; Integer =:= neg_integer ->
    {type, 1, integer, []};
kind(_, {type, _, Same, []}, _) when Same =:= pid; Same =:= port; Same =:= reference; Same =:= atom; Same =:= float -> {type, 1, Same, []};
kind(_, _, _) -> {type, 1, any, []}.

kind_of(Module, Name, Arguments, D) ->
    case [Type || {attribute, _, _, {N, Type, Parameters}} <- forms(Module), N =:= Name, is_list(Parameters),
                  length(Parameters) =:= length(Arguments)] of
        [Type | _] -> kind(Module, Type, D - 1);
        [] -> {type, 1, any, []}
    end.

%% ---------------------------------------------------------------------------------------------
%% Terms

decode({'$pid'}) -> self();
decode({'$port'}) -> hd(erlang:ports());
decode({'$reference'}) -> persistent_reference();
decode({'$float', Float}) when is_float(Float) -> Float;
decode({'$fun', Arity}) -> erlang:make_fun(m, f, Arity);
decode(Map) when is_tuple(Map), tuple_size(Map) > 1, element(1, Map) =:= '$map' ->
    Keys = persistent_term:get(keys),
    case tuple_size(Map) =:= length(Keys) + 2 of
        true ->
            [_ | Parts] = tuple_to_list(Map),
            {Values, [Others]} = lists:split(length(Keys), Parts),
            Known = [{Key, decode(Value)} || {Key, {'$value', Value}} <- lists:zip(Keys, Values)],
            maps:from_list([{decode(Key), decode(Value)} || {Key, Value} <- Others] ++ Known);
        false -> #{}
    end;
decode(Tuple) when is_tuple(Tuple), tuple_size(Tuple) > 0, element(1, Tuple) =:= '$tuple' ->
    list_to_tuple([decode(Element) || Element <- tl(tuple_to_list(Tuple))]);
decode(Tuple) when is_tuple(Tuple) -> list_to_tuple([decode(Part) || Part <- tuple_to_list(Tuple)]);
decode([Head | Tail]) -> [decode(Head) | decode(Tail)];
decode(Fun) when is_function(Fun) -> erlang:make_fun(m, f, 0);
decode(Map) when is_map(Map) -> maps:from_list([{decode(Key), decode(Value)} || {Key, Value} <- maps:to_list(Map)]);
decode(Other) -> Other.

persistent_reference() ->
    case get(reference) of
        undefined -> put(reference, make_ref()), get(reference);
        Reference -> Reference
    end.

encode(Pid) when is_pid(Pid) -> {'$pid'};
encode(Port) when is_port(Port) -> {'$port'};
encode(Reference) when is_reference(Reference) -> {'$reference'};
encode(Float) when is_float(Float) -> {'$float', Float};
encode(Fun) when is_function(Fun) -> {'$fun', element(2, erlang:fun_info(Fun, arity))};
encode(Map) when is_map(Map) ->
    Keys = persistent_term:get(keys),
    Value = fun(Key) -> case Map of #{Key := Found} -> {'$value', encode(Found)}; _ -> '$absent' end end,
    Others = [{encode(Key), encode(Found)} || {Key, Found} <- maps:to_list(Map), not lists:member(Key, Keys)],
    list_to_tuple(['$map'] ++ lists:map(Value, Keys) ++ [Others]);
encode(Tuple) when is_tuple(Tuple) -> list_to_tuple(['$tuple' | [encode(Part) || Part <- tuple_to_list(Tuple)]]);
encode([Head | Tail]) -> [encode(Head) | encode(Tail)];
encode(Other) -> Other.

%% ---------------------------------------------------------------------------------------------
%% Mutations: a wrong atom, arity, bound or key, or another kind of term, somewhere

mutate(Term) ->
    case parts(Term) of
        [] -> here(Term);
        _ -> case rand:uniform(3) of 1 -> here(Term); _ -> inside(Term) end
    end.

parts(Tuple) when is_tuple(Tuple) -> tuple_to_list(Tuple);
parts([_ | _] = List) -> List;
parts(Map) when is_map(Map) -> maps:to_list(Map);
parts(_) -> [].

inside(Tuple) when is_tuple(Tuple) ->
    Index = rand:uniform(tuple_size(Tuple)),
    setelement(Index, Tuple, mutate(element(Index, Tuple)));
inside(Map) when is_map(Map) ->
    {Key, Value} = pick(maps:to_list(Map)),
    case rand:uniform(4) of
        1 -> maps:put(mutate(Key), Value, maps:remove(Key, Map));
        _ -> Map#{Key := mutate(Value)}
    end;
inside([Only | Tail]) when Tail =:= [] -> [mutate(Only)];
inside([Head | Tail]) ->
    case rand:uniform(3) of
        1 -> [mutate(Head) | Tail];
        _ when is_list(Tail) -> [Head | inside(Tail)];
        _ -> [Head | mutate(Tail)]
    end.

here(Atom) when is_atom(Atom) -> pick([other(), zzz, undefined, nil, true, 0, <<"zzz">>, [Atom], {Atom}]);
here(Integer) when is_integer(Integer) ->
    pick([Integer + 1, Integer - 1, -Integer, -1, 0, 256, 16#D800, 16#110000, 1 bsl 64, -(1 bsl 64) - Integer, float(Integer rem 1000), zzz, <<"1">>]);
here(Float) when is_float(Float) -> pick([trunc(Float), -Float, 0.5, zzz, infinity, <<>>]);
here(Binary) when is_binary(Binary) -> pick([<<Binary/binary, 1:1>>, <<>>, <<255>>, <<Binary/binary, 0>>, binary_to_list(Binary), zzz, 1, #{}]);
here(Bits) when is_bitstring(Bits) -> pick([<<Bits/bitstring, 1:1>>, <<>>, <<255>>, zzz]);
here(Tuple) when is_tuple(Tuple) ->
    List = tuple_to_list(Tuple),
    pick([erlang:append_element(Tuple, other()), List, {Tuple}, other()] ++
        case List of
            [] -> [];
            [_ | Rest] -> [list_to_tuple(Rest), list_to_tuple(lists:droplast(List)), setelement(1, Tuple, zzz), list_to_tuple(lists:reverse(List))]
        end);
here([]) -> pick([[other()], {}, <<>>, nil, #{}, [zzz | zzz]]);
here([Head | Tail] = List) ->
    pick([Tail, [other() | List], [Head | other()], [Head], [], {Head}, [Head, Head | Tail], List ++ other()]);
here(Map) when is_map(Map) ->
    Extra = [Map#{other() => other()}, Map#{zzz => 1}, Map#{<<"k">> => 1}, Map#{1 => 1}, maps:to_list(Map), other()],
    pick(case maps:keys(Map) of
        [] -> Extra;
        Keys ->
            Key = pick(Keys),
            [maps:remove(Key, Map), maps:remove(Key, Map), Map#{Key := other()},
                maps:put(pick(persistent_term:get(keys) ++ [zzz]), maps:get(Key, Map), maps:remove(Key, Map)) | Extra]
    end);
here(_) -> other().

other() -> pick([zzz, ok, error, undefined, 1, -1, 1.5, <<"b">>, <<1:3>>, "s", [], {}, {zzz, 1}, #{}, self(), persistent_reference(), fun lists:map/2, [a | b]] ++ atoms()).

%% Returns the atoms of the module's types, for a wrong atom of the right kind.
atoms() -> lists:sublist(persistent_term:get(keys, []), 20).

pick(List) -> lists:nth(rand:uniform(length(List)), List).
