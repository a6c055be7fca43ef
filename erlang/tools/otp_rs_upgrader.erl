%% Makes a running node upgrade an application to the build whose modules are in a folder of this
%% machine. The build's own `otp_rs_upgrade` performs the upgrade; this module sends that module and
%% the build to the node, and reports what happens to the processes: lines of fields separated by
%% tabs. In the VM of `cargo otp run --watch`, it upgrades that VM itself. A release contains this
%% module for its lines.
-module(otp_rs_upgrader).
-export([main/1, here/4, plan/2, outcome/2, not_changed/2]).

%% The maximum number of characters of two types together that are shown in full.
-define(WHOLE, 200).
%% Exit codes.
-define(NOT_RUNNING, 4).
-define(REFUSED, 5).
-define(FAILED, 6).
-define(BUSY, 7).
-define(NO_BUILD, 8).

%% The timeout for a request, in milliseconds.
-define(ANSWER, 15000).
%% Milliseconds between two requests for the progress.
-define(PROGRESS, 200).

%% Arguments: the node, the file of its cookie or an empty text, the application, the folder of the
%% build's modules, the milliseconds that a process may be busy, `dry`, `go` or `busy` (a busy
%% process may keep running the old code), and two empty texts. To go back, the first of these is
%% `previous` or the name of a build, the second one has the names of builds that are damaged, and
%% the folder is that of the kept builds.
-spec main([string()]) -> no_return().
main([Name, Cookie, Application, Folder, Timeout, Mode, To, Damaged]) ->
    otp_rs_node:end_with_command(),
    otp_rs_node:ask(Name, Cookie, fun(Node) ->
        Target = {Folder, To, string:lexemes(Damaged, ",")},
        upgrade(Node, list_to_atom(Application), Target, list_to_integer(Timeout), Mode)
    end).

-type target() :: {file:filename(), string(), [string()]}.

