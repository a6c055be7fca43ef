
%% Applies `[log]` of otp.toml: the level, whether supervisors report each child that they start,
%% and the format of lines, text or JSON.
-spec set_log() -> ok.
set_log() ->
    _ = case argument(otp_rs_log_progress) of
        ["true"] -> ok;
        _ -> logger:add_primary_filter(?MODULE, {fun logger_filters:progress/2, stop})
    end,
    _ = case argument(otp_rs_log_level) of
        [Level] -> logger:set_primary_config(level, list_to_existing_atom(Level));
        [] -> ok
    end,
    case argument(otp_rs_log_format) of
        ["json"] -> _ = logger:set_handler_config(default, formatter, {?MODULE, #{}}), ok;
        _ -> set_text(logger:get_handler_config(default))
    end.

%% Makes OTP's formatter write spans as texts. A template of the user may contain `spans`; the one
%% of OTP gets them before the message.
-spec set_text({ok, logger:handler_config()} | {error, term()}) -> ok.
set_text({ok, #{formatter := {logger_formatter, Config}}}) ->
    Text = case maps:get(legacy_header, Config, false) of
        true when not is_map_key(template, Config) ->
            Config#{template => [[logger_formatter, header], "\n", {spans, [spans, ": "], []}, msg, "\n"]};
        _ -> Config
    end,
    _ = logger:set_handler_config(default, formatter, {?MODULE, #{text => Text}}),
    ok;
set_text(_) ->
    ok.

%% The formatter of logger: writes an event as a text, or as a JSON object on one line.
-spec format(logger:log_event(), #{text => logger:formatter_config()}) -> unicode:chardata().
format(#{meta := #{spans := Spans} = Meta} = Event, #{text := Config}) when is_list(Spans) ->
    Text = unicode:characters_to_list(lists:join($:, [span_text(Span) || Span <- Spans])),
    logger_formatter:format(Event#{meta := Meta#{spans := Text}}, Config);
format(Event, #{text := Config}) ->
    logger_formatter:format(Event, Config);
format(#{level := Level, msg := Message, meta := Meta} = Event, _) ->
    Time = calendar:system_time_to_rfc3339(maps:get(time, Meta), [{unit, microsecond}, {offset, "Z"}]),
    Known = [{Key, maps:get(Key, Meta)} || Key <- [pid, mfa, file, line, target, spans], maps:is_key(Key, Meta)],
    {Text, Fields} = message(Message, Event),
    Own = [{time, unicode:characters_to_binary(Time)}, {level, Level}, {message, Text}],
    [object(add(Known, add(Fields, Own))), $\n].

%% Appends the members whose keys do not occur yet.
-spec add([{term(), term()}], [{term(), term()}, ...]) -> [{term(), term()}, ...].
add(Members, Others) ->
    Known = [key(Key) || {Key, _} <- Others],
    Others ++ [Member || {Key, _} = Member <- Members, not lists:member(key(Key), Known)].

%% Returns the text of an event, and the fields that reports of Rust have beside the text.
-spec message(term(), logger:log_event()) -> {binary(), [{term(), term()}]}.
message({report, #{message := Text} = Report}, _) when is_binary(Text), not is_map_key(label, Report) ->
    {Text, maps:to_list(maps:remove(message, Report))};
message(_, Event) ->
    Text = logger_formatter:format(Event, #{template => [msg], single_line => false}),
    {text(Text), []}.

-spec object([{term(), term()}]) -> unicode:chardata().
object(Members) ->
    Written = [[string(key(Key)), $:, value(Key, Value)] || {Key, Value} <- Members],
    [${, lists:join($,, Written), $}].

-spec key(term()) -> binary().
key(Key) when is_atom(Key) -> atom_to_binary(Key);
key(Key) when is_binary(Key) -> Key;
key(Key) -> text(io_lib:format("~0tp", [Key])).

-spec value(term(), term()) -> unicode:chardata().
value(mfa, {M, F, A}) when is_atom(M), is_atom(F), is_integer(A) -> string(text(io_lib:format("~tp:~tp/~b", [M, F, A])));
value(file, File) -> string(text(io_lib:format("~ts", [File])));
value(spans, Spans) when is_list(Spans) -> [$[, lists:join($,, [span(Span) || Span <- Spans]), $]];
value(_, Value) -> json(Value).

%% Writes a span as `tracing` does: `request{method="GET" path="/"}`.
-spec span_text(term()) -> unicode:chardata().
span_text({Name, Fields}) when is_binary(Name), is_map(Fields), map_size(Fields) =:= 0 -> text(Name);
span_text({Name, Fields}) when is_binary(Name), is_map(Fields) ->
    Written = [[key(Key), $=, json(Value)] || {Key, Value} <- lists:sort(maps:to_list(Fields))],
    [text(Name), ${, lists:join($\s, Written), $}];
span_text(Other) ->
    io_lib:format("~0tp", [Other]).

%% Writes a span as an object with its name and its fields.
-spec span(term()) -> unicode:chardata().
span({Name, Fields}) when is_map(Fields) -> object([{name, Name} | maps:to_list(Fields)]);
span(Other) -> json(Other).

-spec json(term()) -> unicode:chardata().
json(Value) when Value =:= true; Value =:= false; Value =:= null -> atom_to_binary(Value);
json(Value) when is_integer(Value) -> integer_to_binary(Value);
json(Value) when is_float(Value) -> float_to_binary(Value, [short]);
json(Value) when is_atom(Value) -> string(atom_to_binary(Value));
json(Value) when is_map(Value) -> object(maps:to_list(Value));
json(Value) when is_binary(Value) ->
    case unicode:characters_to_binary(Value) of
        Value -> string(Value);
        _ -> string(text(io_lib:format("~0p", [Value])))
    end;
json(Value) ->
    string(text(io_lib:format("~0tp", [Value]))).

%% Converts any kind of text to UTF-8.
-spec text(unicode:chardata()) -> binary().
text(Text) ->
    case unicode:characters_to_binary(Text) of
        Binary when is_binary(Binary) -> Binary;
        {_, Begun, _} -> Begun
    end.

-spec string(binary()) -> unicode:chardata().
string(Text) ->
    [$", [escaped(Character) || <<Character/utf8>> <= Text], $"].

-spec escaped(char()) -> unicode:chardata() | char().
escaped($") -> "\\\"";
escaped($\\) -> "\\\\";
escaped($\n) -> "\\n";
escaped(Character) when Character < 16#20 -> io_lib:format("\\u~4.16.0b", [Character]);
escaped(Character) -> Character.
