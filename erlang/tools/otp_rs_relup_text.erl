%% The messages of a release's program about an upgrade, in sentences.
-module(otp_rs_relup_text).
-export([upgrade/2, failure/2]).

%% Runs in the node: upgrades it, and describes how the processes switch.
-spec upgrade(string(), #{timeout := non_neg_integer(), allow_busy := boolean(), dry := boolean(), asker => pid()}) ->
    {ok, string()} | {left, string(), pos_integer()} | {refused | busy | not_started, string(), string()}.
upgrade(Version, Options) ->
    case otp_rs_relup:upgrade(Version, Options) of
        {ok, Plans, Reports} ->
            %% Several applications may have a common module.
            Lines = lists:uniq(lists:append([plan(Plan) || Plan <- Plans])) ++ lists:uniq(lists:append([report(Report) || Report <- Reports])),
            Text = unicode:characters_to_list(Lines),
            case {not_started(Reports), left(Reports)} of
                {[_ | _] = Ids, _} ->
                    Names = lists:join(", ", [io_lib:format("~0tp", [Id]) || Id <- Ids]),
                    Why = ["the processes have changed over, but new children were not started: ", Names],
                    {not_started, Text, unicode:characters_to_list(Why)};
                {[], 0} -> {ok, Text};
                {[], Count} -> {left, Text, Count}
            end;
        {error, running} ->
            {ok, unicode:characters_to_list([failure(Version, running), "\n"])};
        {error, {refused, _, {refused, Plan}} = Failure} ->
            {refused, unicode:characters_to_list(plan(Plan)), unicode:characters_to_list(failure(Version, Failure))};
        {error, {refused, _, {Kind, NotChanged}} = Failure} when Kind =:= failed; Kind =:= busy ->
            Text = unicode:characters_to_list(lines(otp_rs_upgrader:not_changed(node(), NotChanged))),
            {case Kind of failed -> refused; busy -> busy end, Text, unicode:characters_to_list(failure(Version, Failure))};
        {error, Failure} ->
            {refused, "", unicode:characters_to_list(failure(Version, Failure))}
    end.

%% Describes how the processes of an application would switch: a line for each module with
%% processes.
-spec plan([{module(), term(), [pid()]}]) -> [string()].
plan(Plan) ->
    lines(otp_rs_upgrader:plan(node(), [One || {_, _, [_ | _]} = One <- Plan])).

%% Describes the result for the processes.
-spec report(map()) -> [string()].
report(Report) ->
    {ok, Lines} = otp_rs_upgrader:outcome(node(), {ok, Report}),
    lines(Lines).

%% Returns the new children that could not be started.
-spec not_started([map()]) -> [term()].
not_started(Reports) ->
    [Id || #{started := Started} <- Reports, {_, Id, {error, _}} <- Started].

%% Returns the number of processes that keep running the old code.
-spec left([map()]) -> non_neg_integer().
left(Reports) ->
    lists:sum([length(Left) || #{left := Left} <- Reports]).

-spec lines(unicode:chardata()) -> [string()].
lines(Text) ->
    Lines = string:lexemes(unicode:characters_to_list(Text), "\n"),
    [unicode:characters_to_list([sentence(string:split(Line, "\t", all)), "\n"]) || Line <- Lines].

%% Turns the fields of a line of otp_rs_upgrader into a sentence.
-spec sentence([string()]) -> unicode:chardata().
sentence(["plan", Module, Kind, Count, Names | Forms]) ->
    [Module, ": ", processes(Count), " (", Names, "): ", change(Kind, Forms)];
sentence(["changed", Module, Count]) ->
    ["changed ", Module, " (", Count, ")"];
sentence(["started", Id, "ok"]) ->
    ["started the new child ", Id];
sentence(["started", Id, Why]) ->
    ["the new child ", Id, " was not started: ", Why];
sentence(["not_changed", Name, Module, Why]) ->
    [Name, " (", Module, ") cannot change over: ", Why];
sentence(["left", Name, Module, Why]) ->
    [Name, " (", Module, ") keeps the old code: ", Why].

-spec processes(string()) -> string().
processes("1") -> "1 process";
processes(Count) -> Count ++ " processes".

-spec change(string(), [string()]) -> unicode:chardata().
change("same", _) -> "the state stays";
change("converted", _) -> "the state is converted by `code_change`";
change("converted_back", _) -> "the state is converted back by `code_change` of the version that runs";
change("supervisor", _) -> "the child specs are read again";
change("retyped", _) -> stays("the state has another type in the new version, and the behaviour has no `code_change`");
change("opaque", _) -> stays("the state does not derive `Term`, and the behaviour has no `code_change`");
change("silent", _) -> stays("it answers no messages of `sys`");
change("spawned", _) -> stays("it runs the body of a `spawn_process`");
change("isolated", _) -> stays("it runs in a VM of its own");
change("gone", _) -> stays("the new version does not have the module");
change("changed", [Old, New]) ->
    ["CANNOT CHANGE OVER: the state is `", Old, "`, in the new version `", New,
        "`, and no clause of `code_change` converts it: in the newer of the two versions, one takes the older state, "
        "or goes back with `self` and `Downgrade<Older>`"];
change("no_term", [Type, _]) ->
    ["CANNOT CHANGE OVER: the state's type `", Type, "` does not derive `Term` in the version that runs"];
change("behaviour", [Old, New]) -> ["CANNOT CHANGE OVER: the behaviour was `", Old, "`, and is `", New, "` in the new version"].

-spec stays(string()) -> string().
stays(Why) -> "keeps the old code until it ends: " ++ Why.

%% Describes why the node is unchanged.
-spec failure(string(), term()) -> unicode:chardata().
failure(Version, running) ->
    [Version, " runs already"];
failure(Version, absent) ->
    [Version, " is not unpacked: `unpack ARCHIVE` does that"];
failure(_, another) ->
    "another upgrade is under way";
failure(_, {read_only, Folder}) ->
    ["nothing was changed: ", Folder, " cannot be written by the user that runs the node, and which version is the permanent one "
        "is in it"];
failure(Version, {erts, Running, Other}) ->
    ["nothing was changed: ERTS ", Running, " runs, and ", Version, " has ERTS ", Other,
        ". A running system cannot change its VM: stop it, and start the new release"];
failure(Version, {no_matching_relup, _, From}) ->
    ["nothing was changed: neither ", Version, " nor ", From, " was made with `cargo otp release --upgrade-from` the other one"];
failure(Version, {refused, _, {refused, _}}) ->
    ["nothing was changed: processes cannot change over to ", Version];
failure(Version, {refused, _, {failed, _}}) ->
    ["nothing was changed: processes cannot change over to ", Version];
failure(_, {refused, _, {busy, _}}) ->
    "nothing was changed: processes are busy. Try again, use a longer --timeout, or let them keep the old code by --allow-busy";
failure(_, {refused, _, Failure}) ->
    {failed, Text} = otp_rs_upgrader:outcome(node(), {error, Failure}),
    ["nothing was changed: ", Text];
failure(Version, {not_permanent, Reason}) ->
    [Version, " runs, but a restart starts the version before: ", io_lib:format("~tp", [Reason])];
failure(_, {permanent, Version}) ->
    [Version, " is the permanent version"];
failure(_, {'EXIT', Reason}) ->
    ["the upgrade failed half way, and release_handler starts the version before anew: ", io_lib:format("~tP", [Reason, 20])];
failure(_, Reason) ->
    io_lib:format("nothing was changed: release_handler says ~tp", [Reason]).