-spec upgrade(node(), atom(), target(), non_neg_integer(), string()) -> ok.
upgrade(Node, Application, Target, Timeout, Mode) ->
    Running = erpc:call(Node, application, which_applications, [], ?ANSWER),
    _ = lists:keymember(Application, 1, Running) orelse throw({?NOT_RUNNING, atom_to_list(Application)}),
    Ebin = ebin(Node, Application, Target),
    true = code:add_patha(Ebin),
    _ = application:load(Application),
    Library = list_to_atom(atom_to_list(Application) ++ "_nif"),
    lists:foreach(fun(Module) -> bring(Node, Module) end, [otp_rs_states, otp_rs_processes, otp_rs_change, otp_rs_announce, otp_rs_later, otp_rs_resource, otp_rs_shared, otp_rs_upgrade]),
    Plan = asked(Node, Application, Library:states()),
    Resource = erpc:call(Node, otp_rs_resource, plan, [otp_rs_resource:read(Ebin, Application)], ?ANSWER),
    ok = otp_rs_node:say([resource(Resource), plan(Node, Plan)]),
    _ = [throw({?FAILED, failure(Node, Why)}) || {_, _} = Why <- [possible(Library, Resource)]],
    _ = lists:any(fun({_, Change, Pids}) -> is_tuple(Change) andalso Pids =/= [] end, Plan) andalso throw({?REFUSED, ""}),
    Mode =:= "dry" orelse go(Node, Application, Ebin, #{timeout => Timeout, allow_busy => Mode =:= "busy"}),
    ok.

%% Returns the folder with the modules of the build that the node switches to.
-spec ebin(node(), atom(), target()) -> file:filename().
ebin(_, _, {Ebin, "", _}) ->
    Ebin;
ebin(Node, Application, {Kept, To, Damaged}) ->
    {Running, Before} = try erpc:call(Node, otp_rs_upgrade, builds, [Application], ?ANSWER)
    catch error:{exception, undef, _} ->
        throw({?NO_BUILD, "the build that runs there was made by a version of otp-rs that cannot go back"})
    end,
    Build = case {To, Before} of
        {"previous", none} -> throw({?NO_BUILD, "the node has not been upgraded since it was started"});
        {"previous", _} -> binary_to_list(Before);
        _ -> To
    end,
    Ebin = filename:join([Kept, Build, atom_to_list(Application), "ebin"]),
    _ = filelib:is_dir(Ebin) orelse throw({?NO_BUILD, ["the build ", Build, " is not kept in ", Kept]}),
    IsWhole = not lists:member(Build, Damaged) andalso is_resource(Ebin, Application),
    _ = IsWhole orelse throw({?NO_BUILD, ["the copy of the build ", Build, " in ", Kept, " is damaged"]}),
    ok = otp_rs_node:say(line(["build", Running, Build])),
    Ebin.

%% Returns whether a kept build has a resource file, which is never large.
-spec is_resource(file:filename(), atom()) -> boolean().
is_resource(Ebin, Application) ->
    File = filename:join(Ebin, atom_to_list(Application) ++ ".app"),
    case filelib:file_size(File) < 1024 * 1024 andalso file:consult(File) of
        {ok, [{application, Application, Keys}]} when length(Keys) >= 0 ->
            lists:all(fun(Key) -> is_tuple(Key) andalso tuple_size(Key) =:= 2 end, Keys);
        _ -> false
    end.

%% Returns whether the application can switch to the new build's resource.
-spec possible(module(), map()) -> ok | {missing | environment, list()}.
possible(_, #{missing := [_ | _] = Missing}) ->
    {missing, Missing};
possible(Library, #{resource := {application, Application, Keys}}) ->
    case Library:environment(Application, proplists:get_value(env, Keys)) of
        {[], _} -> ok;
        {Mistakes, _} -> {environment, Mistakes}
    end.

%% The node may run a build of another version of otp-rs.
-spec bring(node(), module()) -> ok.
bring(Node, Module) ->
    {Module, Beam, File} = code:get_object_code(Module),
    {ok, {Module, Md5}} = beam_lib:md5(Beam),
    Loaded = try erpc:call(Node, Module, module_info, [md5], ?ANSWER) catch error:{exception, undef, _} -> none end,
    case Loaded of
        Md5 -> ok;
        _ ->
            case erpc:call(Node, code, load_binary, [Module, File, Beam], ?ANSWER) of
                {module, Module} -> ok;
                {error, Reason} ->
                    Releases = [erpc:call(Node, erlang, system_info, [otp_release], ?ANSWER), erlang:system_info(otp_release)],
                    Text = "it has OTP ~ts, which refuses ~tp, compiled by OTP ~ts (~tp)",
                    throw({?FAILED, io_lib:format(Text, lists:join(Module, Releases) ++ [Reason])})
            end
    end.

-spec asked(node(), atom(), list()) -> list().
asked(Node, Application, States) ->
    try
        erpc:call(Node, otp_rs_upgrade, plan, [Application, States], ?ANSWER)
    catch
        error:{exception, undef, _} ->
            throw({?FAILED, "the build that runs there was made by a version of otp-rs without upgrades"})
    end.

-spec go(node(), atom(), file:filename(), map()) -> true.
go(Node, Application, Ebin, Options) ->
    Reserved = erpc:call(Node, otp_rs_upgrade, reserve, [Application], ?ANSWER),
    Package = otp_rs_package:read(Ebin, Application, Reserved),
    ok = bring(Node, otp_rs_last_words),
    ok = erpc:call(Node, otp_rs_last_words, follow, [self()], ?ANSWER),
    _ = spawn(fun() -> say_progress(Node) end),
    Upgraded = try erpc:call(Node, otp_rs_upgrade, upgrade, [Package, Options#{asker => self()}], infinity)
    catch error:{erpc, noconnection} -> throw({?FAILED, ended(otp_rs_last_words:heard())})
    end,
    case outcome(Node, Upgraded) of
        {ok, Lines} -> ok =:= otp_rs_node:say(Lines);
        {refused, Lines} -> ok = otp_rs_node:say(Lines), throw({?REFUSED, ""});
        {busy, Lines} -> ok = otp_rs_node:say(Lines), throw({?BUSY, ""});
        {failed, Text} -> throw({?FAILED, Text})
    end.

%% Describes that the node has ended, with the errors that it logged before.
-spec ended([binary()]) -> unicode:chardata().
ended([]) ->
    "the node has ended meanwhile, or the connection to it has, and it had logged no error";
ended(Errors) ->
    ["the node has ended meanwhile, or the connection to it has; it had logged: ", lists:join("; ", [flat(One) || One <- lists:uniq(Errors)])].

%% Reports how many processes have switched, and their total number, as long as this VM lives.
-spec say_progress(node()) -> no_return().
say_progress(Node) ->
    ok = timer:sleep(?PROGRESS),
    _ = case erpc:call(Node, otp_rs_upgrade, progress, [], ?ANSWER) of
        {Done, All} -> otp_rs_node:say(line(["progress", integer_to_list(Done), integer_to_list(All)]));
        none -> ok
    end,
    say_progress(Node).

%% Upgrades an application of this VM to the build in a folder. The library is placed in a new
%% subfolder of another one.
-spec here(atom(), file:filename(), file:filename(), non_neg_integer()) -> {ok | refused | busy | failed, unicode:chardata()}.
here(Application, Ebin, Parent, Timeout) ->
    Reserved = otp_rs_upgrade:reserve(Application, Parent),
    Package = otp_rs_package:read(Ebin, Application, Reserved),
    case otp_rs_upgrade:upgrade(Package, #{timeout => Timeout, allow_busy => true}) of
        {ok, #{planned := Plan, resource := Resource}} = Done ->
            {ok, Lines} = outcome(node(), Done),
            {ok, [resource(Resource), plan(node(), Plan), Lines]};
        Other ->
            outcome(node(), Other)
    end.

-spec outcome(node(), {ok, map()} | {error, term()}) -> {ok | refused | busy | failed, unicode:chardata()}.
outcome(Node, {ok, #{changed := Changed, left := Left, started := Started, config_change := Told}}) ->
    {ok, [
        [line(["resource", "refused", "", text(Reason)]) || {error, Reason} <- [Told]],
        [line(["changed", text(Module), integer_to_list(Count)]) || {Module, Count} <- Changed],
        [line(["started", text(Id), result(Result)]) || {_, Id, Result} <- Started],
        [line(["left", name(Node, Pid), text(Module), why(Reason)]) || {Pid, Module, Reason} <- Left]
    ]};
outcome(Node, {error, {refused, Plan}}) -> {refused, plan(Node, Plan)};
outcome(Node, {error, {failed, Failed}}) -> {refused, not_changed(Node, Failed)};
outcome(Node, {error, {busy, Busy}}) -> {busy, not_changed(Node, Busy)};
outcome(Node, {error, Failure}) -> {failed, failure(Node, Failure)}.

%% Reports processes that could not prepare their new states, and the reasons.
-spec not_changed(node(), [{pid(), module(), term()}]) -> unicode:chardata().
not_changed(Node, All) ->
    [line(["not_changed", name(Node, Pid), text(Module), why(Reason)]) || {Pid, Module, Reason} <- All].

%% Reports the changes of the application itself. A value that stays is not shown, because it may
%% come from a file with passwords.
-spec resource(map()) -> unicode:chardata().
resource(#{before := {_, _, Before}, resource := {_, _, Keys}} = Plan) ->
    {Old, New} = {proplists:get_value(vsn, Before), proplists:get_value(vsn, Keys)},
    #{changed := Changed, new := Added, removed := Removed, kept := Kept, starting := Starting, gone := Gone} = Plan,
    [
        [line(["resource", "version", Old, New]) || Old =/= New],
        [line(["resource", "starting", text(Application), ""]) || Application <- Starting],
        [line(["resource", "gone", text(Module), ""]) || Module <- Gone],
        [line(["resource", "changed", text(Key), text(Value)]) || {Key, Value} <- Changed],
        [line(["resource", "new", text(Key), text(Value)]) || {Key, Value} <- Added],
        [line(["resource", "removed", text(Key), ""]) || Key <- Removed],
        [line(["resource", "stays", text(Key), ""]) || Key <- Kept]
    ].

-spec plan(node(), [{module(), term(), [pid()]}]) -> unicode:chardata().
plan(Node, Plan) ->
    [planned(Node, One) || One <- Plan].

-spec planned(node(), {module(), term(), [pid()]}) -> unicode:chardata().
planned(Node, {Module, Change, Pids}) ->
    {Kind, Details} = change(Change),
    Names = [name(Node, Pid) || Pid <- lists:sublist(Pids, 5)],
    line(["plan", text(Module), atom_to_list(Kind), integer_to_list(length(Pids)), lists:join(", ", Names) | Details]).

-spec change(term()) -> {atom(), [unicode:chardata()]}.
change({changed, Old, New}) -> {changed, differing(flat(Old), flat(New))};
change({no_term, Type}) -> {no_term, [flat(Type), ""]};
change({behaviour, Old, New}) -> {behaviour, [text(Old), text(New)]};
change(Kind) -> {Kind, ["", ""]}.

%% Returns two types, in full if they are short. Otherwise, common members at the beginning and the
%% end are left out, except for the one before the difference.
-spec differing(string(), string()) -> [unicode:chardata()].
differing(Old, New) when length(Old) + length(New) =< ?WHOLE ->
    [Old, New];
differing(Old, New) ->
    [OldMembers, NewMembers] = [string:split(Type, ", ", all) || Type <- [Old, New]],
    Begin = max(0, common(OldMembers, NewMembers) - 1),
    Rests = [OldRest, NewRest] = [lists:nthtail(Begin, OldMembers), lists:nthtail(Begin, NewMembers)],
    End = common(lists:reverse(OldRest), lists:reverse(NewRest)),
    [lists:join(", ", ["…" || Begin > 0] ++ lists:sublist(Rest, length(Rest) - End) ++ ["…" || End > 0]) || Rest <- Rests].

%% Returns the number of common members at the beginning.
-spec common([string()], [string()]) -> non_neg_integer().
common([Same | Old], [Same | New]) -> 1 + common(Old, New);
common(_, _) -> 0.

-spec why(term()) -> unicode:chardata().
why(busy) -> "a callback or a task of it is under way";
why({changed, Form}) -> ["its state is ", flat(Form), ", which `code_change` does not take"];
why(elsewhere) -> "its state is not where `sys` shows the state of its process";
why({not_a_state, State}) -> ["it is in the state `", text(State), "`, which the new build does not have"];
why({no_term, Type}) -> ["its state, a ", flat(Type), ", is not a term"];
why(timeout) -> "its `code_change` has not returned within a minute";
why({init, Returned}) -> ["its `init` returns what a supervisor does not take: ", text(Returned)];
why({code_change, Returned}) -> ["its `code_change` has returned ", text(Returned)];
why({raised, _, {panic, #{message := Message}}, Place}) -> ["it panicked: ", flat(Message), place(Place)];
why({raised, Class, Reason, Place}) -> [atom_to_list(Class), ": ", text(Reason), place(Place)];
why(Reason) -> text(Reason).

-spec place(string()) -> unicode:chardata().
place("") -> "";
place(Place) -> [" (", Place, ")"].

-spec result(term()) -> unicode:chardata().
result({ok, Pid}) when is_pid(Pid) -> "ok";
result({ok, Pid, _}) when is_pid(Pid) -> "ok";
%% Its `init` has returned `ignore`.
result({ok, undefined}) -> "ok";
result(Other) -> text(Other).

-spec failure(node(), term()) -> unicode:chardata().
failure(Node, {old_code, Module, Pids}) ->
    Names = [name(Node, Pid) || Pid <- lists:sublist(Pids, 5)],
    ["processes still run code of ", text(Module), " that is older than the running one: ", lists:join(", ", Names)];
failure(_, {in_use, Library}) ->
    ["processes still run this build, which was loaded before as ", text(Library)];
failure(_, {library, Reason}) -> ["the library cannot be loaded there: ", text(Reason)];
failure(_, {modules, Reason}) -> ["the modules cannot be loaded there: ", text(Reason)];
failure(_, {shared, Name, Reason}) ->
    ["the new build's shared resource `", flat(Name), "` cannot be opened there: ", flat(Reason)];
failure(_, {missing, Applications}) ->
    Names = lists:join(", ", [text(One) || One <- Applications]),
    ["the new build needs applications that are not there: ", Names, "; put them into its code path, or start the new build"];
failure(_, {not_started, {Application, Reason}}) ->
    ["the new build needs ", text(Application), ", which does not start there: ", text(Reason)];
failure(_, {environment, Mistakes}) ->
    Texts = [[Text, " of ", Struct] || {_, _, Text, Struct} <- Mistakes],
    ["its environment there does not fit the new build: ", flat(lists:join("; ", Texts))];
failure(_, cancelled) -> "the command has ended before the changeover";
failure(_, another_upgrade) -> "another upgrade is under way there".

%% Returns a process's registered name, or its pid as the node itself writes it.
-spec name(node(), pid()) -> unicode:chardata().
name(Node, Pid) ->
    case erpc:call(Node, erlang, process_info, [Pid, registered_name], ?ANSWER) of
        {registered_name, Name} -> text(Name);
        _ ->
            [_, Rest] = string:split(pid_to_list(Pid), "."),
            "<0." ++ Rest
    end.

-spec text(term()) -> unicode:chardata().
text(Term) -> flat(io_lib:format("~0tp", [Term], [{chars_limit, 2000}])).

%% Removes tabs and line breaks from a field.
-spec flat(unicode:chardata()) -> unicode:chardata().
flat(Text) -> re:replace(Text, "\\s+", " ", [global, unicode, {return, list}]).

-spec line([unicode:chardata()]) -> unicode:chardata().
line(Fields) ->
    [lists:join("\t", Fields), "\n"].
