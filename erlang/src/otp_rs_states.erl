%% The part of a switch to another build that runs inside each process (otp_rs_change), because no
%% other process may use its states. The module is the same in every application.
-module(otp_rs_states).
-export([prepared/1, forgotten/1, draining/1, dropped/1, is_kept/1, fun_of/4, requests/3, end_of/4]).

-include("otp_rs_protocol.hrl").

%% The key in a process's dictionary of the prepared results of its `code_change` or `init`, by the
%% old state or the arguments.
-define(PREPARED, {?MODULE, prepared}).

%% The key of messages from threads that arrived since the process was found to be busy, newest
%% first. The process does not handle them until the upgrade has ended, because threads that call
%% through a process all the time would keep it busy for ever.
-define(KEPT, {?MODULE, kept}).

%% `once`: the result is fetched once. A loop that does not belong to OTP may have a state in
%% several places (`again`).
-type prepared() :: {once | again, term()} | {convert, module(), binary(), [term(), ...]}.
-type prepared_of() :: #{term() => prepared()}.

%% Behaviours whose loops belong to OTP and take a new state from `code_change`.
-define(IS_LOOP(Behaviour), Behaviour =:= gen_server; Behaviour =:= gen_statem; Behaviour =:= gen_event; Behaviour =:= supervisor).

%% Checks for an old state that the VM may still have to drop: the milliseconds between two checks,
%% and their number.
-define(LOOK, 2).
-define(LOOKS, 50).

%% Returns the prepared result of `code_change` for an old state, or of the `init` of a supervisor,
%% if there is one.
-spec prepared(term()) -> {ok, term()} | none.
prepared(Old) ->
    case get(?PREPARED) of
        #{Old := {again, Value}} -> {ok, Value};
        #{Old := {once, Value}} = All when map_size(All) =:= 1 -> erase(?PREPARED), {ok, Value};
        #{Old := {once, Value}} = All -> put(?PREPARED, maps:remove(Old, All)), {ok, Value};
        _ -> none
    end.

%% Drops the prepared results. The state of the loop is unchanged.
-spec forgotten(State) -> State.
forgotten(State) ->
    _ = erase(?PREPARED),
    State.

%% Like `forgotten`, but the process also starts to keep messages from threads.
-spec draining(State) -> State.
draining(State) ->
    _ = get(?KEPT) =:= undefined andalso put(?KEPT, []),
    forgotten(State).

%% Called when the upgrade has ended: drops the prepared results, and sends the kept messages to the
%% process itself. A library that did not create such a message drops it and informs the thread.
-spec dropped(State) -> State.
dropped(State) ->
    case erase(?KEPT) of
        undefined -> ok;
        Kept -> lists:foreach(fun(Message) -> self() ! Message end, lists:reverse(Kept))
    end,
    forgotten(State).

%% Keeps a message from a thread, if the process does that at the moment. Returns whether it was
%% kept.
-spec is_kept(tuple()) -> boolean().
is_kept(Message) ->
    case get(?KEPT) of
        undefined -> false;
        Kept -> _ = put(?KEPT, [Message | Kept]), true
    end.

%% Returns a function for `sys:replace_state/2`, which calls it with the state of a loop. The
%% function prepares new states, and stores them. `adopt`: without code of the application.
%% `convert`: with it. Failures are sent to `Main`, because gen_event would swallow an exception.
-spec fun_of(adopt | convert, [{module(), module()}, ...], [module(), ...], {pid(), reference()}) -> fun((State) -> State).
fun_of(Part, Modules, Libraries, {Main, Reference}) ->
    fun(State) ->
        Say = fun(Module, Why) -> Main ! {Reference, self(), Module, Why} end,
        try part(Part, State, Modules, Libraries, Say)
        catch Class:Reason:Stack -> Say(element(1, hd(Modules)), raised(Class, Reason, Stack))
        end,
        State
    end.

-type say() :: fun((module(), term()) -> term()).

-spec part(adopt | convert, term(), [{module(), module()}, ...], [module(), ...], say()) -> term().
part(adopt, State, Modules, [Newest | _] = Libraries, Say) ->
    _ = has_jobs() andalso Say(element(1, hd(Modules)), busy),
    lists:foreach(fun({Old, Module, Arguments, Times}) ->
        case apply(Newest, succeed, [Module | Arguments]) of
            %% The process started with the new build.
            {ok, Old} -> Say(Module, same);
            {ok, New} -> keep(Old, {Times, as_returned(Arguments, New)});
            {convert, Form, Term} -> keep(Old, {convert, Module, Form, [undefined | lists:droplast(Arguments)] ++ [Term, []]});
            {error, Why} -> Say(Module, Why)
        end
    end, states(State, Modules, Libraries, Say));
