#!/usr/bin/env escript
%% Calls the functions of the application `geometry` from Erlang. Prints one `key=term` per line.
-mode(compile).
-export([log/2]).
-define(PATIENCE, 120000).

main([Ebin]) ->
    true = code:add_patha(Ebin),
    ok = logger:remove_handler(default),
    ok = application:load(geometry),
    ok = application:set_env(geometry, long_callback, 100),
    ok = application:start(geometry),
    values(),
    results(),
    refused(),
    panics(),
    waits(),
    polite(),
    documented(Ebin),
    init:stop().

say(Key, Value) -> io:format("~s=~0tp~n", [Key, Value]).

values() ->
    say(area, geometry:area({rectangle, 2.0, 3.0})),
    say(area_in, geometry:area({rectangle, 2.0, 3.0}, 2.0)),
    say(slice, geometry:total([{rectangle, 2.0, 3.0}, {polygon, [{0.0, 0.0}, {4.0, 0.0}, {0.0, 3.0}]}])),
    say(owned, geometry:scaled({circle, 1.0}, 2.0)),
    say(text, geometry:shout(<<"quiet">>)),
    say(bytes, geometry:checksum(<<1, 2, 255>>)),
    say(binary, geometry:reversed(<<1, 2, 3>>)),
    say(nothing, geometry:nothing()),
    say(elixir, 'Elixir.Geometry.Distance':between({0.0, 0.0}, {3.0, 4.0})),
    say(apply, lists:map(fun geometry:area/1, [{rectangle, 1.0, 1.0}])).

results() ->
    say(ok, geometry:diameter(0.0)),
    say(error, geometry:diameter(-1.0)),
    say(unit_ok, geometry:check({circle, 1.0})),
    say(unit_error, geometry:check({circle, 0.0})),
    say(within, [geometry:check_text(<<"1">>), geometry:check_text(<<"0">>), geometry:check_text(<<"x">>)]),
    say(raised, caught(fun() -> geometry:positive_area({circle, 0.0}) end)),
    say(thrown, caught(fun() -> geometry:thrown_area({circle, 0.0}) end)),
    say(not_raised, geometry:positive_area({rectangle, 1.0, 2.0})).

caught(Fun) ->
    try Fun()
    catch Class:Reason:Stack ->
        [{Module, Function, Arity, _} | _] = Stack,
        {Class, Reason, {Module, Function, Arity}}
    end.

%% A wrong argument raises `badarg`, and the shell explains the mistake.
refused() ->
    say(refused, explained(fun() -> geometry:area({circle, round}) end)),
    say(refused_second, explained(fun() -> geometry:area({circle, 1.0}, unit) end)),
    say(refused_later, explained(fun() -> geometry:squared(nobody, 2) end)),
    say(not_utf8, explained(fun() -> geometry:shout(<<255>>) end)).

explained(Fun) ->
    try Fun()
    catch Class:Reason:Stack ->
        [{M, F, Arguments, Info} | _] = Stack,
        #{module := Formats} = proplists:get_value(error_info, Info),
        Shown = erl_error:format_exception(Class, Reason, Stack),
        Lines = [string:trim(Line) || Line <- string:split(unicode:characters_to_binary(Shown), "\n", all)],
        [Last | _] = [Line || <<"*** ", _/binary>> = Line <- Lines],
        {Class, Reason, {M, F, length(Arguments)}, Formats:format_error(Reason, Stack), Last}
    end.

