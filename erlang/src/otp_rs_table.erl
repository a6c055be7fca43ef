%% Tables of ets whose keys and values have Rust types (docs/services.md). Each row is `{Key,
%% Value}`, or `{Key, Column, ...}`. A callback calls these functions in its own process, so the
%% process that creates a table owns it. A `gen_server` of this module owns a table that is a child
%% of a supervisor. The module is the same in every application.
-module(otp_rs_table).
-behaviour(gen_server).
-export([start_link/2, create/2, create/1, drop/1, give_away/3, heir/3]).
-export([lookup/2, member/2, insert/2, insert_new/2, delete/2, take/2, replace/3, size/1, clear/1, add/6]).
-export([page/3, unfix/1, delete_matching/2]).
-export([init/1, handle_call/3, handle_cast/2]).
-export_type([option/0, source/0]).

-type option() ::
    set | ordered_set | public | protected | private | {read_concurrency, boolean()} | {write_concurrency, boolean()}.
%% A pattern in which no atom is a variable: a key may be any term, also the atom `'_'`.
-type pattern() :: any | {is, term()} | {tuple, [pattern()]}.
-type bound() :: unbounded | {included | excluded, Key :: term()}.
%% Rows that have not been read yet.
-type source() ::
    {matching, [pattern()]}
  | {more, Continuation :: term(), ets:match_spec()}
  | {next | prev, From :: bound(), To :: bound()}.

%% A call of ets about `Table`, with the reasons of this module.
-define(TYPED(Call), try Call catch error:badarg:Stack -> failed(Table, Stack) end).

-spec start_link(atom(), [option()]) -> gen_server:start_ret().
start_link(Name, Options) when is_atom(Name) ->
    gen_server:start_link({local, Name}, ?MODULE, {Name, Options}, []).

-spec create(ets:table(), [option()]) -> ets:table().
create(Table, Options) when is_atom(Table) -> ?TYPED(ets:new(Table, [named_table | Options]));
create(Table, _) -> exit({already_exists, Table}).

-spec create([option()]) -> ets:table().
create(Options) -> ets:new(?MODULE, Options).

-spec drop(ets:table()) -> true.
drop(Table) -> ?TYPED(ets:delete(Table)).

-spec give_away(ets:table(), gen_server:server_ref(), Data :: term()) -> true.
give_away(Table, To, Data) ->
    Process = process(To),
    try ets:give_away(Table, Process, Data)
    catch error:badarg:Stack ->
        is_process_alive(Process) orelse exit({noproc, To}),
        failed(Table, Stack)
    end.

-spec heir(ets:table(), gen_server:server_ref(), Data :: term()) -> true.
heir(Table, To, Data) ->
    Process = process(To),
    ?TYPED(ets:setopts(Table, {heir, Process, Data})).

-spec lookup(ets:table(), Key :: term()) -> [tuple()].
lookup(Table, Key) -> ?TYPED(ets:lookup(Table, Key)).

-spec member(ets:table(), Key :: term()) -> boolean().
member(Table, Key) -> ?TYPED(ets:member(Table, Key)).

-spec insert(ets:table(), tuple() | [tuple()]) -> true.
insert(Table, Rows) -> ?TYPED(ets:insert(Table, Rows)).

-spec insert_new(ets:table(), tuple()) -> boolean().
insert_new(Table, Row) -> ?TYPED(ets:insert_new(Table, Row)).

-spec delete(ets:table(), Key :: term()) -> true.
delete(Table, Key) -> ?TYPED(ets:delete(Table, Key)).

-spec take(ets:table(), Key :: term()) -> [tuple()].
take(Table, Key) -> ?TYPED(ets:take(Table, Key)).

%% Puts a row in the place of another one with its key, if that is still there.
-spec replace(ets:table(), Old :: tuple(), New :: tuple()) -> boolean().
replace(Table, Old, New) ->
    ?TYPED(ets:select_replace(Table, [{Old, [{'=:=', '$_', {const, Old}}], [{const, New}]}])) =:= 1.

-spec size(ets:table()) -> non_neg_integer().
size(Table) ->
    case ets:info(Table, size) of
        undefined -> no_table(Table);
        Size -> Size
    end.

-spec clear(ets:table()) -> true.
clear(Table) -> ?TYPED(ets:delete_all_objects(Table)).

%% Adds to a counter, which stays at `Limit` where it would pass that. `Row` is inserted before if
%% there is none.
-spec add(ets:table(), Key :: term(), pos_integer(), integer(), Limit :: integer(), Row :: tuple()) -> integer().
add(Table, Key, Position, By, Limit, Row) ->
    try ets:update_counter(Table, Key, {Position, By, Limit, Limit}, Row)
    catch error:badarg:Stack ->
        case cause(Stack) of
            Cause when Cause =:= none; Cause =:= position -> exit({no_counter, {Table, Key}});
            _ -> failed(Table, Stack)
        end
    end.

%% At most `Limit` rows, and what is left. Rows that match are read in an order of ets, which
%% another process must not change: the caller calls unfix/1 when it has all that it needs.
-spec page(ets:table(), source(), pos_integer()) -> {[tuple()], source() | none}.
page(Table, Source, Limit) -> ?TYPED(rows(Table, Source, Limit)).

-spec rows(ets:table(), source(), pos_integer()) -> {[tuple()], source() | none}.
rows(Table, {matching, Patterns}, Limit) ->
    true = ets:safe_fixtable(Table, true),
    Spec = spec(Patterns, '$_'),
    selected(ets:select(Table, Spec, Limit), Spec);
rows(Table, {more, Continuation, Spec}, _) ->
    try selected(ets:select(ets:repair_continuation(Continuation, Spec)), Spec)
    catch error:badarg -> no_table(Table)
    end;
