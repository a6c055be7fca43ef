%% Asks a running node for its supervision trees, from a separate VM, and prints a line for each
%% process.
-module(otp_rs_tree).
-export([main/1]).

%% Milliseconds for one request, for all of them, and until this VM ends in any case.
-define(ANSWER, 1000).
-define(ALL, 15000).
-define(END, 40000).

%% The maximum number of characters of a name.
-define(NAME, 200).

%% Exit codes.
-define(UNREACHABLE, 3).
-define(NOT_RUNNING, 4).

%% Arguments: the node, a file with its cookie or an empty text, and the applications that are
%% shown.
-spec main([string()]) -> no_return().
main([Name, Cookie | Applications]) ->
    {ok, _} = timer:apply_after(?END, erlang, halt, [?UNREACHABLE]),
    otp_rs_node:ask(Name, Cookie, fun(Node) ->
        Asking = otp_rs_supervision:asking(Node, {?ANSWER, ?ALL}),
        case otp_rs_supervision:trees(Applications, Asking) of
            {ok, Trees} ->
                otp_rs_node:say(io_lib:format("node\t~ts", [Node])),
                lists:foreach(fun(Tree) -> show(Tree, Asking) end, Trees);
            {error, {not_running, Missing}} ->
                throw({?NOT_RUNNING, Missing})
        end
    end).

-spec show(otp_rs_supervision:tree(), otp_rs_supervision:asking()) -> ok.
show({Application, Entries}, Asking) ->
    otp_rs_node:say(io_lib:format("application\t~ts", [text(Application)])),
    lists:foreach(fun(Entry) -> entry(Entry, Asking) end, Entries).

-spec entry(otp_rs_supervision:entry(), otp_rs_supervision:asking()) -> ok.
entry({omitted, Depth, Text}, _) ->
    otp_rs_node:say(io_lib:format("omitted\t~b\t~ts", [Depth, Text]));
entry({child, Depth, Id, Pid, Kind}, Asking) when is_pid(Pid) ->
    process(Id, Pid, Kind, Depth, Asking);
entry({child, Depth, Id, State, Kind}, _) ->
    line(Depth, Kind, text(Id), text(Id), "", "", "", "", text(State)).

-spec process(term(), pid(), supervisor | worker, non_neg_integer(), otp_rs_supervision:asking()) -> ok.
process(Id, Pid, Kind, Depth, Asking) ->
    Call = otp_rs_supervision:ask(Asking, proc_lib, translate_initial_call, [Pid]),
    {Module, Where} = where(Call, Pid, Asking),
    case information(Call, Pid, Asking) of
        {ok, [{_, Registered}, {_, Mailbox}, {_, Memory}]} ->
            Name = hd([text(N) || N <- [Registered, Id], N =/= [], N =/= undefined] ++ [Module]),
            line(Depth, Kind, Name, text(Id), Module, pid(Pid), Mailbox, Memory, Where);
        {ok, _} ->
            line(Depth, Kind, text(Id), text(Id), Module, pid(Pid), "", "", "ended");
        {error, late} ->
            line(Depth, Kind, text(Id), text(Id), Module, pid(Pid), "", "", "not asked");
        {error, _} ->
            line(Depth, Kind, text(Id), text(Id), Module, pid(Pid), "", "", "no answer")
    end.

%% Returns the module, and the place of a child that does not run in this VM.
-spec where({ok, term()} | {error, term()}, pid(), otp_rs_supervision:asking()) -> {unicode:chardata(), string()}.
where({ok, {otp_rs_isolated, init, _}} = Call, Pid, Asking) ->
    case otp_rs_supervision:ask(Asking, otp_rs_isolated, child_of, [Pid]) of
        {ok, {Module, OsProcess}} when is_integer(OsProcess) ->
            {text(Module), "isolated in OS process " ++ integer_to_list(OsProcess)};
        _ ->
            {module_of(Call), "isolated"}
    end;
where(Call, _, _) ->
    {module_of(Call), ""}.

-spec module_of({ok, term()} | {error, term()}) -> unicode:chardata().
module_of({ok, {Behaviour, Module, _}}) when Behaviour =:= supervisor; Behaviour =:= supervisor_bridge -> text(Module);
module_of({ok, {Module, _, _}}) -> text(Module);
module_of(_) -> "".

%% Asks a second question only if the process has answered the first.
-spec information({ok, term()} | {error, term()}, pid(), otp_rs_supervision:asking()) -> {ok, term()} | {error, term()}.
information({ok, _}, Pid, Asking) ->
    otp_rs_supervision:ask(Asking, erlang, process_info, [Pid, [registered_name, message_queue_len, memory]]);
information(Error, _, _) ->
    Error.

line(Depth, Kind, Name, Id, Module, Pid, Mailbox, Memory, State) ->
    Fields = [integer_to_list(Depth), atom_to_list(Kind), Name, Id, Module, Pid, number(Mailbox), number(Memory), State],
    otp_rs_node:say(["process\t", lists:join("\t", Fields)]).

-spec number(string() | integer()) -> string().
number(Number) when is_integer(Number) -> integer_to_list(Number);
number(Text) -> Text.

%% Returns one line without a tab: `~tp` escapes both.
-spec text(term()) -> unicode:chardata().
text(undefined) -> "";
text(Term) -> io_lib:format("~0tp", [Term], [{chars_limit, ?NAME}]).

%% Returns a pid as the node itself writes it.
-spec pid(pid()) -> string().
pid(Pid) ->
    [_, Rest] = string:split(pid_to_list(Pid), "."),
    "<0." ++ Rest.
