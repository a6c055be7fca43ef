%% Switches processes that were busy during an upgrade: each one when its callback and tasks have
%% finished, until the next upgrade begins. The module is the same in every application.
-module(otp_rs_later).
-export([start/3, stop/0, follow/0, change/4]).

%% Follows these processes. The first library is the new one. Only an upgrade calls this, and there
%% is only one upgrade at a time.
-spec start(atom(), [module(), ...], [otp_rs_processes:process()]) -> ok.
start(_, _, []) ->
    ok;
start(Application, Libraries, Processes) ->
    Following = case following() of
        none ->
            New = spawn(?MODULE, follow, []),
            ok = persistent_term:put(?MODULE, New),
            New;
        Known -> Known
    end,
    case ask(Following, {follow, Application, Libraries, Processes}) of
        ok -> ok;
        %% The process has just ended because it had no more work.
        ended -> start(Application, Libraries, Processes)
    end.

%% When this returns, no process is being switched. Processes that were still to be switched keep
%% running the old code.
-spec stop() -> ok.
stop() ->
    case following() of
        none -> ok;
        Following -> ended = ask(Following, stop), ok
    end.

%% Returns the process that follows them. It has no name, because another process could take it, and
%% would never answer.
-spec following() -> pid() | none.
following() ->
    Known = persistent_term:get(?MODULE, none),
    case is_pid(Known) andalso is_process_alive(Known) of
        true -> Known;
        false -> none
    end.

-spec ask(pid(), stop | {follow, atom(), [module(), ...], [otp_rs_processes:process(), ...]}) -> ok | ended.
ask(Following, What) ->
    Monitor = monitor(process, Following),
    Following ! {?MODULE, self(), Monitor, What},
    receive
        {?MODULE, Monitor, ok} -> demonitor(Monitor, [flush]), ok;
        {'DOWN', Monitor, process, Following, _} -> ended
    end.

-spec follow() -> ok.
follow() ->
    _ = process_flag(trap_exit, true),
    receive {?MODULE, From, Tag, {follow, _, _, _} = What} when is_pid(From) -> follow(From, Tag, What, #{}) end.

%% Spawns a process for each busy process, so that they do not wait for each other.
-spec follow(pid(), reference(), {follow, atom(), [module(), ...], [otp_rs_processes:process(), ...]}, #{pid() => reference()}) -> ok.
follow(From, Tag, {follow, Application, Libraries, Processes}, Changing) ->
    From ! {?MODULE, Tag, ok},
    More = [begin
        Asker = make_ref(),
        {spawn_link(?MODULE, change, [Application, Libraries, [One || {Same, _, _} = One <- Processes, Same =:= Pid], Asker]), Asker}
    end || Pid <- lists:usort([Pid || {Pid, _, _} <- Processes])],
    wait(maps:merge(Changing, maps:from_list(More))).

%% Any process can send it any message.
-spec wait(#{pid() => reference()}) -> ok.
wait(Changing) when map_size(Changing) =:= 0 ->
    ok;
wait(Changing) ->
    receive
        {'EXIT', Pid, _} ->
            wait(maps:remove(Pid, Changing));
        {?MODULE, From, Tag, {follow, Application, [_ | _], Processes} = What}
                when is_pid(From), is_atom(Application), length(Processes) > 0 ->
            follow(From, Tag, What, Changing);
        {?MODULE, _, _, stop} ->
            %% Pretends that the process has ended on whose behalf they work.
            maps:foreach(fun(Pid, Asker) -> Pid ! {'DOWN', Asker, process, self(), stop} end, Changing),
            wait(Changing);
        _ ->
            wait(Changing)
    end.

%% Its exit reason makes the guard of otp_rs_change undo no change.
-spec change(atom(), [module(), ...], [otp_rs_processes:process(), ...], reference()) -> no_return().
change(Application, Libraries, Processes, Asker) ->
    Options = #{asker => Asker, allow_busy => false, progress => fun(_) -> ok end},
    case otp_rs_change:prepare(Processes, Libraries, infinity, Options) of
        {ok, Held} ->
            {_, Left, _} = otp_rs_change:commit(Held),
            said(Left),
            otp_rs_helper:leave(Application);
        {_, Left} -> said(Left);
        cancelled -> ok
    end,
    exit({otp_rs_upgrade, done}).

-spec said([otp_rs_change:not_changed()]) -> ok.
said(Left) ->
    lists:foreach(fun({Pid, Module, Why}) ->
        logger:warning("~tp (~ts) keeps the old code: ~ts", [Pid, Module, otp_rs:written(Why, 2000)])
    end, Left).