rows(Table, {Step, From, To}, Limit) ->
    walk(Table, Step, first(Table, Step, From), To, Limit, []).

-spec selected('$end_of_table' | {[tuple()], term()}, ets:match_spec()) -> {[tuple()], source() | none}.
selected('$end_of_table', _) -> {[], none};
selected({Rows, '$end_of_table'}, _) -> {Rows, none};
selected({Rows, Continuation}, Spec) -> {Rows, {more, Continuation, Spec}}.

-spec unfix(ets:table()) -> true.
unfix(Table) -> ets:safe_fixtable(Table, false).

-spec delete_matching(ets:table(), [pattern()]) -> non_neg_integer().
delete_matching(Table, Patterns) -> ?TYPED(ets:select_delete(Table, spec(Patterns, true))).

%% The head alone would let atoms such as `'_'` in a value match anything, so the guards compare
%% again.
-spec spec([pattern()], '$_' | true) -> ets:match_spec().
spec(Patterns, Result) ->
    case lists:all(fun(Pattern) -> Pattern =:= any end, Patterns) of
        true -> [{'_', [], [Result]}];
        false ->
            {Head, Guards} = head({tuple, Patterns}, '$_'),
            [{Head, Guards, [Result]}]
    end.

-spec head(pattern(), term()) -> {term(), [tuple()]}.
head(any, _) -> {'_', []};
head({is, Value}, Position) -> {Value, [{'=:=', Position, {const, Value}}]};
head({tuple, Patterns}, Position) ->
    Numbered = lists:zip(lists:seq(1, length(Patterns)), Patterns),
    {Heads, Guards} = lists:unzip([head(Pattern, {element, Number, Position}) || {Number, Pattern} <- Numbered]),
    {list_to_tuple(Heads), lists:append(Guards)}.

-spec first(ets:table(), next | prev, bound()) -> Key :: term().
first(Table, Step, From) ->
    case {ets:info(Table, type), From, Step} of
        {undefined, _, _} -> no_table(Table);
        {Type, _, _} when Type =/= ordered_set -> exit({not_ordered, Table});
        {_, unbounded, next} -> ets:first(Table);
        {_, unbounded, prev} -> ets:last(Table);
        {_, {excluded, Key}, _} -> step(Table, Step, Key);
        {_, {included, Key}, _} ->
            case ets:member(Table, Key) of
                true -> Key;
                false -> step(Table, Step, Key)
            end
    end.

-spec step(ets:table(), next | prev, Key :: term()) -> Key :: term().
step(Table, next, Key) -> ets:next(Table, Key);
step(Table, prev, Key) -> ets:prev(Table, Key).

-spec walk(ets:table(), next | prev, Key :: term(), bound(), non_neg_integer(), [tuple()]) ->
    {[tuple()], source() | none}.
walk(_, _, '$end_of_table', _, _, Rows) -> {lists:reverse(Rows), none};
walk(_, Step, Key, To, 0, Rows) -> {lists:reverse(Rows), {Step, {included, Key}, To}};
walk(Table, Step, Key, To, Left, Rows) ->
    case is_within(Step, Key, To) of
        true -> walk(Table, Step, step(Table, Step, Key), To, Left - 1, ets:lookup(Table, Key) ++ Rows);
        false -> {lists:reverse(Rows), none}
    end.

-spec is_within(next | prev, Key :: term(), bound()) -> boolean().
is_within(_, _, unbounded) -> true;
is_within(next, Key, {included, Last}) -> Key =< Last;
is_within(next, Key, {excluded, Last}) -> Key < Last;
is_within(prev, Key, {included, Last}) -> Key >= Last;
is_within(prev, Key, {excluded, Last}) -> Key > Last.

-spec failed(ets:table(), [tuple()]) -> no_return().
failed(Table, Stack) ->
    case cause(Stack) of
        access -> exit({no_access, Table});
        already_exists -> exit({already_exists, Table});
        owner -> exit({already_owner, Table});
        _ ->
            _ = ets:info(Table, type) =:= undefined andalso no_table(Table),
            erlang:raise(error, badarg, Stack)
    end.

%% Why a function of ets has refused its arguments.
-spec cause([tuple()]) -> atom().
cause([{_, _, _, Info} | _]) ->
    case lists:keyfind(error_info, 1, Info) of
        {error_info, #{cause := Cause}} -> Cause;
        _ -> none
    end.

-spec no_table(ets:table()) -> no_return().
no_table(Table) -> exit({noproc, {?MODULE, Table}}).

-spec process(gen_server:server_ref()) -> pid().
process(To) ->
    case whereis_process(To) of
        Process when is_pid(Process) -> Process;
        _ -> exit({noproc, To})
    end.

-spec whereis_process(gen_server:server_ref()) -> pid() | undefined.
whereis_process(Process) when is_pid(Process) -> Process;
whereis_process({global, Name}) -> global:whereis_name(Name);
whereis_process({via, Module, Name}) -> Module:whereis_name(Name);
whereis_process({Name, Node}) when Node =:= node() -> whereis(Name);
whereis_process(Name) when is_atom(Name) -> whereis(Name);
whereis_process(_) -> undefined.

-spec init({atom(), [option()]}) -> {ok, atom()} | {stop, term()}.
init({Name, Options}) ->
    try create(Name, Options) of
        Name -> {ok, Name}
    catch exit:Reason -> {stop, Reason}
    end.

-spec handle_call(term(), gen_server:from(), atom()) -> {reply, {error, bad_request}, atom()}.
handle_call(_, _, Name) -> {reply, {error, bad_request}, Name}.

-spec handle_cast(term(), atom()) -> {noreply, atom()}.
handle_cast(_, Name) -> {noreply, Name}.
