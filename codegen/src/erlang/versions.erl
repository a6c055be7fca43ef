
%% Calls a callback of this version, whose state it is: the callback module is of another one by
%% now.
-spec forward(module(), atom(), [term()], cell()) -> term().
forward(Module, Function, Arguments, Cell) ->
    case number(Module, Function, length(Arguments)) of
        none -> without(Module, Function, Arguments, Cell);
        Number -> after_first(apply(?MODULE, callback, [Number | Arguments]))
    end.

%% This version does not have the callback: as the behaviour does where a module leaves it out.
-spec without(module(), atom(), [term()], cell()) -> term().
without(Module, handle_info, [Message, _], Cell) ->
    unexpected(Module, Message),
    {noreply, Cell};
without(_, terminate, _, _) ->
    ok;
without(Module, Function, Arguments, _) ->
    erlang:raise(error, undef, [{Module, Function, Arguments, []}]).

%% What a report shows of a part of a process's status: the `Debug` text of a state, and anything
%% else as it is.
-spec shown(term()) -> term().
shown(Part) ->
    case otp_rs_upgrade:owner(?MODULE, Part) of
        {ok, Library} -> Library:format_state(Part);
        none -> Part
    end.

%% What reports show of a process's status (`format_status/1`). If its state is secret, so is what
%% it was sent: that may become a part of the state.
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

%% The data of a gen_statem for this version, and whether its state is one of this version.
-spec succeed(module(), term(), term()) -> {ok, cell()} | {convert, binary(), term()} | {error, term()}.
succeed(Module, State, Data) ->
    case fits(Module, State) of
        true -> succeed(Module, Data);
        false -> {error, {not_a_state, State}}
    end.

%% The state of a process for this version of its module. `{convert, State}`: its form has changed,
%% or it was not made by a library at all, and `code_change` makes the new one.
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

%% What a callback of this version returns, if it has it, before its module is loaded.
-spec run(module(), atom(), [term()]) -> {ok, term()} | none.
run(Module, Function, Arguments) ->
    case number(Module, Function, length(Arguments)) of
        none -> none;
        Number -> {ok, after_first(apply(?MODULE, callback, [Number | Arguments]))}
    end.