part(convert, State, [{Module, supervisor}], [Newest | _], Say) ->
    Size = tuple_size(State),
    {Module, Args} = {element(Size - 1, State), element(Size, State)},
    case returned(Newest, Module, init, [Args]) of
        {ok, {ok, {_, Specs}} = Value} ->
            case supervisor:check_childspecs(Specs) of
                ok -> keep({init, Args}, {once, Value});
                {error, Why} -> Say(Module, {init, Why})
            end;
        {ok, ignore} -> keep({init, Args}, {once, ignore});
        {ok, Other} -> Say(Module, {init, Other});
        {raised, Why} -> Say(Module, Why);
        none -> ok
    end;
part(convert, _, [{_, Behaviour} | _], [Newest | _], Say) ->
    Pending = [{Old, One} || {Old, {convert, _, _, _} = One} <- maps:to_list(all())],
    lists:foreach(fun({Old, {convert, Module, Form, Arguments}}) ->
        case converted(Newest, {Module, Form}, Old, Arguments) of
            {ok, Value} when element(1, Value) =:= ok -> keep(Old, {times(Behaviour), Value});
            {ok, {error, Why}} -> Say(Module, Why);
            {ok, Other} -> Say(Module, {code_change, Other});
            {raised, Why} -> Say(Module, Why);
            %% A loop that does not belong to OTP calls `code_change` later, with arguments that
            %% only it knows.
            none when ?IS_LOOP(Behaviour) -> Say(Module, {changed, Form});
            none -> put(?PREPARED, maps:remove(Old, all()))
        end
    end, Pending).

%% Returns the result of the new build's `code_change`. If the new build is an older one, a clause
%% of the running build may make its state instead.
-spec converted(module(), {module(), binary()}, term(), [term(), ...]) -> {ok, term()} | {raised, term()} | none.
converted(Newest, {Module, Form}, Old, Arguments) ->
    {ok, Running} = otp_rs_upgrade:owner(Newest, Old),
    case otp_rs_upgrade:goes_back(Newest, Running, {Module, Form}) of
        false -> returned(Newest, Module, code_change, Arguments);
        true ->
            [_, Term | Chosen] = lists:reverse(tl(Arguments)),
            case gone_back(Newest, Module, Running, Term) of
                {ok, New} -> {ok, as_returned(Chosen ++ [Old], New)};
                {error, Why} -> {ok, {error, Why}};
                Other -> Other
            end
    end.

-spec gone_back(module(), module(), module(), term()) -> {ok, term()} | {error, term()} | {raised, term()} | none.
gone_back(Newest, Module, Running, Term) ->
    try Newest:go_back(Module, Running, Term)
    catch Class:Reason:Stack -> {raised, raised(Class, Reason, Stack)}
    end.

%% Returns whether another process of the application has sent this one work that it has not taken
%% yet, such as a task of a pool. That work is a value of the old library, and only that library can
%% run it. All processes are suspended, so that no more work arrives. Messages from threads have
%% another number: a thread sends at any time, and is informed if its process runs another build.
-spec has_jobs() -> boolean().
has_jobs() ->
    {messages, Messages} = process_info(self(), messages),
    [] =/= [Message || {?MARK, ?TO, ?OF_PROCESSES, _} = Message <- Messages].

-spec times(module()) -> once | again.
times(Behaviour) when ?IS_LOOP(Behaviour) -> once;
times(_) -> again.

-spec returned(module(), module(), atom(), [term()]) -> {ok, term()} | {raised, term()} | none.
returned(Library, Module, Function, Arguments) ->
    try Library:run(Module, Function, Arguments)
    catch Class:Reason:Stack -> {raised, raised(Class, Reason, Stack)}
    end.

%% Adds the line of Rust to an exception.
-spec raised(atom(), term(), [tuple()]) -> {raised, atom(), term(), string()}.
raised(Class, Reason, Stack) ->
    Lines = [lists:concat([File, ":", proplists:get_value(line, Location, 0)])
        || {_, _, _, Location} <- Stack, File <- [proplists:get_value(file, Location, "")], filename:extension(File) =:= ".rs"],
    {raised, Class, Reason, lists:append(lists:sublist(Lines ++ place(Reason), 1))}.

