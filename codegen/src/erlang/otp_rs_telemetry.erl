%% Events for the library `telemetry` (docs/howto/telemetry.md). The module is the same in every
%% application.
-module(otp_rs_telemetry).
-export([is_running/0, ended/2]).

%SHAPES%
%% An exception of a callback.
-type raised() :: {error | exit | throw, term(), [tuple()]}.

%% Returns whether the application `telemetry` runs. Without it, its functions would log a warning
%% at each event.
-spec is_running() -> boolean().
is_running() ->
    lists:keymember(telemetry, 1, application:which_applications()).

%% Executes the event of a callback that has ended, in its process.
-spec ended(map(), raised() | none) -> ok.
ended(?CALLBACK(Module, Function, Arity, Message, Nanoseconds), Raised) ->
    {message_queue_len, Waiting} = process_info(self(), message_queue_len),
    Measurements = #{
        duration => erlang:convert_time_unit(Nanoseconds, nanosecond, native),
        monotonic_time => erlang:monotonic_time(),
        message_queue_len => Waiting
    },
    Metadata = #{module => Module, function => Function, arity => Arity, message => Message},
    case Raised of
        none ->
            execute([otp_rs, callback, stop], Measurements, Metadata);
        {Class, Reason, Stack} ->
            Exception = #{kind => Class, reason => Reason, stacktrace => Stack},
            execute([otp_rs, callback, exception], Measurements, maps:merge(Metadata, Exception))
    end.

%% The application may have been stopped since this one has started.
-spec execute([atom(), ...], map(), map()) -> ok.
execute(Event, Measurements, Metadata) ->
    _ = try telemetry:execute(Event, Measurements, Metadata) catch error:undef -> ok end,
    ok.
