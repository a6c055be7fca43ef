%% Samples the node about once a second while a page is open, and sends changes to the pages. If a
%% sample takes long, the next one is delayed, so that sampling takes about a fiftieth of one
%% scheduler's time.
-module(otp_rs_observer_sampler).
-behaviour(gen_server).
-export([start_link/1, hide/2, subscribe/1, ready/1, questions/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

%% The maximum number of pages at a time.
-define(PAGES, 16).
%% Milliseconds between two samples, at least and at most, and the ratio of the pause to a sample.
-define(INTERVAL, 1000).
-define(LONGEST, 5000).
-define(SHARE, 50).
%% The timeout for the figures of the node, in milliseconds.
-define(FIGURES, 200).
%% Milliseconds between two walks of the supervision trees, for one request of a walk, and for a
%% whole walk.
-define(WALK, 3000).
-define(ANSWER, 500).
-define(ALL, 3000).
%% The maximum number of characters of a child's id.
-define(ID, 200).

-record(state, {
    %% Processes whose cost is shown, but which are not listed.
    own = [] :: [pid()],
    log :: otp_rs_observer_log:log(),
    questions = otp_rs_observer_question:new(),
    %% The state of a page: it has received everything (`ready`), or a message is in transit to it
    %% and it has missed a later one (`late`) or not (`waiting`), or it must receive everything
    %% (`new`).
    pages = #{} :: #{pid() => ready | waiting | late | new},
    monitors = #{} :: #{reference() => pid()},
    rows = otp_rs_observer_rows:new(),
    figures = none :: none | otp_rs_observer_figures:figures(),
    %% The displayed values of the node.
    shown = #{} :: map(),
    tree = [] :: [otp_rs_supervision:tree()],
    sent_tree = [] :: [otp_rs_supervision:tree()],
    %% The clock runs while there are pages. The next walk has a timer, and a running one a monitor.
    clock = none :: none | otp_rs_observer_clock:clock(),
    walk = idle :: idle | reference(),
    last_event = 0 :: non_neg_integer(),
    %% Reductions of processes that have ended.
    spent = 0 :: non_neg_integer()
}).

-spec start_link(otp_rs_observer_log:log()) -> {ok, pid()}.
start_link(Log) ->
    gen_server:start_link(?MODULE, Log, []).

%% Adds processes that belong to the observer.
-spec hide(pid(), [pid()]) -> ok.
hide(Sampler, Own) ->
    gen_server:call(Sampler, {hide, Own}).

%% Subscribes the caller to `{event, Json}`. After each event, the caller sends `ready` to get the
%% next one.
-spec subscribe(pid()) -> ok | {error, full}.
subscribe(Sampler) ->
    gen_server:call(Sampler, subscribe).

-spec ready(pid()) -> ok.
ready(Sampler) ->
    gen_server:cast(Sampler, {ready, self()}).

-spec questions(pid()) -> otp_rs_observer_question:questions().
questions(Sampler) ->
    gen_server:call(Sampler, questions).

init(Log) ->
    {ok, #state{log = Log}}.

%% Any process can send any message, even one that looks like a call but has no valid sender.
handle_call(_, From, State) when not is_pid(element(1, From)) ->
    {noreply, State};
handle_call({hide, Own}, _, State) when length(Own) >= 0 ->
    {reply, ok, State#state{own = [self() | [Pid || Pid <- Own, is_pid(Pid)]]}};
handle_call(questions, _, State) ->
    {reply, State#state.questions, State};
handle_call(subscribe, _, #state{pages = Pages} = State) when map_size(Pages) >= ?PAGES ->
    {reply, {error, full}, State};
handle_call(subscribe, {Page, _}, #state{pages = Pages, monitors = Monitors} = State) ->
    Watched = Monitors#{monitor(process, Page) => Page},
    {reply, ok, begun(State#state{pages = Pages#{Page => new}, monitors = Watched})};
handle_call(_, _, State) ->
    {noreply, State}.

%% Starts samples and walks, if they are not running.
-spec begun(#state{}) -> #state{}.
begun(#state{clock = none} = State) ->
    _ = erlang:system_flag(scheduler_wall_time, true),
    Clock = otp_rs_observer_clock:start(),
    otp_rs_observer_clock:after_ms(Clock, 0),
    begun(State#state{clock = Clock});
begun(#state{walk = idle} = State) ->
    walk_after(0, State);
begun(State) ->
    State.

handle_cast({ready, Page}, #state{pages = Pages} = State) ->
    case Pages of
        #{Page := waiting} -> {noreply, State#state{pages = Pages#{Page := ready}}};
        #{Page := late} -> {noreply, State#state{pages = Pages#{Page := new}}};
        _ -> {noreply, State}
    end;
handle_cast(_, State) ->
    {noreply, State}.

handle_info(look, #state{clock = none} = State) ->
    {noreply, State};
handle_info(look, #state{pages = Pages, clock = Clock} = State) when map_size(Pages) =:= 0 ->
    _ = erlang:system_flag(scheduler_wall_time, false),
    otp_rs_observer_clock:stop(Clock),
    {noreply, State#state{clock = none, rows = otp_rs_observer_rows:new(), figures = none}};
handle_info(look, State) ->
    {noreply, look(State)};
handle_info({timeout, Timer, walk}, #state{walk = Timer, pages = Pages} = State) when map_size(Pages) =:= 0 ->
    {noreply, State#state{walk = idle}};
handle_info({timeout, Timer, walk}, #state{walk = Timer} = State) ->
    {_, Walk} = spawn_monitor(fun walk/0),
    {noreply, State#state{walk = Walk}};
handle_info({'DOWN', Walk, process, _, Reason}, #state{walk = Walk, spent = Spent} = State) when is_reference(Walk) ->
    case Reason of
        {walked, Tree, Cost} -> {noreply, walk_after(?WALK, State#state{tree = Tree, spent = Spent + Cost})};
        _ -> {noreply, walk_after(?WALK, State)}
    end;
handle_info({'DOWN', Monitor, process, _, _}, #state{pages = Pages, monitors = Monitors} = State)
        when is_map_key(Monitor, Monitors) ->
    {Page, Others} = maps:take(Monitor, Monitors),
    {noreply, State#state{pages = maps:remove(Page, Pages), monitors = Others}};
handle_info(_, State) ->
    {noreply, State}.

-spec walk_after(non_neg_integer(), #state{}) -> #state{}.
walk_after(Milliseconds, State) ->
    State#state{walk = erlang:start_timer(Milliseconds, self(), walk)}.

%% Walks the trees, and exits with the result as the reason. The sampler does not wait for it,
%% because a supervisor may be busy.
-spec walk() -> no_return().
walk() ->
    Asking = otp_rs_supervision:asking(node(), {?ANSWER, ?ALL}),
    {ok, Trees} = otp_rs_supervision:trees([], Asking),
    {reductions, Cost} = process_info(self(), reductions),
    exit({walked, Trees, Cost}).

-spec look(#state{}) -> #state{}.
look(#state{rows = Rows, tree = Tree, own = Own, pages = Pages} = State) ->
    Begun = erlang:monotonic_time(millisecond),
    First = [Pid || {_, Entries} <- Tree, {child, _, _, Pid, _} <- Entries, is_pid(Pid)],
    All = maps:keys(Pages) ++ otp_rs_observer_clock:processes(State#state.clock) ++ Own,
    {After, #{reductions := Cost} = Sample} = otp_rs_observer_rows:sample(Rows, State#state.questions, First, All),
    Spent = State#state.spent + Cost,
    Took = erlang:monotonic_time(millisecond) - Begun,
    Next = min(?LONGEST, max(?INTERVAL, Took * ?SHARE)),
    otp_rs_observer_clock:after_ms(State#state.clock, Next),
    send(Sample, figures(All, #{took => Took, interval => Next}, State#state{rows = After, spent = Spent})).

%% Reads the figures of the node. If native code occupies a scheduler, the previous figures are
%% kept.
-spec figures([pid()], map(), #state{}) -> #state{}.
figures(Own, More, #state{questions = Questions, figures = Before, spent = Spent, shown = Shown} = State) ->
    Question = fun() -> otp_rs_observer_figures:read(Own, Spent) end,
    Asked =
        case otp_rs_observer_question:is_unanswered(Questions, self()) of
            true -> late;
            false -> otp_rs_observer_question:ask(Questions, Question, fun erlang:self/0, ?FIGURES)
        end,
    case Asked of
        {ok, Figures} ->
            Json = otp_rs_observer_figures:json(Before, Figures, More),
            State#state{figures = Figures, shown = Json#{held => false}};
        _ ->
            State#state{shown = Shown#{held => true}}
    end.

%% Sends each page the changes, or everything. A page with a message in transit gets none.
-spec send(otp_rs_observer_rows:sample(), #state{}) -> #state{}.
send(#{changed := Changed, gone := Gone}, #state{pages = Pages, log = Log, tree = Tree, shown = Figures} = State) ->
    {Events, Last, Lost} = otp_rs_observer_log:since(Log, State#state.last_event),
    Common = #{node => Figures, lost => Lost},
    News = lazily(ready, Pages, fun() ->
        Some = Common#{rows => Changed, gone => Gone, logs => Events},
        case State#state.sent_tree of
            Tree -> Some;
            _ -> Some#{tree => tree(Tree)}
        end
    end),
    All = lazily(new, Pages, fun() ->
        {Kept, _, _} = otp_rs_observer_log:since(Log, 0),
        Common#{all => true, rows => otp_rs_observer_rows:all(State#state.rows), gone => [], logs => Kept, tree => tree(Tree)}
    end),
    Next = maps:map(fun
        (Page, ready) -> Page ! {event, News}, waiting;
        (Page, new) -> Page ! {event, All}, waiting;
        (_, _) -> late
    end, Pages),
    State#state{pages = Next, last_event = Last, sent_tree = Tree}.

%% Returns the JSON as a binary that processes share, if some page is in this state.
-spec lazily(ready | new, #{pid() => atom()}, fun(() -> otp_rs_observer_json:json())) -> binary().
lazily(Condition, Pages, Json) ->
    case lists:member(Condition, maps:values(Pages)) of
        true -> iolist_to_binary(otp_rs_observer_json:encode(Json()));
        false -> <<>>
    end.

-spec tree([otp_rs_supervision:tree()]) -> otp_rs_observer_json:json().
tree(Trees) ->
    [#{application => Name, entries => [entry(Entry) || Entry <- Entries]} || {Name, Entries} <- Trees].

-spec entry(otp_rs_supervision:entry()) -> otp_rs_observer_json:json().
entry({omitted, Depth, Text}) ->
    #{depth => Depth, omitted => otp_rs_observer_json:characters(Text)};
entry({child, Depth, Id, Pid, Kind}) when is_pid(Pid) ->
    #{depth => Depth, id => id(Id), kind => Kind, pid => list_to_binary(pid_to_list(Pid))};
entry({child, Depth, Id, State, Kind}) ->
    #{depth => Depth, id => id(Id), kind => Kind, state => State}.

%% A child of a template has no id.
-spec id(term()) -> otp_rs_observer_json:json().
id(undefined) -> null;
id(Id) -> otp_rs_observer_json:text(Id, ?ID).