%% Returns the line of a panic outside of a callback, whose stack has no Rust.
-spec place(term()) -> [string()].
place({panic, #{file := File, line := Line}}) when is_binary(File), is_integer(Line) ->
    [lists:concat([unicode:characters_to_list(File), ":", Line])];
place(_) ->
    [].

-spec all() -> prepared_of().
all() ->
    case get(?PREPARED) of
        undefined -> #{};
        All -> All
    end.

-spec keep(term(), prepared()) -> term().
keep(Old, Prepared) ->
    put(?PREPARED, (all())#{Old => Prepared}).

%% Returns the value in the form of `code_change`'s result: a gen_statem has the state in addition
%% to the data.
-spec as_returned([term(), ...], term()) -> {ok, term()} | {ok, term(), term()}.
as_returned([State, _], New) -> {ok, State, New};
as_returned([_], New) -> {ok, New}.

-type old_state() :: {term(), module(), [term(), ...], once | again}.

%% Returns the states of the application inside the state of a loop, each with its module and the
%% remaining arguments of the library's `succeed`.
-spec states(term(), [{module(), module()}, ...], [module(), ...], say()) -> [old_state()].
states(_, [{_, supervisor}], _, _) ->
    [];
states({State, Data}, [{Module, gen_statem}], _, _) ->
    [{Data, Module, [State, Data], once}];
states(State, [{Module, gen_server}], _, _) ->
    [{State, Module, [State], once}];
states({Module, _, State}, [{_, gen_event} | _] = Modules, _, _) ->
    [{State, Module, [State], once} || lists:keymember(Module, 1, Modules)];
states(State, [{Module, _} | _], [_ | Older], Say) ->
    try [{Cell, Of, [Cell], again} || {Cell, Of} <- lists:usort(cells(State, Older))]
    catch throw:elsewhere -> _ = Say(Module, elsewhere), []
    end.

%% Returns all states that older libraries have made, anywhere in the term. A state in the
%% environment of a fun cannot be replaced.
-spec cells(term(), [module()]) -> [{reference(), module()}].
cells(Cell, Older) when is_reference(Cell) ->
    [{Cell, Module} || Library <- Older, Module <- [Library:module_of(Cell)], Module =/= none];
cells([Head | Tail], Older) ->
    cells(Head, Older) ++ cells(Tail, Older);
cells(Tuple, Older) when is_tuple(Tuple) ->
    cells(tuple_to_list(Tuple), Older);
cells(Map, Older) when is_map(Map) ->
    cells(maps:to_list(Map), Older);
cells(Fun, Older) when is_function(Fun) ->
    {env, Kept} = erlang:fun_info(Fun, env),
    cells(Kept, Older) =:= [] orelse throw(elsewhere),
    [];
cells(_, _) ->
    [].

%% Returns the messages of `sys` that make a process take its new states. A behaviour that does not
%% belong to OTP may have a `code_change`, which its loop calls. States that remain are replaced
%% inside the loop's state.
-spec requests(module(), module(), [module(), ...]) -> [term(), ...].
requests(Module, Behaviour, _) when ?IS_LOOP(Behaviour) ->
    [{change_code, Module, undefined, []}];
requests(Module, Behaviour, Libraries) ->
    [{change_code, Module, undefined, []} || otp_rs_processes:has_code_change(Behaviour)]
        ++ [{replace_state, fun(State) -> forgotten(renewed(State, Libraries)) end}].

%% Returns the result of a switch from the answer to a request.
-spec end_of(change_code | replace_state, term(), {pid(), module()}, [module()]) -> ok | term().
end_of(change_code, ok, _, _) -> ok;
%% A handler cannot return an error to gen_event.
end_of(change_code, {error, {'EXIT', {{code_change, Why}, _}}}, _, _) -> Why;
end_of(change_code, {error, {error, Why}}, _, _) -> Why;
end_of(change_code, {error, Why}, _, _) -> Why;
end_of(replace_state, {error, {callback_failed, _, {error, {code_change, Why}}}}, _, _) -> Why;
end_of(replace_state, {error, {callback_failed, _, Why}}, _, _) -> Why;
end_of(replace_state, _, {Pid, Module}, Older) -> has_none(Pid, Module, Older, ?LOOKS).

%% Returns whether the process has no more states of older libraries.
-spec has_none(pid(), module(), [module()], non_neg_integer()) -> ok | elsewhere.
has_none(Pid, Module, Older, Looks) ->
    case [Library || Library <- Older, lists:member({Pid, Module}, Library:holders())] of
        [] -> ok;
        _ when Looks =:= 0 -> elsewhere;
        _ ->
            %% The old state was also in an answer, which this process received.
            _ = garbage_collect(),
            _ = garbage_collect(Pid),
            ok = timer:sleep(?LOOK),
            has_none(Pid, Module, Older, Looks - 1)
    end.

%% Returns the state of a loop with states of older libraries replaced by new ones.
-spec renewed(term(), [module(), ...]) -> term().
renewed(Cell, [Newest | Older]) when is_reference(Cell) ->
    case {prepared(Cell), cells(Cell, Older)} of
        {{ok, {ok, New}}, _} -> New;
        {none, []} -> Cell;
        {none, [{Cell, Module}]} ->
            case Newest:succeed(Module, Cell) of
                {ok, New} -> keep(Cell, {again, {ok, New}}), New;
                {convert, Form, _} -> error({code_change, {changed, Form}});
                {error, Why} -> error({code_change, Why})
            end
    end;
renewed([Head | Tail], Libraries) ->
    [renewed(Head, Libraries) | renewed(Tail, Libraries)];
renewed(Tuple, Libraries) when is_tuple(Tuple) ->
    list_to_tuple(renewed(tuple_to_list(Tuple), Libraries));
renewed(Map, Libraries) when is_map(Map) ->
    maps:from_list(renewed(maps:to_list(Map), Libraries));
renewed(Term, _) ->
    Term.
