%% Spans of `tracing` that travel with calls and casts (docs/logs.md). The VM passes the sequential
%% trace token of a process (seq_trace) on with each message, and makes it the token of the process
%% that receives the message. Its label carries the spans: `{'$otp_rs_spans', [{Name, Fields}]}`. No
%% flag is set, so nothing is traced. A process whose token has another label keeps it. The module
%% is the same in every application.
-module(otp_rs_spans).
-export([enter/1, restore/1, leave/0, begins/1, inherited/0, give/2]).

-include("otp_rs_protocol.hrl").
%% The result of `erlang:seq_trace_info(label)`.
-type label() :: {label, term()} | [].

%% The most spans around an event. A cycle of calls would otherwise send more and more of them.
-define(MOST, 32).

%% Adds spans to those of the process. Returns the label before, for restore/1.
-spec enter([otp_rs:span()]) -> label().
enter(Spans) ->
    case erlang:seq_trace_info(label) of
        [] -> set(Spans), [];
        {label, {?SPANS, _}} = Before -> set(lists:sublist(inherited() ++ Spans, ?MOST)), Before;
        Foreign -> Foreign
    end.

%% Restores the label of the process after it has received messages.
-spec restore(label()) -> ok.
restore(Label) ->
    case erlang:seq_trace_info(label) of
        Label -> ok;
        {label, {?SPANS, _}} when Label =:= [] -> leave();
        [] -> back(Label);
        {label, {?SPANS, _}} -> back(Label);
        _ -> ok
    end.

-spec back(label()) -> ok.
back({label, {?SPANS, Spans}}) -> set(Spans);
back(_) -> ok.

%% Drops the spans. A message of a timer, and other messages of the VM itself, have no token and
%% leave that of the message before.
-spec leave() -> ok.
leave() ->
    case erlang:seq_trace_info(label) of
        {label, {?SPANS, _}} ->
            _ = erlang:seq_trace(sequential_trace_token, []),
            ok;
        _ -> ok
    end.

-spec set([otp_rs:span()]) -> ok.
set(Spans) ->
    _ = erlang:seq_trace(label, {?SPANS, Spans}),
    ok.

%% Called with the type of an event of a `gen_statem`. A timeout has no spans.
-spec begins(term()) -> ok.
begins(cast) -> ok;
begins({call, _}) -> ok;
begins(Type) when Type =:= info; Type =:= internal; Type =:= enter -> ok;
begins(_) -> leave().

%% Returns the spans of the message that the process handles. They may come from another node.
-spec inherited() -> [otp_rs:span()].
inherited() ->
    case erlang:seq_trace_info(label) of
        {label, {?SPANS, Spans}} ->
            try length(Spans) =< ?MOST andalso lists:all(fun is_span/1, Spans) of
                true -> Spans;
                false -> []
            catch error:badarg -> []
            end;
        _ -> []
    end.

%% Passes the spans on to a future of Tokio, which the library polls on its own threads.
-spec give(module(), reference()) -> ok.
give(Library, Future) ->
    Library:spans(Future, inherited()).

-spec is_span(term()) -> boolean().
is_span({Name, Fields}) -> is_binary(Name) andalso is_map(Fields);
is_span(_) -> false.