%% A panic ends only the calling process.
panics() ->
    {Pid, Monitor} = spawn_monitor(fun() -> geometry:panics(<<"fall">>) end),
    receive
        {'DOWN', Monitor, process, Pid, {{panic, #{message := Message, file := File}}, [{geometry, panics, 1, _} | _]}} ->
            say(panic, {Message, File})
    after ?PATIENCE -> halt(1)
    end,
    say(panic_later, caught(fun() -> geometry:panics_later(<<"fall">>) end)),
    say(alive, geometry:nothing()).

waits() ->
    Square = spawn_link(fun Serve() ->
        receive {'$gen_call', From, Number} -> gen_server:reply(From, Number * Number), Serve() end
    end),
    self() ! other,
    say(awaited, geometry:squared(Square, 7)),
    say(mailbox, receive Message -> Message after 0 -> none end),
    say(exit, caught(fun() -> geometry:squared(self(), 7) end)),
    say(caller, geometry:caller() =:= self()),
    say(io, geometry:size_of_file(<<"/">>) =/= geometry:size_of_file(<<"/there/is/none">>)),
    say(dirty, geometry:heavy(20)).

%% In a VM with one scheduler of each kind, other processes run while a function yields at
%% checkpoints or runs on a dirty scheduler. A warning names a function that holds its scheduler.
polite() ->
    ok = logger:add_handler(observer, ?MODULE, #{config => self()}),
    _ = erlang:system_flag(schedulers_online, 1),
    [say(Key, meanwhile(Function, 300)) || {Key, Function} <- [{polite, busy}, {polite_dirty, heavy}]],
    say(stubborn, geometry:stubborn(300)),
    say(warned, warned(600)).

%% Only processor time counts. On a busy machine, a clause gets less processor time than elapsed
%% time, so each attempt takes twice as long as the previous one.
warned(Milliseconds) when Milliseconds > 20000 -> none;
warned(Milliseconds) ->
    receive {warned, Named} -> Named
    after 1000 ->
        Milliseconds = geometry:stubborn(Milliseconds),
        warned(2 * Milliseconds)
    end.

meanwhile(_, Milliseconds) when Milliseconds > 20000 -> false;
meanwhile(Function, Milliseconds) ->
    Main = self(),
    Ticker = spawn_link(fun() -> tick(Main, 0) end),
    Worker = spawn_link(fun() -> Main ! {done, geometry:Function(Milliseconds)} end),
    receive {done, Milliseconds} -> ok after ?PATIENCE -> halt(1) end,
    Ticker ! {stop, Worker},
    receive
        {ticks, Ticks} when Ticks > 5 -> true;
        {ticks, _} -> meanwhile(Function, 2 * Milliseconds)
    after ?PATIENCE -> halt(1)
    end.

tick(Main, Count) ->
    receive {stop, _} -> Main ! {ticks, Count}
    after 5 -> tick(Main, Count + 1)
    end.

%% The callback of the `logger` handler.
log(#{msg := {report, #{label := {otp_rs, long_callback}, module := M, function := F, arity := A}}}, #{config := Observer}) ->
    Observer ! {warned, {M, F, A}};
log(_, _) ->
    ok.

%% Since OTP 27, the compiler reads the documentation; in earlier releases, EDoc does.
documented(Ebin) ->
    Chunk = case list_to_integer(erlang:system_info(otp_release)) of
        New when New >= 27 ->
            {ok, Docs} = code:get_doc(geometry),
            Docs;
        _ ->
            Source = filename:join([Ebin, "..", "src", "geometry.erl"]),
            Folder = filename:join([Ebin, "..", "doc"]),
            ok = edoc:files([Source], [{doclet, edoc_doclet_chunks}, {layout, edoc_layout_chunks}, {dir, Folder}, {private, false}]),
            {ok, Bytes} = file:read_file(filename:join([Folder, "chunks", "geometry.chunk"])),
            binary_to_term(Bytes)
    end,
    {docs_v1, _, erlang, _, #{<<"en">> := _}, _, Functions} = Chunk,
    {_, _, _, #{<<"en">> := Doc}, _} = lists:keyfind({function, area, 2}, 1, Functions),
    say(documented, iolist_to_binary(text(Doc))).

text(Text) when is_binary(Text) -> Text;
text({_, _, Parts}) -> text(Parts);
text(Parts) -> lists:map(fun text/1, Parts).
