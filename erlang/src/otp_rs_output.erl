%% The output of the helper: it logs and prints for threads and dirty schedulers. A separate process
%% does the writing, the writer. If a group leader or a handler of `logger` does not answer, only
%% the writer waits for it. The helper then leaves that writer behind, together with later output
%% for the same receiver, and continues the rest of the output in its order with a new writer. The
%% module is the same in every application.
-module(otp_rs_output).
-export([new/0, add/3, handle/2, put_entries/2, is_entry/1, taken/1, format_fields/1]).
-export([write/2]).
-export_type([output/0, done/0]).

-include("otp_rs_protocol.hrl").
%% An item to write. `nothing` only waits until the items before it are written.
-type item() :: {entry, otp_rs:entry()} | {report, map()} | nothing.
%% Called when an item has been written or left behind.
-type done() :: fun(() -> ok).
%% A receiver that does not answer: a group leader, the handlers of `logger`, or a process whose
%% group leader cannot be determined.
-type receiver() :: pid() | logger | {leader_of, pid()}.
-type items() :: queue:queue({item(), done()}).
-record(writer, {
    pid :: pid(),
    monitor :: reference(),
    %% Part of every message between writer and helper. It authenticates them, because other
    %% processes do not know it.
    key :: reference(),
    item :: idle | {item(), done()},
    receiver :: receiver() | undefined
}).
-record(output, {
    writer = none :: none | #writer{},
    queue = queue:new() :: items(),
    size = 0 :: non_neg_integer(),
    lost = 0 :: non_neg_integer(),
    %% Writers that were left behind, and the items that they still have to write.
    silent = #{} :: #{receiver() => {#writer{}, items()}},
    timer = none :: none | reference(),
    %% The number of items written, and that number when the timer was started.
    count = 0 :: non_neg_integer(),
    before = 0 :: non_neg_integer()
}).
-opaque output() :: #output{}.

%% A receiver that does not answer for this time is left behind, after at most twice as many
%% milliseconds.
-define(PATIENCE, 500).
%% Limits for waiting items: in all, and for one silent receiver.
-define(MOST, 20000).
-define(MOST_SILENT, 1000).
%% Limit for a field, and for a message that is not a text.
-define(MOST_CHARACTERS, 20000).

-spec new() -> output().
new() ->
    #output{}.

