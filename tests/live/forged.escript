#!/usr/bin/env escript
%% Sends forged messages to each process that otp-rs adds to a node, with the application `logs`.
%% Prints one `key=term` per line. No process may end, and later messages must be handled as before.
-mode(compile).
-export([log/2]).
-define(PATIENCE, 120000).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    ok = logger:set_primary_config(level, info),
    ok = logger:add_handler(?MODULE, ?MODULE, #{config => self()}),
    process_flag(trap_exit, true),
    ok = application:load(logs),
    ok = application:set_env(logs, long_callback, off),
    ok = application:start(logs),
    {ok, Scribe} = scribe:start_link(<<"one">>, []),
    _ = next(Scribe),
    helper(Scribe),
    metadata(Scribe),
    leaders(Scribe),
    handlers(),
    observer(),
    ends(Scribe),
    say(the_vm_lives, true),
    init:stop().

%% The module of the `logger` handler.
log(Event, #{config := Pid}) -> Pid ! {event, Event}, ok.

%% Ends them one after the other, because supervisors limit the restarts in a period.
helper(Scribe) ->
    Helper = whereis(otp_rs),
    Known = otp_rs_helper:libraries(),
    lists:foreach(fun(Message) -> Helper ! Message end, messages()),
    lists:foreach(fun(Request) -> _ = (catch gen_server:call(Helper, Request, 2000)) end, requests()),
    lists:foreach(fun(Request) -> gen_server:cast(Helper, Request) end, messages()),
    Tags = [make_ref(), [alias | alias()], [[alias | alias()] | proxy]],
    say(calls_ended, [begin
        Helper ! {dropped, Scribe, (unanswered({self(), Tag}, Scribe))#{module := scribe, arity := 3, message := <<>>, file := <<"f">>, line := 1}},
        Monitor = reference(Tag),
        receive {'DOWN', Monitor, process, Scribe, Reason} -> Reason after ?PATIENCE -> halt(1) end
    end || Tag <- Tags]),
    say(served, logs_on_a_dirty_scheduler(Scribe, 1)),
    say(helper_lives, whereis(otp_rs) =:= Helper),
    say(libraries_stay, otp_rs_helper:libraries() =:= Known),
    say(no_atoms, not is_atom(catch list_to_existing_atom("forged_application" ++ "_nif"))).

reference([[alias | Reference] | _]) -> Reference;
reference([alias | Reference]) -> Reference;
reference(Reference) -> Reference.

messages() ->
    Reports = [x, #{}, #{label => {otp_rs, unanswered}}, unanswered(x, []), unanswered({self(), x}, self()),
        unanswered({x, make_ref()}, self())],
    Events = [x, {event, x, y}, {event, x, y, z}, {event, error, x, #{pid => x}}, {event, nolevel, <<"t">>, #{}},
        {event, error, <<"t">>, #{pid => self(), gl => x, time => x, report_cb => x}}, {event, error, #{a => b}, []},
        {event, error, fun() -> x end, #{pid => make_ref()}}, {event, error, [x | y], #{pid => self()}},
        {text, x, y}, {text, <<255>>, self()}, {text, [a | b], undefined}, {text, <<"text">>, x}, {lost, x}, {lost, 1.5}, {lost, -1}],
    [{dropped, x, x}, {dropped, self(), x}, {handed, a, b}, {builds, node(), x, x}, {builds, x, [a | b], true},
     {builds, 'nobody@10.255.255.1', [], true}, {builds, node(), [{x, <<>>, <<>>}, x], true}, {leave, x}, {leave, <<"x">>},
     {leave, [x]}, {leave, forged_application}, {nodeup, x}, {nodeup, 'nobody@10.255.255.1'}, {nodedown, <<>>}, follow_level, {follow_level, x},
     {x, y}, {make_ref(), y}, {timeout, make_ref(), x}, {'DOWN', x, process, x, x}, {'DOWN', make_ref(), process, self(), x},
     {'EXIT', self(), normal}, {'EXIT', x, y}, {system, {self(), x}, y}, {'$gen_call', x, y},
     {'$gen_call', {x, y}, pass}, {'$gen_call', {self(), x}, {serve, x}}, {'$gen_cast', x}, {io_reply, x, ok}, x, [], <<0:80000000>>,
     lists:seq(1, 100000)]
    ++ [{dropped, Server, Report} || Server <- [x, self(), make_ref(), {x, node()}], Report <- Reports]
    ++ [{handed, Library, Event} || Library <- [logs_nif, lists, <<>>], Event <- Events]
    ++ lists:duplicate(200, follow_level).

unanswered(Caller, Server) ->
    #{label => {otp_rs, unanswered}, module => x, function => x, arity => x, message => x, reply => x, file => x, line => x,
      server => Server, caller => Caller}.

requests() ->
    [{serve, x}, {serve, lists}, {serve, <<>>}, {serve, erlang}, {serve, self()}, x, <<0:8000000>>].

%% The metadata of a process can be any term, because it is in the process dictionary.
metadata(Scribe) ->
    Helper = whereis(otp_rs),
    Strange = [x, [a | b], #{report_cb => x}, #{pid => x, gl => x}],
    [begin
        put_in(Scribe, Metadata),
        say(list_to_atom("metadata_" ++ integer_to_list(Number)), logs_on_a_dirty_scheduler(Scribe, Number))
    end || {Number, Metadata} <- lists:zip([10, 11, 12, 13], Strange)],
    put_in(Scribe, #{}),
    say(helper_still_lives, whereis(otp_rs) =:= Helper).

put_in(Scribe, Metadata) ->
    _ = sys:replace_state(Scribe, fun(State) -> put('$logger_metadata$', Metadata), State end),
    ok.

%% A group leader that does not answer delays only the processes that print to it.
leaders(Scribe) ->
    Silent = spawn_link(fun() -> receive answer -> answers() end end),
    Own = group_leader(),
    Held = [begin
        true = group_leader(Silent, self()),
        {ok, Held} = scribe:start_link(<<"held">>, []),
        true = group_leader(Own, self()),
        _ = next(Held),
        _ = gen_server:send_request(Held, hold),
        "it holds" = binary_to_list(element(2, maps:get(msg, next(Held)))),
        Held
    end || _ <- [1, 2, 3]],
    say(beside_a_silent_leader, logs_on_a_dirty_scheduler(Scribe, 2)),
    {Time, _} = timer:tc(fun() -> gen_server:call(otp_rs, pass, ?PATIENCE) end),
    say(nobody_waits_long, Time < 30000000),
    Silent ! answer,
    ok = gen_server:call(Scribe, open, ?PATIENCE),
    Printed = [receive {answered, Text} -> iolist_to_binary(Text) after ?PATIENCE -> halt(1) end || _ <- Held],
    say(printed_later, lists:usort(Printed)),
    lists:foreach(fun(Pid) -> unlink(Pid), exit(Pid, kill) end, Held).

%% `logger` removes a handler or filter that fails.
handlers() ->
    Flags = atomics:new(2, []),
    atomics:put(Flags, 2, 1),
    ok = logger:add_handler(logs_run, logs_run, #{config => Flags}),
    ok = logger:add_handler_filter(?MODULE, logs_run, {fun logs_run:filter/2, {self(), Flags}}),
    log_strangely(),
    {ok, #{filters := Filters}} = logger:get_handler_config(?MODULE),
    say(handler_stays, element(1, logger:get_handler_config(logs_run))),
    say(filter_stays, lists:keymember(logs_run, 1, Filters)),
    ok = logger:remove_handler_filter(?MODULE, logs_run),
    ok = logger:remove_handler(logs_run).

log_strangely() ->
    [logger:error(#{label => Label, report => Report}, Metadata)
        || Label <- [x, {application_controller, exit}, {proc_lib, crash}, {supervisor, shutdown}, {supervisor, start_error}, {otp_rs, panic}],
           Report <- [x, [], [x | y], [{a, b} | c], [[a | b]], [[{initial_call, x}]], [{supervisor, x}]],
           Metadata <- [#{}, #{time => x, pid => x, gl => self(), mfa => x, report_cb => x}]],
    ok.

%% The modules that `cargo otp observe` loads into a node.
observer() ->
    Folder = filename:join([filename:dirname(escript:script_name()), "..", "..", "erlang", "tools"]),
    Files = filelib:wildcard(filename:join(Folder, "otp_rs_observe*.erl")) ++ [filename:join(Folder, "otp_rs_supervision.erl")],
    Modules = [begin
        {ok, Module, Code} = compile:file(File, [binary]),
        {module, Module} = code:load_binary(Module, File, Code),
        Module
    end || File <- Files],
    {ok, Observer, _, _} = otp_rs_observer:start(#{owner => self(), port => 0, token => <<"t">>, session => <<"s">>, folder => <<"f">>,
        pages => #{}, may_write => false, build => <<"b">>, modules => Modules}),
    {links, Links} = process_info(Observer, links),
    [Sampler] = [Link || Link <- Links, is_pid(Link), proc_lib:translate_initial_call(Link) =:= {otp_rs_observer_sampler, init, 1}],
    Processes = [Observer | [Link || Link <- Links, is_pid(Link)]],
    forge(Processes),
    ok = otp_rs_observer_sampler:subscribe(Sampler),
    receive {event, First} when is_binary(First) -> otp_rs_observer_sampler:ready(Sampler) after ?PATIENCE -> halt(1) end,
    forge(Processes),
    log_strangely(),
    say(observes, receive {event, Json} when is_binary(Json) -> true after ?PATIENCE -> false end),
    say(observer_lives, lists:all(fun is_process_alive/1, Processes)),
    say(observer_logs, element(1, logger:get_handler_config(otp_rs_observer))),
    exit(Observer, shutdown).

forge(Processes) ->
    Messages = messages() ++ [look, walk, {timeout, x, walk}, {timeout, make_ref(), walk}, {'DOWN', idle, process, x, {walked, x, x}}, {'$gen_call', {self(), x}, begun},
        {'$gen_call', x, subscribe}, {'$gen_call', {self(), x}, {hide, x}}, {'$gen_call', {self(), x}, {hide, [x]}}, {'$gen_cast', {ready, x}},
        {'$gen_call', {self(), x}, {join, x}}, {'$gen_call', {self(), x}, {join, #{owner => self(), port => 0}}}, {'$gen_call', {self(), x}, {leave, x}}],
    _ = [Process ! Message || Process <- Processes, Message <- Messages],
    ok.

answers() ->
    receive {io_request, From, Tag, {put_chars, unicode, Text}} ->
        From ! {io_reply, Tag, ok},
        [Main | _] = [Pid || Pid <- element(2, process_info(self(), links)), is_pid(Pid)],
        Main ! {answered, Text},
        answers()
    end.

%% The helper is restarted whenever it is killed. Nothing except a kill ends it.
ends(Scribe) ->
    Helper = whereis(otp_rs),
    lists:foreach(fun(Message) -> Helper ! Message end,
        [{system, x, y}, {system, {self(), make_ref()}, {terminate, x}}, {'EXIT', whereis(kernel_sup), x}, {'EXIT', self(), kill}]),
    exit(Helper, shutdown),
    say(sys_state, is_map(sys:get_state(otp_rs, ?PATIENCE))),
    say(sys_status, element(3, sys:get_status(otp_rs, ?PATIENCE))),
    say(sys_suspend, sys:suspend(otp_rs, ?PATIENCE)),
    otp_rs ! {system, {self(), make_ref()}, suspend},
    say(nothing_ends_it, {logs_on_a_dirty_scheduler(Scribe, 2), whereis(otp_rs) =:= Helper}),
    lists:foreach(fun(_) ->
        Old = whereis(otp_rs),
        exit(Old, kill),
        another(Old)
    end, lists:seq(1, 200)),
    say(comes_again, logs_on_a_dirty_scheduler(Scribe, 3)),
    accumulates(),
    held(Scribe),
    taken(Scribe).

%% Sends forged callers of a server that never answers.
accumulates() ->
    Helper = whereis(otp_rs),
    Silent = spawn(fun() -> receive never -> ok end end),
    Report = (unanswered({self(), make_ref()}, Silent))#{module := scribe, arity := 3, message := <<>>, file := <<"f">>, line := 1},
    lists:foreach(fun(_) -> Helper ! {dropped, Silent, Report} end, lists:seq(1, 100000)),
    #{dropped := Dropped} = sys:get_state(Helper, ?PATIENCE),
    say(forged_callers, map_size(Dropped)),
    exit(Silent, kill),
    say(forged_callers_leave, until(fun() -> map_size(maps:get(dropped, sys:get_state(Helper, ?PATIENCE))) =:= 0 end)).

%% Neither a start nor a callback waits for a suspended helper, and the log entries of a process
%% stay in order.
held(Scribe) ->
    Helper = whereis(otp_rs),
    true = erlang:suspend_process(Helper),
    ok = gen_server:call(Scribe, {dirty, 5}, ?PATIENCE),
    ok = gen_server:call(Scribe, {number, 6}, ?PATIENCE),
    say(starts_beside_it, {application:stop(logs), application:start(logs)}),
    say(nothing_written, receive {event, #{msg := {string, <<"5">>}}} -> written; {event, #{msg := {string, <<"6">>}}} -> written after 0 -> nothing end),
    true = erlang:resume_process(Helper),
    say(written_later, [receive {event, #{msg := {string, Text}}} when Text =:= <<"5">>; Text =:= <<"6">> -> Text after ?PATIENCE -> halt(1) end || _ <- [1, 2]]).

%% A process that does not know the helper's protocol has the name of the helper.
taken(Scribe) ->
    Own = self(),
    Helper = whereis(otp_rs),
    true = unregister(otp_rs),
    Other = spawn_link(fun() -> true = register(otp_rs, self()), Own ! registered, receive never -> ok end end),
    _ = receive registered -> ok after ?PATIENCE -> halt(1) end,
    exit(Helper, kill),
    say(starts_without_the_name, {application:stop(logs), application:start(logs)}),
    say(logs_without_the_name, until(fun() -> gen_server:call(Scribe, {dirty, 7}, ?PATIENCE), receive {event, #{msg := {string, <<"7">>}}} -> true after 100 -> false end end)),
    unlink(Other),
    exit(Other, kill).

until(Is) ->
    Is() orelse begin timer:sleep(5), until(Is) end.

another(Old) ->
    case whereis(otp_rs) of
        Pid when is_pid(Pid), Pid =/= Old -> ok;
        _ -> timer:sleep(5), another(Old)
    end.

%% The log entries of a callback on a dirty scheduler go through the helper.
logs_on_a_dirty_scheduler(Scribe, Number) ->
    ok = gen_server:call(Scribe, {dirty, Number}, ?PATIENCE),
    Text = integer_to_binary(Number),
    receive {event, #{msg := {string, Text}}} -> true after ?PATIENCE -> false end.

next(Pid) ->
    receive {event, #{meta := #{pid := Pid}} = Event} -> Event
    after ?PATIENCE -> io:format(standard_error, "gave up waiting for an event of ~p~n", [Pid]), halt(1)
    end.

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
