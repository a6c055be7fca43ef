
%% Calls a callback of this version, which owns the state. The loaded callback module belongs to
%% another version.
-spec forward(module(), atom(), [term()], cell()) -> term().
forward(Module, Function, Arguments, Cell) ->
    case number(Module, Function, length(Arguments)) of
        none -> without(Module, Function, Arguments, Cell);
        Number -> after_first(apply(?MODULE, callback, [Number | Arguments]))
    end.

%% This version does not have the callback. Do the same as the behaviour does for a module without
%% this callback.
-spec without(module(), atom(), [term()], cell()) -> term().
without(Module, handle_info, [Message, _], Cell) ->
    unexpected(Module, Message),
    {noreply, Cell};
without(_, terminate, _, _) ->
    ok;
without(Module, Function, Arguments, _) ->
    erlang:raise(error, undef, [{Module, Function, Arguments, []}]).

%% Returns a part of a process's status as reports show it: the `Debug` text of a state, and any
%% other part unchanged.
-spec shown(term()) -> term().
shown(Part) ->
    case otp_rs_upgrade:owner(?MODULE, Part) of
        {ok, Library} -> Library:format_state(Part);
        none -> Part
    end.

%% Returns a process's status as reports show it (`format_status/1`). If its state is secret, so are
%% the messages that it has received, because they may become a part of the state.
-spec shown_status(#{atom() => term()}) -> #{atom() => term()}.
shown_status(Status) ->
    Shown = [{Key, shown(Part), is_reference(Part)} || {Key, Part} <- maps:to_list(Status)],
    case [Key || {Key, secret, true} <- Shown] of
        [] -> maps:from_list([{Key, Part} || {Key, Part, _} <- Shown]);
        _ -> maps:from_list([{Key, hidden(Key, Part)} || {Key, Part, _} <- Shown])
    end.

-spec hidden(atom(), term()) -> term().
hidden(message, _) -> secret;
hidden(Key, _) when Key =:= log; Key =:= queue; Key =:= postponed; Key =:= timeouts -> [];
hidden(_, Part) -> Part.

%% Returns the data of a gen_statem for this version, if its state exists in this version.
-spec succeed(module(), term(), term()) -> {ok, cell()} | {convert, binary(), term()} | {error, term()}.
succeed(Module, State, Data) ->
    case fits(Module, State) of
        true -> succeed(Module, Data);
        false -> {error, {not_a_state, State}}
    end.

%% Returns the state of a process for this version of its module. `{convert, Form, Term}`: the type
%% of the state has changed, or the state was not created by a library, and `code_change` has to
%% create the new state.
-spec succeed(module(), term()) -> {ok, cell()} | {convert, binary(), term()} | {error, term()}.
succeed(Module, State) ->
    case otp_rs_upgrade:owner(?MODULE, State) of
        {ok, ?MODULE} ->
            {ok, State};
        {ok, Library} ->
            case Library:export(State) of
                {ok, Form, Term} ->
                    case adopt(Module, Form, Term) of
                        changed -> {convert, Form, Term};
                        Adopted -> Adopted
                    end;
                Error -> Error
            end;
        none ->
            {convert, <<"term()">>, State}
    end.

%% Returns the state of a process for this version of its module, from the term of a newer version's
%% state: a clause of the newer version makes the older state. `none`: it has no such clause.
-spec go_back(module(), module(), term()) -> {ok, cell()} | none | {error, term()}.
go_back(Module, Newer, Term) ->
    case lists:keyfind(Module, 1, states()) of
        {Module, _, Form, _, _} when Form =/= none ->
            case erlang:function_exported(Newer, to_older, 3) andalso Newer:to_older(Module, Form, Term) of
                {ok, Older} ->
                    case adopt(Module, Form, Older) of
                        changed -> none;
                        Adopted -> Adopted
                    end;
                {error, Reason} -> {error, Reason};
                _ -> none
            end;
        _ -> none
    end.

%% Calls a callback of this version before its module is loaded, and returns its return value.
-spec run(module(), atom(), [term()]) -> {ok, term()} | none.
run(Module, Function, Arguments) ->
    case number(Module, Function, length(Arguments)) of
        none -> none;
        Number -> {ok, after_first(apply(?MODULE, callback, [Number | Arguments]))}
    end.
