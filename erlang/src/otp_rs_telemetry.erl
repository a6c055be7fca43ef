%% Events for the library `telemetry` (docs/howto/telemetry.md). The module is the same in every
%% application.
-module(otp_rs_telemetry).
-export([is_running/0, ended/2]).

-include("otp_rs_protocol.hrl").
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
    {Event, More} =
        case Raised of
            none ->
                {[otp_rs, callback, stop], #{}};
            {Class, Reason, Stack} ->
                Details = #{kind => Class, reason => Reason, stacktrace => Stack},
                {[otp_rs, callback, exception], Details}
        end,
    %% A dynamic name, because most applications run without this library. It may have been stopped
    %% since the application has started.
    Library = binary_to_existing_atom(<<"telemetry">>, utf8),
    _ = try
            Library:execute(Event, Measurements, maps:merge(Metadata, More))
        catch
            error:undef -> ok
        end,
    ok.
