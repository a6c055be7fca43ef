#!/usr/bin/env escript
%% Observes the states of servers of the application `ground`. Prints one `key=term` per line.
-mode(compile).
-export([log/2]).
-include("observe.hrl").

main([Ebin]) ->
    begin_with(Ebin),
    ok = logger:add_handler(observer, ?MODULE, #{config => self()}),
    ends(),
    shown(),
    large(),
    stacks(),
    again(),
    beyond(),
    clauses(),
    init:stop().

%% However a callback ends, `terminate/2` gets the state.
ends() ->
    [ended(Key, Request) || {Key, Request} <- [
        {panic, panic},
        {panic_later, panic_later},
        {failed_call, nobody},
        {wrong_result, number},
        {unknown_request, {what, is, this}}
    ]].

ended(Key, Request) ->
    {ok, Keeper} = keeper(3),
    1 = call(Keeper, ask),
    Reason = exit_with(Keeper, Request),
    say(Key, {told(Keeper), named(Reason)}),
    Report = report({gen_server, terminate}, Keeper),
    say([atom_to_list(Key), "_shown"], binary:match(Report, <<"numbers: [0, 1, 2]">>) =/= nomatch).

named({{panic, #{message := Message}}, _}) -> {panic, Message};
named({{bad_term, #{expected := Expected, got := Got}}, _}) -> {bad_term, byte_size(Expected) > 0, Got};
named({Reason, _}) -> Reason.

%% A state is formatted only when a report or a tool displays it.
shown() ->
    {ok, Stopped} = counted:start_link({}, []),
    ok = gen_server:stop(Stopped, normal, ?PATIENCE),
    {ok, Down} = counted:start_link({}, []),
    ok = gen_server:stop(Down, {shutdown, done}, ?PATIENCE),
    {ok, Asked} = counted:start_link({}, []),
    say(shown_by_orderly_ends, call(Asked, shown)),
    _ = sys:get_status(Asked),
    say(shown_by_status, call(Asked, shown) > 0).

%% A report of two million integers is as short as a report of a few.
large() ->
    {ok, Keeper} = keeper(2000000),
    {status, _, _, [_, _, _, _, Status]} = sys:get_status(Keeper),
    say(large_status, bounded(unicode:characters_to_binary(io_lib:format("~tp", [Status])))),
    _ = exit_with(Keeper, panic),
    say(large_terminate, told(Keeper)),
    say(large_report, bounded(report({gen_server, terminate}, Keeper))),
    {ok, Roomy} = roomy:start_link({}, []),
    say(roomy, {call(Roomy, {put, 0, 1}), call(Roomy, {put, 65535, 2})}).

bounded(Text) ->
    {byte_size(Text) < 1000000,
     binary:match(Text, <<"numbers: [0, 1, 2">>) =/= nomatch,
     binary:match(Text, <<"[truncated]">>) =/= nomatch}.

%% A failed operation's report names the Erlang function, the Rust line and the behaviour.
stacks() ->
    {ok, Keeper} = keeper(0),
    {function_clause, Stack} = exit_with(Keeper, nth),
    % The functions that `lists:nth/2` calls differ between releases.
    [{lists, _, Arguments, _} | _] = Stack,
    say(stack_above, Arguments),
    Rust = [Frame || Frame = {keeper, _, _, _} <- Stack],
    [{keeper, handle_call, 3, [{file, File}, {line, Line}]}] = Rust,
    say(stack_rust, File),
    say(stack_line, Line),
    Below = lists:nthtail(1, lists:dropwhile(fun(Frame) -> [Frame] =/= Rust end, Stack)),
    say(stack_below, [{M, F} || {M, F, _, _} <- Below]),
    Report = report({proc_lib, crash}, Keeper),
    say(stack_reported, [binary:match(Report, Part) =/= nomatch
        || Part <- [<<"lists,nth">>, <<"ground/src/keeper.rs">>]]),
    {terminate, 1, 0} = told(Keeper).

%% A library is not loaded twice. Whoever tries that in a shell changes nothing.
again() ->
    {ok, Keeper} = keeper(3),
    say(again, c:l(ground_nif)),
    {status, _, _, [_, _, _, _, Status]} = sys:get_status(Keeper),
    say(again_status, bounded(unicode:characters_to_binary(io_lib:format("~tp", [Status])))),
    ok = gen_server:stop(Keeper, normal, ?PATIENCE),
    {terminate, 0, 3} = told(Keeper),
    ended(panic_again, panic).

keeper(Numbers) -> keeper:start_link({start, self(), Numbers}, []).

%% Messages and reasons beyond the limits: `terminate/2` runs, and the process ends with what was
%% the reason.
beyond() ->
    %% OTP's reports have the last message.
    ok = logger:remove_handler(observer),
    Deep = lists:foldl(fun(_, Inner) -> [Inner] end, [], lists:seq(1, 20000)),
    Messages = [{junk, junk}, {deep, Deep}, {long, lists:seq(1, 3000000)}, {large, binary:copy(<<1>>, 100000000)}],
    [beyond(Key, Message) || {Key, Message} <- Messages],
    ended_by_parent({enough, Deep}),
    told_of_others({enough, Deep}),
    handlers(Deep),
    machines(Deep).

%% What fails in the library because of the callback has the line of its clause.
clauses() ->
    {ok, Keeper} = keeper(0),
    {{panic, #{message := Message, file := File, line := Line}}, [Frame | _]} = exit_with(Keeper, nan),
    {keeper, handle_call, 3, [{file, Path}, {line, Line}]} = Frame,
    say(nan, {Message, File =:= list_to_binary(Path), Path}),
    say(nan_line, Line),
    {terminate, 1, 0} = told(Keeper),
    {ok, Patient} = patient:start_link({}, []),
    {{never_woken, _, _}, [{patient, handle_call, 3, [{file, Never} | _]} | _]} = exit_with(Patient, never),
    say(never_at, Never).

%% A message that no clause takes is not part of the reason.
beyond(Key, Message) ->
    {ok, Witness} = witness:start_link(self(), []),
    gen_server:cast(Witness, Message),
    Reason = exit_of(Witness),
    {{bad_term, #{path := Path}}, [{witness, handle_cast, 2, [{file, File}, {line, _}]} | _]} = Reason,
    say([atom_to_list(Key), "_message"], {told(Witness) =:= {terminate, Reason}, Path, File, is_short(Reason)}).

ended_by_parent(Reason) ->
    {ok, Witness} = witness:start_link(self(), []),
    exit(Witness, Reason),
    {terminate, {enough, _} = Told} = told(Witness),
    say(ended_by_parent, {exit_of(Witness) =:= Reason, is_short(Told)}).

%% What the VM says of processes that have ended ends nobody else.
told_of_others(Reason) ->
    {ok, Witness} = witness:start_link(self(), []),
    Linked = spawn(fun() -> link(Witness), exit(Reason) end),
    {info, {'EXIT', Linked, {enough, _} = OfLink}} = told(Witness),
    Witness ! {'DOWN', Monitor = make_ref(), process, Linked, Reason},
    {info, {'DOWN', Monitor, process, Linked, {enough, _} = OfMonitor}} = told(Witness),
    say(told_of_others, {is_short(OfLink), is_short(OfMonitor)}),
    gen_server:cast(Witness, note),
    ok = gen_server:stop(Witness, normal, ?PATIENCE),
    say(goes_on, {told(Witness), exit_of(Witness)}).

handlers(Deep) ->
    {ok, Manager} = gen_event:start_link(),
    ok = gen_event:add_handler(Manager, listener, self()),
    %% An event beyond a limit is refused, and the handler stays.
    ok = gen_event:sync_notify(Manager, Deep),
    say(handler_event, gen_event:which_handlers(Manager)),
    _ = gen_event:delete_handler(Manager, listener, {enough, Deep}),
    {terminate, {enough, _} = Told} = told(Manager),
    say(handler_deleted, is_short(Told)).

machines(Deep) ->
    {ok, Valve} = valve:start_link(self(), []),
    %% A state machine ends, as it does with an event that it has no clause for.
    gen_statem:cast(Valve, Deep),
    {{bad_term, #{path := Path}}, _} = Reason = exit_of(Valve),
    say(machine_event, {told(Valve) =:= {terminate, element(1, Reason)}, Path, is_short(Reason)}),
    {ok, Stopped} = valve:start_link(self(), []),
    _ = catch gen_statem:stop(Stopped, {enough, Deep}, ?PATIENCE),
    {terminate, {enough, _} = Told} = told(Stopped),
    say(machine_stopped, {exit_of(Stopped) =:= {enough, Deep}, is_short(Told)}).

%% In words of memory.
is_short(Term) -> erts_debug:flat_size(Term) < 10000.

%% The handler of logger.
log(#{msg := {report, #{label := Label} = Report}, meta := #{pid := Pid, report_cb := Format}}, #{config := Observer}) ->
    Text = case is_function(Format, 2) of
        true -> Format(Report, #{single_line => true, depth => unlimited, chars_limit => unlimited});
        false -> {F, A} = Format(Report), io_lib:format(F, A)
    end,
    Observer ! {Label, Pid, unicode:characters_to_binary(Text)};
log(_, _) ->
    ok.

report(Label, Pid) -> receive {Label, Pid, Text} -> Text after ?PATIENCE -> gave_up(Label, Pid) end.
