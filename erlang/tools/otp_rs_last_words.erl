%% Runs in a node during an upgrade. It sends the errors that the node logs to the upgrade command,
%% so that the command can report why a node ended.
-module(otp_rs_last_words).
-export([follow/1, watch/1, log/2, heard/0]).

%% The maximum number of errors that it sends, and the maximum number of characters of each.
-define(ERRORS, 20).
-define(LENGTH, 300).

%% Sends the errors of the node to this process, until it ends.
-spec follow(pid()) -> ok.
follow(Command) ->
    _ = spawn(?MODULE, watch, [Command]),
    ok.

-spec watch(pid()) -> ok.
watch(Command) ->
    Monitor = monitor(process, Command),
    _ = logger:remove_handler(?MODULE),
    Config = {Command, counters:new(1, [])},
    ok = logger:add_handler(?MODULE, ?MODULE, #{level => error, config => Config}),
    receive {'DOWN', Monitor, process, Command, _} -> ok end,
    _ = logger:remove_handler(?MODULE),
    ok.

%% The handler of logger.
-spec log(logger:log_event(), logger:handler_config()) -> ok.
log(Event, #{config := {Command, Sent}}) ->
    case counters:get(Sent, 1) < ?ERRORS of
        true ->
            ok = counters:add(Sent, 1, 1),
            Text = logger_formatter:format(Event, #{single_line => true, template => [msg], depth => 20, max_size => ?LENGTH}),
            Command ! {?MODULE, unicode:characters_to_binary(Text)},
            ok;
        false ->
            ok
    end.

%% Returns the errors that the calling process has received.
-spec heard() -> [binary()].
heard() ->
    receive {?MODULE, Text} -> [Text | heard()] after 0 -> [] end.