%% Writes an item after those before it have been written or left behind.
-spec add(item(), done(), output()) -> output().
add(Item, Done, #output{queue = Queue, size = Size, lost = Lost} = Output) ->
    case Item =/= nothing andalso Size >= ?MOST of
        true ->
            ok = Done(),
            Output#output{lost = Lost + 1};
        false ->
            next(Output#output{queue = queue:in({Item, Done}, Queue), size = Size + 1})
    end.

%% Handles a message of a writer, or of the timer. Returns `none` for any other message.
-spec handle(term(), output()) -> output() | none.
handle({Key, Word}, #output{writer = #writer{key = Key} = Writer} = Output) ->
    current(Word, Writer, Output);
handle({timeout, Timer, _}, #output{timer = Timer} = Output) when is_reference(Timer) ->
    look(Output#output{timer = none});
handle({'DOWN', Monitor, process, _, _}, #output{writer = #writer{monitor = Monitor, item = Item}} = Output) ->
    %% The writer was killed.
    next(done(Item, Output#output{writer = none}));
handle({Key, done}, #output{silent = Silent} = Output) when is_reference(Key) ->
    left([Entry || {_, {#writer{key = Other}, _}} = Entry <- maps:to_list(Silent), Other =:= Key], Output);
handle({'DOWN', Monitor, process, _, _}, #output{silent = Silent} = Output) ->
    case [Receiver || {Receiver, {#writer{monitor = Other}, _}} <- maps:to_list(Silent), Other =:= Monitor] of
        [Receiver] -> Output#output{silent = maps:remove(Receiver, Silent)};
        [] -> none
    end;
handle(_, _) ->
    none.

%% Handles a message of the current writer: its receiver, that the receiver is silent, or that the
%% item is written.
-spec current({to | silent, receiver()} | done, #writer{}, output()) -> output().
current({to, Receiver}, Writer, Output) ->
    Output#output{writer = Writer#writer{receiver = Receiver}};
current({silent, Receiver}, #writer{item = {Item, Done}} = Writer, #output{silent = Silent} = Output) ->
    Idle = Output#output{writer = Writer#writer{item = idle}},
    case Silent of
        #{Receiver := {Behind, Items}} ->
            ok = Done(),
            next(case queue:len(Items) >= ?MOST_SILENT of
                true -> Idle#output{lost = Idle#output.lost + 1};
                false -> Idle#output{silent = Silent#{Receiver := {Behind, queue:in({Item, fun nothing/0}, Items)}}}
            end);
        _ ->
            %% The receiver has answered since.
            next(Idle#output{queue = queue:in_r({Item, Done}, Idle#output.queue), size = Idle#output.size + 1})
    end;
current(done, #writer{item = Item} = Writer, Output) ->
    next(done(Item, Output#output{writer = Writer#writer{item = idle, receiver = undefined}})).

-spec done(idle | {item(), done()}, output()) -> output().
done(idle, Output) ->
    Output;
done({_, Done}, #output{count = Count} = Output) ->
    ok = Done(),
    Output#output{count = Count + 1}.

-spec nothing() -> ok.
nothing() -> ok.

%% A writer that was left behind continues.
-spec left([{receiver(), {#writer{}, items()}}], output()) -> output() | none.
left([], _) ->
    none;
left([{Receiver, {Writer, Items}}], #output{silent = Silent} = Output) ->
    case queue:out(Items) of
        {{value, {Item, _}}, Others} ->
            hand(Writer, Item, #{}),
            Output#output{silent = Silent#{Receiver := {Writer, Others}}};
        {empty, _} ->
            stop(Writer),
            Output#output{silent = maps:remove(Receiver, Silent)}
    end.

%% Passes the next item to the writer, if it is idle.
-spec next(output()) -> output().
next(#output{writer = #writer{item = {_, _}}} = Output) ->
    Output;
next(#output{queue = Queue, size = Size, lost = Lost} = Output) ->
    case queue:out(Queue) of
        {empty, _} when Lost > 0 ->
            next(Output#output{lost = 0, size = 1, queue = queue:in({{entry, ?LOST(Lost)}, fun nothing/0}, Queue)});
        {empty, _} ->
            Output;
        {{value, {nothing, Done}}, Others} ->
            ok = Done(),
            next(Output#output{queue = Others, size = Size - 1});
        {{value, {Item, _} = First}, Others} ->
            Writer = writer(Output),
            hand(Writer, Item, Output#output.silent),
            timed(Output#output{queue = Others, size = Size - 1, writer = Writer#writer{item = First, receiver = undefined}})
    end.

-spec writer(output()) -> #writer{}.
writer(#output{writer = #writer{} = Writer}) ->
    Writer;
writer(#output{writer = none}) ->
    Key = make_ref(),
    {Pid, Monitor} = spawn_opt(?MODULE, write, [self(), Key], [link, monitor]),
    #writer{pid = Pid, monitor = Monitor, key = Key, item = idle}.

-spec hand(#writer{}, item(), #{receiver() => term()}) -> ok.
hand(#writer{pid = Pid, key = Key}, Item, Silent) ->
    Pid ! {Key, Item, maps:map(fun(_, _) -> true end, Silent)},
    ok.

-spec stop(#writer{}) -> ok.
stop(#writer{pid = Pid, monitor = Monitor}) ->
    true = unlink(Pid),
    true = exit(Pid, kill),
    true = demonitor(Monitor, [flush]),
    ok.

%% Starts the timer, which runs only while there is something to write.
-spec timed(output()) -> output().
timed(#output{timer = none, count = Count} = Output) ->
    Output#output{timer = erlang:start_timer(?PATIENCE, self(), writer), before = Count};
timed(Output) ->
    Output.

%% Leaves the writer behind if it has written nothing since the timer was started.
-spec look(output()) -> output().
look(#output{writer = #writer{item = {_, _}}, count = Count, before = Before} = Output) when Count =/= Before ->
    timed(Output);
look(#output{writer = #writer{item = {Item, _} = Current} = Writer, silent = Silent} = Output) ->
    Receiver = case Writer#writer.receiver of
        undefined -> unknown(Item);
        Known -> Known
    end,
    Left = done(Current, Output#output{writer = none}),
    case Silent of
        #{Receiver := _} ->
            stop(Writer),
            next(Left#output{lost = Left#output.lost + 1});
        _ ->
            next(Left#output{silent = Silent#{Receiver => {Writer, queue:new()}}})
    end;
look(Output) ->
    Output.

%% The receiver of an item whose writer has not determined it yet.
-spec unknown(item()) -> logger | {leader_of, pid()}.
unknown({entry, ?TEXT(_, Process)}) when is_pid(Process) -> {leader_of, Process};
unknown({entry, ?EVENT(_, _, #{pid := Process})}) when is_pid(Process) -> {leader_of, Process};
unknown(_) -> logger.

%% The writer. It never ends by itself.
-spec write(pid(), reference()) -> no_return().
write(Helper, Key) ->
    receive
        {Key, Item, Silent} ->
            _ = case prepared(Item, Silent) of
                {silent, Receiver} ->
                    Helper ! {Key, {silent, Receiver}};
                {Receiver, Write} ->
                    Helper ! {Key, {to, Receiver}},
                    %% An item that cannot be written does not stop the writer.
                    _ = try Write(Helper) catch _:_ -> ok end,
                    Helper ! {Key, done}
            end,
            write(Helper, Key);
        _ ->
            write(Helper, Key)
    end.

-spec prepared(item(), #{receiver() => true}) -> {silent, receiver()} | {receiver(), fun((pid()) -> ok)}.
prepared({entry, ?TEXT(_, Process)}, Silent) when is_map_key({leader_of, Process}, Silent) ->
    {silent, {leader_of, Process}};
prepared({entry, ?TEXT(Text, Process)}, Silent) ->
    Leader = leader(Process),
    to(Leader, Silent, fun(_) -> io:put_chars(Leader, Text) end);
prepared({entry, ?EVENT(_, _, #{pid := Process})}, Silent) when is_map_key({leader_of, Process}, Silent) ->
    {silent, {leader_of, Process}};
prepared({entry, Entry}, Silent) ->
    Complete = of_process(Entry),
    to(logger, Silent, fun(Helper) -> put_entry(Complete, #{pid => Helper}) end);
prepared({report, Report}, Silent) ->
    to(logger, Silent, fun(Helper) -> otp_rs:log_report(Report, #{pid => Helper}) end).

-spec to(receiver(), #{receiver() => true}, fun((pid()) -> ok)) -> {silent, receiver()} | {receiver(), fun((pid()) -> ok)}.
to(Receiver, Silent, _) when is_map_key(Receiver, Silent) -> {silent, Receiver};
to(Receiver, _, Write) -> {Receiver, Write}.

%% Writes an entry in the calling process. `logger` adds that process's metadata, and applies the
%% level of the module in `mfa`.
-spec put_entry(otp_rs:entry(), logger:metadata()) -> ok.
put_entry(?EVENT(Level, Fields, Metadata), Others) when is_map(Fields) ->
    logger:log(Level, Fields, maps:merge(Others, Metadata#{report_cb => fun ?MODULE:format_fields/1}));
put_entry(?EVENT(Level, Text, Metadata), Others) ->
    logger:log(Level, Text, maps:merge(Others, Metadata));
put_entry(?TEXT(Text, Process), _) ->
    %% A group leader that is gone must not make the callback fail.
    try io:put_chars(leader(Process), Text) catch error:_ -> ok end;
put_entry(?LOST(Number), Others) ->
    logger:warning("~b entries of the log were dropped, because there were too many at once", [Number], Others).

-spec leader(pid() | undefined) -> pid().
leader(undefined) -> group_leader();
leader(Process) ->
    case process_info(Process, group_leader) of
        {group_leader, Leader} -> Leader;
        undefined -> group_leader()
    end.

%% Completes an entry of the calling process that another process writes.
-spec of_caller(otp_rs:entry()) -> otp_rs:entry().
of_caller(?EVENT(Level, Message, Metadata)) -> ?EVENT(Level, Message, Metadata#{pid => self()});
of_caller(?TEXT(Text, undefined)) -> ?TEXT(Text, self());
of_caller(Entry) -> Entry.

%% Completes an event of a process that cannot log it itself, because it runs on a dirty scheduler
%% or because a task acts for it. `logger` keeps a process's own metadata in its dictionary, which
%% may contain anything.
-spec of_process(otp_rs:entry()) -> otp_rs:entry().
of_process(?EVENT(Level, Message, #{pid := Pid} = Metadata)) ->
    case process_info(Pid, [group_leader, dictionary]) of
        [{group_leader, Leader}, {dictionary, Dictionary}] ->
            Own = case proplists:get_value('$logger_metadata$', Dictionary, #{}) of
                #{} = Map -> Map;
                _ -> #{}
            end,
            ?EVENT(Level, Message, maps:merge(Own#{gl => Leader}, Metadata));
        undefined -> ?EVENT(Level, Message, Metadata)
    end;
of_process(Entry) ->
    Entry.

%% Returns whether it is a valid entry of a library. Wrong metadata could make handlers and filters
%% of `logger` fail, and `logger` removes those.
-spec is_entry(term()) -> boolean().
is_entry(?EVENT(Level, Message, Metadata)) when is_binary(Message); is_map(Message) ->
    lists:member(Level, [error, warning, info, debug]) andalso is_map(Metadata)
        andalso maps:fold(fun(Key, Value, Is) -> Is andalso is_metadata(Key, Value) end, true, Metadata);
is_entry(?TEXT(Text, Process)) -> is_binary(Text) andalso (Process =:= undefined orelse is_local(Process));
is_entry(?LOST(Number)) -> is_integer(Number) andalso Number > 0;
is_entry(_) -> false.

-spec is_metadata(term(), term()) -> boolean().
is_metadata(pid, Value) -> is_local(Value);
is_metadata(time, Value) -> is_integer(Value);
is_metadata(line, Value) -> is_integer(Value);
is_metadata(file, Value) -> io_lib:char_list(Value);
is_metadata(mfa, {M, F, A}) -> is_atom(M) andalso is_atom(F) andalso is_integer(A);
is_metadata(Key, Value) when Key =:= target; Key =:= module; Key =:= thread -> is_binary(Value);
is_metadata(spans, Value) -> is_list(Value);
is_metadata(_, _) -> false.

-spec is_local(term()) -> boolean().
is_local(Process) -> is_pid(Process) andalso node(Process) =:= node().

%% `Message key=value`
-spec format_fields(logger:report()) -> {io:format(), [term()]}.
format_fields(Report) ->
    Fields = lists:sort(maps:to_list(maps:remove(message, Report))),
    {"~ts~ts", [text(maps:get(message, Report, "")), [io_lib:format(" ~ts=~ts", [text(K), field(V)]) || {K, V} <- Fields]]}.

%% Keys and messages are texts, unless the report has another source.
-spec text(term()) -> atom() | unicode:chardata().
text(Text) when is_binary(Text); is_atom(Text); Text =:= "" -> Text;
text(Other) -> otp_rs:written(Other, ?MOST_CHARACTERS).

-spec field(term()) -> unicode:chardata().
field(Value) when is_binary(Value) ->
    case unicode:characters_to_list(Value) of
        Text when is_list(Text) -> otp_rs:written(Text, ?MOST_CHARACTERS);
        _ -> otp_rs:written(Value, ?MOST_CHARACTERS)
    end;
field(Value) -> otp_rs:written(Value, ?MOST_CHARACTERS).

%% Writes the logs and output of the calling process. `IsBehind`: entries of this process are still
%% in the helper and come first.
-spec put_entries(boolean(), [otp_rs:entry()]) -> ok.
put_entries(IsBehind, Entries) ->
    Complete = within(otp_rs_spans:inherited(), Entries),
    case behind(IsBehind) of
        none -> lists:foreach(fun(Entry) -> put_entry(Entry, #{}) end, Complete);
        Behind -> send_later(Behind, Complete)
    end.

%% Adds the spans of the message that the process handles around those of each event.
-spec within([otp_rs:span()], [otp_rs:entry()]) -> [otp_rs:entry()].
within([], Entries) -> Entries;
within(Spans, Entries) -> [around(Spans, Entry) || Entry <- Entries].

-spec around([otp_rs:span()], otp_rs:entry()) -> otp_rs:entry().
around(Spans, ?EVENT(Level, Message, Metadata)) ->
    ?EVENT(Level, Message, Metadata#{spans => Spans ++ maps:get(spans, Metadata, [])});
around(_, Entry) ->
    Entry.

%% Counters of the calling process: entries in transit through the helper, and entries that were
%% dropped because there were too many.
-define(ON_ITS_WAY, 1).
-define(DROPPED_ENTRIES, 2).
%% The maximum number of entries of a process in transit.
-define(MOST_ON_ITS_WAY, 1000).
-define(BEHIND, '$otp_rs_behind').

%% Returns whether entries of the calling process are in transit through the helper, or were until
%% now. The next entries then have to take the same way. Otherwise, they would arrive first.
%% `IsBehind`: the library has sent some.
-spec behind(boolean()) -> none | {pid(), atomics:atomics_ref()}.
behind(IsBehind) ->
    case {otp_rs_helper:known(), get(?BEHIND)} of
        {none, _} -> none;
        {Helper, {Helper, Counts} = Behind} ->
            case IsBehind orelse atomics:get(Counts, ?ON_ITS_WAY) > 0 of
                true -> Behind;
                false -> _ = erase(?BEHIND), none
            end;
        {Helper, _} when IsBehind ->
            Behind = {Helper, atomics:new(2, [])},
            _ = put(?BEHIND, Behind),
            Behind;
        {_, undefined} -> none;
        {_, _} -> _ = erase(?BEHIND), none
    end.

%% Sends entries after those in transit.
-spec send_later({pid(), atomics:atomics_ref()}, [otp_rs:entry()]) -> ok.
send_later(Behind, []) ->
    hand(Behind, nothing);
send_later(Behind, Entries) ->
    lists:foreach(fun(Entry) -> hand(Behind, of_caller(Entry)) end, Entries).

-spec hand({pid(), atomics:atomics_ref()}, nothing | otp_rs:entry()) -> ok.
hand({Helper, Counts}, Entry) ->
    case atomics:add_get(Counts, ?ON_ITS_WAY, 1) > ?MOST_ON_ITS_WAY of
        true ->
            ok = atomics:sub(Counts, ?ON_ITS_WAY, 1),
            atomics:add(Counts, ?DROPPED_ENTRIES, 1);
        false ->
            Helper ! ?HANDED(Counts, Entry),
            ok
    end.

%% Counts an entry that the helper has written. Returns how many entries were dropped since the last
%% call.
-spec taken(reference()) -> non_neg_integer().
taken(Counts) ->
    try
        ok = atomics:sub(Counts, ?ON_ITS_WAY, 1),
        atomics:exchange(Counts, ?DROPPED_ENTRIES, 0)
    catch
        error:_ -> 0
    end.
