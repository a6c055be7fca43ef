#!/usr/bin/env escript
%% Tests the limits for VMs of isolated children of the application `walls`. Prints one `key=term`
%% per line. With `kill` as second argument, it kills its own VM in between.
-mode(compile).
-export([log/2]).
-define(PATIENCE, 120000).
-define(MEMORY, #{memory => 400 bsl 20}).
%% Even an emulated machine starts a VM in this time.
-define(TIME, #{processor_time => 4000}).

main([Ebin | How]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    ok = logger:add_handler(?MODULE, ?MODULE, #{config => self()}),
    {ok, Library} = otp_rs:library_of(decoder),
    {module, Library} = code:ensure_loaded(Library),
    ok = otp_rs_helper:ensure_started(Library),
    _ = process_flag(trap_exit, true),
    First = started(?MEMORY),
    say(told, [Text || Text <- told(), string:find(Text, "isolated children:") =/= nomatch]),
    say(groups, length(groups())),
    _ = How =:= ["kill"] andalso os:cmd("kill -KILL " ++ os:getpid()),
    say(memory, ended(First, memory)),
    say(processor_time, ended(started(?TIME), spin)),
    say(killed, ended(started(?MEMORY), {signal, <<"KILL">>})),
    say(told_again, [Text || Text <- told(), string:find(Text, "isolated children:") =/= nomatch]),
    say(left, left(?PATIENCE)),
    erlang:halt(0).

started(Limits) ->
    {ok, Child} = otp_rs_isolated:start_link(Limits, decoder, [0]),
    2 = gen_server:call(Child, {double, 1}, ?PATIENCE),
    Child.

%% Returns why the child's VM has ended.
ended(Child, Way) ->
    try gen_server:call(Child, {fail, Way}, ?PATIENCE) catch exit:{{vm_ended, Why, _}, _} -> Why end.

%% Returns all control groups of otp-rs, whichever VM has created them.
groups() ->
    case persistent_term:get(otp_rs_limits) of
        {ok, Parent} -> filelib:wildcard("otp_rs_[0-9]*", Parent);
        {none, _} -> []
    end.

left(Time) ->
    case groups() of
        [_ | _] when Time > 0 -> timer:sleep(20), left(Time - 20);
        Left -> Left
    end.

log(#{msg := {Format, Arguments}}, #{config := To}) when is_list(Arguments) ->
    To ! {log, lists:flatten(io_lib:format(Format, Arguments))};
log(_, _) ->
    ok.

told() ->
    receive {log, Text} -> [Text | told()] after 0 -> [] end.

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).
