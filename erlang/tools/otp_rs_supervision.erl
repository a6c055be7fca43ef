%% Walks the supervision trees of a node: this one, or another one, which needs only OTP. Each
%% request has a time limit, and so do all of them together. This module creates no atoms.
-module(otp_rs_supervision).
-export([asking/2, trees/2, ask/4]).
-export_type([asking/0, entry/0, tree/0]).

%% The maximum number of processes of all trees, and the maximum depth.
-define(MOST, 10000).
-define(DEEPEST, 100).

-record(asking, {
    node :: node(),
    answer :: pos_integer(),
    deadline :: integer(),
    %% The number of processes that may still be shown. -1: an entry already tells that there are
    %% more.
    left = ?MOST :: -1..?MOST
}).

-opaque asking() :: #asking{}.
%% An entry of a tree, with its depth: a child with its id, or a text about children that are not
%% shown. A child that is not running has its supervisor's word in place of its pid: `restarting` or
%% `undefined`.
-type entry() ::
    {child, Depth :: non_neg_integer(), Id :: term(), pid() | restarting | undefined, supervisor | worker}
    | {omitted, Depth :: non_neg_integer(), string()}.
-type tree() :: {Application :: atom(), [entry()]}.

%% Starts to ask a node, with milliseconds for one request, and for all of them from this moment.
-spec asking(node(), {pos_integer(), pos_integer()}) -> asking().
asking(Node, {Answer, All}) ->
    #asking{node = Node, answer = Answer, deadline = now_ms() + All}.

%% Returns the trees of all applications that have a supervisor, except `kernel`, in the order of
%% their start; or those of the named applications.
-spec trees([string()], asking()) -> {ok, [tree()]} | {error, {not_running, string()}}.
trees(Names, Asking) ->
    {ok, Running} = ask(Asking, application, which_applications, []),
    Applications = [Name || {Name, _, _} <- lists:reverse(Running), is_asked_for(Name, Names)],
    Roots = [{Name, Root} || Name <- Applications, Root <- root(Name, Asking)],
    case Names -- [atom_to_list(Name) || {Name, _} <- Roots] of
        [] ->
            {Trees, _} = lists:mapfoldl(fun tree/2, Asking, Roots),
            {ok, Trees};
        [Missing | _] ->
            {error, {not_running, Missing}}
    end.

-spec is_asked_for(atom(), [string()]) -> boolean().
is_asked_for(Name, []) -> Name =/= kernel;
is_asked_for(Name, Names) -> lists:member(atom_to_list(Name), Names).

%% Returns the process that an application has started. A library application has none.
-spec root(atom(), asking()) -> [pid()].
root(Application, Asking) ->
    case ask(Asking, application_controller, get_master, [Application]) of
        {ok, Master} when is_pid(Master) ->
            case ask(Asking, application_master, get_child, [Master]) of
                {ok, {Root, _}} when is_pid(Root) -> [Root];
                _ -> []
            end;
        _ ->
            []
    end.

-spec tree({atom(), pid()}, asking()) -> {tree(), asking()}.
tree({Application, Root}, Asking) ->
    %% A process that is not a supervisor might crash because of a supervisor's request.
    Kind =
        case ask(Asking, proc_lib, translate_initial_call, [Root]) of
            {ok, {supervisor, _, _}} -> supervisor;
            _ -> worker
        end,
    Left = max(0, Asking#asking.left),
    {Entries, After} = child({undefined, Root, Kind}, 0, {[], Asking#asking{left = Left}}),
    {{Application, lists:reverse(Entries)}, After}.

%% New entries are prepended to those found earlier.
-type walked() :: {[entry()], asking()}.

-spec child({term(), pid() | restarting | undefined, supervisor | worker}, non_neg_integer(), walked()) -> walked().
child(_, Depth, {Entries, #asking{left = 0} = Asking}) ->
    {[{omitted, Depth, "more processes"} | Entries], Asking#asking{left = -1}};
child(_, _, {_, #asking{left = -1}} = Walked) ->
    Walked;
child(_, ?DEEPEST, {Entries, Asking}) ->
    {[{omitted, ?DEEPEST, "deeper children"} | Entries], Asking};
child({Id, Child, Kind}, Depth, {Entries, #asking{left = Left} = Asking}) ->
    Walked = {[{child, Depth, Id, Child, Kind} | Entries], Asking#asking{left = Left - 1}},
    case Kind of
        supervisor when is_pid(Child) -> children(Child, Depth + 1, Walked);
        _ -> Walked
    end.

%% Asks for the number of children first if there may be too many, because the list itself could be
%% long.
-spec children(pid(), pos_integer(), walked()) -> walked().
children(Pid, Depth, {Entries, #asking{left = Left} = Asking} = Walked) ->
    case ask(Asking, supervisor, count_children, [Pid]) of
        {ok, Counts} when is_list(Counts) ->
            case proplists:get_value(active, Counts, 0) of
                Active when Active > Left ->
                    {[{omitted, Depth, integer_to_list(Active) ++ " children"} | Entries], Asking};
                _ ->
                    listed(Pid, Depth, Walked)
            end;
        {ok, _} ->
            %% A supervisor_bridge, which knows no children.
            Walked;
        {error, _} ->
            {[{omitted, Depth, "children unknown"} | Entries], Asking}
    end.

%% A supervisor lists the newest child first.
-spec listed(pid(), pos_integer(), walked()) -> walked().
listed(Pid, Depth, {Entries, Asking} = Walked) ->
    case ask(Asking, supervisor, which_children, [Pid]) of
        {ok, Children} ->
            Step = fun({Id, Child, Kind, _}, Before) -> child({Id, Child, Kind}, Depth, Before) end,
            lists:foldl(Step, Walked, lists:reverse(Children));
        {error, _} ->
            {[{omitted, Depth, "children unknown"} | Entries], Asking}
    end.

%% Calls a function in the node. If the node is gone, it raises an exception.
-spec ask(asking(), module(), atom(), [term()]) -> {ok, term()} | {error, late | {atom(), term()}}.
ask(#asking{node = Node, answer = Answer, deadline = Deadline}, Module, Function, Arguments) ->
    case min(Answer, Deadline - now_ms()) of
        Limit when Limit > 0 ->
            try
                {ok, erpc:call(Node, Module, Function, Arguments, Limit)}
            catch
                error:{erpc, noconnection} -> error({erpc, noconnection});
                Class:Reason -> {error, {Class, Reason}}
            end;
        _ ->
            {error, late}
    end.

-spec now_ms() -> integer().
now_ms() ->
    erlang:monotonic_time(millisecond).
