%% Asks a running node for its supervision trees, in a VM of its own. The node needs nothing but OTP: it is asked by
%% `erpc`, and each question has a limit of time. Nothing here makes an atom of what the node says.
-module(otp_rs_tree).
-export([main/1]).

%% Milliseconds for one question, for all of them, and until this VM ends whatever happens.
-define(ANSWER, 1000).
-define(ALL, 15000).
-define(END, 40000).

%% The most processes that are asked, the deepest that are, and the most characters of a name.
-define(MOST, 10000).
-define(DEEPEST, 100).
-define(NAME, 200).

%% Exit codes.
-define(UNREACHABLE, 3).
-define(NOT_RUNNING, 4).

-record(asking, {node :: node(), deadline :: integer(), left = ?MOST :: -1..?MOST}).

%% The node, a file with its cookie or an empty text, and the applications that are shown.
-spec main([string()]) -> no_return().
main([Name, Cookie | Applications]) ->
    {ok, _} = timer:apply_after(?END, erlang, halt, [?UNREACHABLE]),
    otp_rs_node:ask(Name, Cookie, fun(Node) ->
        Asking = #asking{node = Node, deadline = now_ms() + ?ALL},
        io:format("node\t~ts~n", [Node]),
        show(Applications, Asking)
    end).

%% All applications that have a supervisor but `kernel`, in the order of their start; or those that are named.
-spec show([string()], #asking{}) -> ok.
show([], Asking) ->
    {ok, Running} = ask(Asking, application, which_applications, []),
    Names = [Name || {Name, _, _} <- lists:reverse(Running), Name =/= kernel],
    Roots = [{Name, Root} || Name <- Names, Root <- root(Name, Asking)],
    lists:foldl(fun tree/2, Asking, Roots),
    ok;
show(Names, Asking) ->
    {ok, Running} = ask(Asking, application, which_applications, []),
    Roots = [{Name, Root} || Text <- Names, {Name, _, _} <- Running, atom_to_list(Name) =:= Text,
        Root <- root(Name, Asking)],
    case Names -- [atom_to_list(Name) || {Name, _} <- Roots] of
        [] -> lists:foldl(fun tree/2, Asking, Roots), ok;
        [Missing | _] -> throw({?NOT_RUNNING, Missing})
    end.

%% The process that an application has started. A library application has none.
-spec root(atom(), #asking{}) -> [pid()].
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

-spec tree({atom(), pid()}, #asking{}) -> #asking{}.
tree({Application, Root}, Asking) ->
    io:format("application\t~ts~n", [text(Application)]),
    %% Who is not a supervisor might fail over the question of one.
    Kind =
        case ask(Asking, proc_lib, translate_initial_call, [Root]) of
            {ok, {supervisor, _, _}} -> supervisor;
            _ -> worker
        end,
    child({undefined, Root, Kind}, 0, Asking#asking{left = max(0, Asking#asking.left)}).

-spec child({term(), term(), supervisor | worker}, non_neg_integer(), #asking{}) -> #asking{}.
child(_, Depth, #asking{left = 0} = Asking) ->
    omitted(Depth, "more processes"),
    Asking#asking{left = -1};
child(_, _, #asking{left = -1} = Asking) ->
    Asking;
child(_, ?DEEPEST, Asking) ->
    omitted(?DEEPEST, "deeper children"),
    Asking;
child({Id, Pid, Kind}, Depth, #asking{left = Left} = Asking) when is_pid(Pid) ->
    process(Id, Pid, Kind, Depth, Asking),
    children(Pid, Kind, Depth, Asking#asking{left = Left - 1});
child({Id, State, Kind}, Depth, #asking{left = Left} = Asking) ->
    line(Depth, Kind, text(Id), text(Id), "", "", "", "", text(State)),
    Asking#asking{left = Left - 1}.

-spec process(term(), pid(), supervisor | worker, non_neg_integer(), #asking{}) -> ok.
process(Id, Pid, Kind, Depth, Asking) ->
    Call = ask(Asking, proc_lib, translate_initial_call, [Pid]),
    Module = module_of(Call),
    case information(Call, Pid, Asking) of
        {ok, [{_, Registered}, {_, Mailbox}, {_, Memory}]} ->
            Name = hd([text(N) || N <- [Registered, Id], N =/= [], N =/= undefined] ++ [Module]),
            line(Depth, Kind, Name, text(Id), Module, pid(Pid), Mailbox, Memory, "");
        {ok, _} ->
            line(Depth, Kind, text(Id), text(Id), Module, pid(Pid), "", "", "ended");
        {error, late} ->
            line(Depth, Kind, text(Id), text(Id), Module, pid(Pid), "", "", "not asked");
        {error, _} ->
            line(Depth, Kind, text(Id), text(Id), Module, pid(Pid), "", "", "no answer")
    end.

-spec module_of({ok, term()} | {error, term()}) -> unicode:chardata().
module_of({ok, {Behaviour, Module, _}}) when Behaviour =:= supervisor; Behaviour =:= supervisor_bridge -> text(Module);
module_of({ok, {Module, _, _}}) -> text(Module);
module_of(_) -> "".

%% Who has not answered the first question is not asked a second one.
-spec information({ok, term()} | {error, term()}, pid(), #asking{}) -> {ok, term()} | {error, term()}.
information({ok, _}, Pid, Asking) ->
    ask(Asking, erlang, process_info, [Pid, [registered_name, message_queue_len, memory]]);
information(Error, _, _) ->
    Error.

%% Where there are too many children, their number is asked first: the list itself could be long.
-spec children(pid(), supervisor | worker, non_neg_integer(), #asking{}) -> #asking{}.
children(_, worker, _, Asking) ->
    Asking;
children(Pid, supervisor, Depth, #asking{left = Left} = Asking) ->
    case ask(Asking, supervisor, count_children, [Pid]) of
        {ok, Counts} when is_list(Counts) ->
            case proplists:get_value(active, Counts, 0) of
                Active when Active > Left ->
                    omitted(Depth + 1, integer_to_list(Active) ++ " children"),
                    Asking;
                _ ->
                    listed(Pid, Depth, Asking)
            end;
        {ok, _} ->
            %% A supervisor_bridge, which has no child that it knows.
            Asking;
        {error, _} ->
            omitted(Depth + 1, "children unknown"),
            Asking
    end.

%% A supervisor lists the newest child first.
-spec listed(pid(), non_neg_integer(), #asking{}) -> #asking{}.
listed(Pid, Depth, Asking) ->
    case ask(Asking, supervisor, which_children, [Pid]) of
        {ok, Children} ->
            Step = fun({Id, Child, Kind, _}, Before) -> child({Id, Child, Kind}, Depth + 1, Before) end,
            lists:foldl(Step, Asking, lists:reverse(Children));
        {error, _} ->
            omitted(Depth + 1, "children unknown"),
            Asking
    end.

%% What stands where children are not shown.
-spec omitted(non_neg_integer(), string()) -> ok.
omitted(Depth, Text) ->
    io:format("omitted\t~b\t~ts~n", [Depth, Text]).

line(Depth, Kind, Name, Id, Module, Pid, Mailbox, Memory, State) ->
    Fields = [integer_to_list(Depth), atom_to_list(Kind), Name, Id, Module, Pid, number(Mailbox), number(Memory), State],
    io:put_chars(["process\t", lists:join("\t", Fields), "\n"]).

-spec number(string() | integer()) -> string().
number(Number) when is_integer(Number) -> integer_to_list(Number);
number(Text) -> Text.

%% One line without a tab: `~tp` escapes both.
-spec text(term()) -> unicode:chardata().
text(undefined) -> "";
text(Term) -> io_lib:format("~0tp", [Term], [{chars_limit, ?NAME}]).

%% As the node itself writes it.
-spec pid(pid()) -> string().
pid(Pid) ->
    [_, Rest] = string:split(pid_to_list(Pid), "."),
    "<0." ++ Rest.

%% A node that is gone ends the whole.
-spec ask(#asking{}, module(), atom(), [term()]) -> {ok, term()} | {error, term()}.
ask(#asking{node = Node, deadline = Deadline}, Module, Function, Arguments) ->
    case min(?ANSWER, Deadline - now_ms()) of
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
