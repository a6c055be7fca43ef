%% Has processes change over that were busy while the others of their application did: each when it
%% has ended its callback and its tasks, until the next upgrade begins. The module is the same in
%% every application.
-module(otp_rs_later).
-export([start/3, stop/0, follow/0, change/4]).

%% The first library is the new one. Only an upgrade calls this, and there is one at a time.
-spec start(atom(), [module(), ...], [otp_rs_processes:process()]) -> ok.
start(_, _, []) ->
    ok;
start(Application, Libraries, Processes) ->
    Following = case whereis(?MODULE) of
        undefined ->
            New = spawn(?MODULE, follow, []),
            true = register(?MODULE, New),
            New;
        Known -> Known
    end,
    case ask(Following, {follow, Application, Libraries, Processes}) of
        ok -> ok;
        %% It has just ended, as nothing was left to do.
        ended -> start(Application, Libraries, Processes)
    end.

%% When this returns, none changes over. One that was to goes on with its old code.
-spec stop() -> ok.
stop() ->
    case whereis(?MODULE) of
        undefined -> ok;
        Following -> ended = ask(Following, stop), ok
    end.

-spec ask(pid(), term()) -> ok | ended.
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
    receive {?MODULE, From, Tag, {follow, _, _, _} = What} -> follow(From, Tag, What, #{}) end.

%% Each busy process has a process of its own here, so that none waits for another.
-spec follow(pid(), reference(), {follow, atom(), [module(), ...], [otp_rs_processes:process(), ...]}, #{pid() => reference()}) -> ok.
follow(From, Tag, {follow, Application, Libraries, Processes}, Changing) ->
    From ! {?MODULE, Tag, ok},
    More = [begin
        Asker = make_ref(),
        {spawn_link(?MODULE, change, [Application, Libraries, [One || {Same, _, _} = One <- Processes, Same =:= Pid], Asker]), Asker}
    end || Pid <- lists:usort([Pid || {Pid, _, _} <- Processes])],
    wait(maps:merge(Changing, maps:from_list(More))).

-spec wait(#{pid() => reference()}) -> ok.
wait(Changing) when map_size(Changing) =:= 0 ->
    ok;
wait(Changing) ->
    receive
        {'EXIT', Pid, _} ->
            wait(maps:remove(Pid, Changing));
        {?MODULE, From, Tag, {follow, _, _, _} = What} ->
            follow(From, Tag, What, Changing);
        {?MODULE, _, _, stop} ->
            %% As if a process had ended for which they are doing it.
            maps:foreach(fun(Pid, Asker) -> Pid ! {'DOWN', Asker, process, self(), stop} end, Changing),
            wait(Changing)
    end.

%% Its reason says otp_rs_change that nothing is left to be put back.
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
        logger:warning("~tp (~ts) goes on with the old code: ~ts", [Pid, Module, otp_rs:written(Why, 2000)])
    end, Left).
