%% The limits of VMs of isolated children (ADR 48). If this VM may create control groups (cgroup
%% v2), each VM has its own group: the kernel enforces its limit of memory, and processes that the
%% VM has started count as part of it and end with it. The module is the same in every application.
-module(otp_rs_limits).
-export([new/1, of_vm/2, was_killed/1, used/3, resident/1, remove/1, fits/2]).
-export([os_process/1, is_running/1, kill/1, kill_all/1]).
-export_type([group/0, os_process/0]).

%% The folder of a control group.
-type group() :: file:filename_all().
%% An OS process: its number, which the system gives to another process later, and when it started,
%% in the unit of the kernel. Some systems have no /proc.
-type os_process() :: {non_neg_integer(), binary() | ended | unknown}.
%% The parent folder of the groups, or why there is none.
-type parent() :: {ok, file:filename_all()} | {none, unicode:chardata()}.

%% The prefix of groups' names. The OS process that created the group follows.
-define(NAME, "otp_rs_").
%% The group of this VM itself, if it had to leave the parent of the groups: the kernel does not
%% limit groups beside a process.
-define(OWN, "otp_rs_own").

%% The number of attempts to remove a group, and the milliseconds between them.
-define(TRIES, 200).
-define(BETWEEN, 10).

%% Creates a group for a VM with these limits. Without a group, the VM is limited in other ways.
-spec new(otp_rs_vm:isolation()) -> group() | none.
new(Isolation) when not is_map_key(memory, Isolation), not is_map_key(processor_time, Isolation) -> none;
new(Isolation) ->
    case parent() of
        {ok, Parent} ->
            remove_leftovers(Parent),
            Number = integer_to_list(erlang:unique_integer([positive])),
            Group = filename:join(Parent, ?NAME ++ os:getpid() ++ "_" ++ Number),
            case file:make_dir(Group) =:= ok andalso limited(Group, Isolation) of
                true -> Group;
                false -> _ = file:del_dir(Group), none
            end;
        {none, _} -> none
    end.

%% Returns the group if the VM is in it. Otherwise the VM has set its own limits.
-spec of_vm(group() | none, non_neg_integer()) -> group() | none.
of_vm(none, _) -> none;
of_vm(Group, OsPid) ->
    case lists:member(integer_to_list(OsPid), words(Group, "cgroup.procs")) of
        true -> Group;
        false -> remove(Group), none
    end.

%% Returns whether the kernel has killed the VM because of its memory.
-spec was_killed(group() | none) -> boolean().
was_killed(none) -> false;
was_killed(Group) -> counted(Group, "memory.events", "oom_kill", 0) > 0.

%% Returns the processor time in milliseconds of all processes that were ever in its group. Without
%% a group, it is that of the VM, which Linux counts in hundredths of a second.
-spec used(group() | none, non_neg_integer(), non_neg_integer()) -> non_neg_integer().
used(none, OsPid, Last) ->
    case file:read_file(["/proc/", integer_to_list(OsPid), "/stat"]) of
        {ok, Text} ->
            [_, After] = string:split(Text, ") ", trailing),
            Fields = binary:split(After, <<" ">>, [global]),
            10 * (binary_to_integer(lists:nth(12, Fields)) + binary_to_integer(lists:nth(13, Fields)));
        {error, _} ->
            Last
    end;
used(Group, _, Last) ->
    counted(Group, "cpu.stat", "usage_usec", Last * 1000) div 1000.

%% Returns the bytes in memory.
-spec resident(non_neg_integer()) -> non_neg_integer().
resident(OsPid) ->
    case [Number || ["VmRSS:", Number | _] <- [string:lexemes(Line, "\t ") || Line <- lines("/proc/" ++ integer_to_list(OsPid) ++ "/status")]] of
        [Kilobytes] -> 1024 * list_to_integer(Kilobytes);
        [] -> 0
    end.

%% Returns the OS process that has this number now.
-spec os_process(non_neg_integer()) -> os_process().
os_process(OsPid) ->
    case file:read_file(["/proc/", integer_to_list(OsPid), "/stat"]) of
        {ok, Text} ->
            [_, After] = string:split(Text, ") ", trailing),
            {OsPid, lists:nth(20, binary:split(After, <<" ">>, [global]))};
        {error, _} ->
            {OsPid, case filelib:is_dir("/proc/self") of true -> ended; false -> unknown end}
    end.

-spec is_running(os_process()) -> boolean().
is_running({_, ended}) -> false;
is_running({_, unknown}) -> true;
is_running({OsPid, _} = Process) -> os_process(OsPid) =:= Process.

%% Kills an OS process, but no other one that has got its number. The shell compares the start time
%% without a fork between reading it and the signal. The name of the process is in the text before
%% the last parenthesis; it can contain anything, even lines.
-spec kill(os_process()) -> ok.
kill({_, ended}) -> ok;
kill({OsPid, unknown}) ->
    _ = os:cmd("kill -KILL " ++ integer_to_list(OsPid)),
    ok;
kill({OsPid, Started}) ->
    Number = integer_to_list(OsPid),
    _ = os:cmd([
        "set -f; while read -r line; do last=$line; done < /proc/", Number, "/stat && set -- ${last##*) }"
        " && [ \"${20}\" = ", binary_to_list(Started), " ] && kill -KILL ", Number
    ]),
    ok.

%% Kills all processes of the group.
-spec kill_all(group() | none) -> ok.
kill_all(none) -> ok;
kill_all(Group) ->
    _ = write(Group, "cgroup.kill", "1"),
    ok.

%% Kills the processes that are left in the group, and removes it.
-spec remove(group() | none) -> ok.
remove(none) -> ok;
remove(Group) ->
    kill_all(Group),
    remove(Group, ?TRIES).

-spec remove(group(), byte()) -> ok.
remove(Group, Tries) ->
    case file:del_dir(Group) of
        {error, ebusy} when Tries > 0 -> timer:sleep(?BETWEEN), remove(Group, Tries - 1);
        _ -> ok
    end.

-spec limited(group(), otp_rs_vm:isolation()) -> boolean().
limited(Group, #{memory := Bytes}) ->
    %% A kernel without swap has no limit for it.
    _ = write(Group, "memory.swap.max", "0"),
    write(Group, "memory.oom.group", "1") andalso write(Group, "memory.max", integer_to_list(Bytes));
limited(_, #{}) ->
    true.

%% Removes the groups of a VM that was killed.
-spec remove_leftovers(file:filename_all()) -> ok.
remove_leftovers(Parent) ->
    Groups = [Name || Name <- filelib:wildcard(?NAME ++ "[0-9]*_[0-9]*", Parent)],
    lists:foreach(fun(?NAME ++ Rest = Name) ->
        [OsPid | _] = string:split(Rest, "_"),
        filelib:is_dir("/proc/" ++ OsPid) orelse remove(filename:join(Parent, Name))
    end, Groups).

-spec parent() -> parent().
parent() ->
    case persistent_term:get(?MODULE, none) of
        none ->
            Parent = case own() of
                none -> {none, "this VM is in no cgroup v2 with the controller `memory`"};
                Own -> prepared(Own)
            end,
            persistent_term:put(?MODULE, Parent),
            tell(Parent),
            Parent;
        Known -> Known
    end.

-spec tell(parent()) -> ok.
tell({ok, Folder}) ->
    logger:notice("isolated children: control groups in ~ts enforce the limits of their VMs", [Folder]);
tell({none, Why}) ->
    logger:notice("isolated children: RLIMIT_DATA and readings of /proc enforce the limits of their VMs, because ~ts", [Why]).

%% Returns this VM's group, if the kernel could limit memory in it.
-spec own() -> file:filename_all() | none.
own() ->
    Mounts = [{Root, Mount} || Line <- lines("/proc/self/mountinfo"), {Root, Mount} <- mount(Line)],
    Paths = [Path || "0::" ++ Path <- lines("/proc/self/cgroup")],
    Folders = [filename:join([Mount ++ Rest]) || {Root, Mount} <- Mounts, Path <- Paths, Rest <- below(Root, Path)],
    case [Folder || Folder <- Folders, lists:member("memory", words(Folder, "cgroup.controllers"))] of
        [Folder | _] ->
            case filename:basename(Folder) of
                ?OWN -> filename:dirname(Folder);
                _ -> Folder
            end;
        [] -> none
    end.

-spec mount(string()) -> [{string(), string()}].
mount(Line) ->
    case string:split(Line, " - ") of
        [Left, "cgroup2 " ++ _] ->
            [_, _, _, Root, Mount | _] = string:lexemes(Left, " "),
            [{Root, Mount}];
        _ -> []
    end.

-spec below(string(), string()) -> [string()].
below("/", Path) -> [Path];
below(Root, Path) ->
    case string:prefix(Path, Root) of
        nomatch -> [];
        Rest -> [Rest]
    end.

-spec prepared(file:filename_all()) -> parent().
prepared(Own) ->
    case is_enabled(Own) orelse (are_ours(Own) andalso moved(Own) andalso is_enabled(Own)) of
        true -> {ok, Own};
        false -> {none, [Own, " is not delegated to this VM, or has other processes"]}
    end.

-spec is_enabled(file:filename_all()) -> boolean().
is_enabled(Folder) ->
    Is = fun() -> lists:member("memory", words(Folder, "cgroup.subtree_control")) end,
    is_writable(filename:join(Folder, "cgroup.procs"))
        andalso (Is() orelse (write(Folder, "cgroup.subtree_control", "+memory") andalso Is())).

-spec is_writable(file:filename_all()) -> boolean().
is_writable(File) ->
    case file:open(File, [raw, read, write]) of
        {ok, Opened} -> file:close(Opened) =:= ok;
        {error, _} -> false
    end.

%% Returns whether the group contains only this VM and processes that it has started.
-spec are_ours(file:filename_all()) -> boolean().
are_ours(Folder) ->
    lists:all(fun is_ours/1, words(Folder, "cgroup.procs")).

-spec is_ours(string()) -> boolean().
is_ours(OsPid) ->
    OsPid =:= os:getpid() orelse case file:read_file(["/proc/", OsPid, "/stat"]) of
        {ok, Text} ->
            [_, After] = string:split(Text, ") ", trailing),
            [_, Above | _] = string:lexemes(binary_to_list(After), " "),
            Above =/= "0" andalso is_ours(Above);
        %% The process has ended.
        {error, _} -> true
    end.

-spec moved(file:filename_all()) -> boolean().
moved(Folder) ->
    Own = filename:join(Folder, ?OWN),
    _ = file:make_dir(Own),
    _ = [write(Own, "cgroup.procs", OsPid) || OsPid <- words(Folder, "cgroup.procs")],
    words(Folder, "cgroup.procs") =:= [].

%% Returns the number behind the word in a file of lines.
-spec counted(group(), string(), string(), non_neg_integer()) -> non_neg_integer().
counted(Group, File, Word, Otherwise) ->
    Lines = [string:lexemes(Line, " ") || Line <- lines(filename:join(Group, File))],
    case [Number || [Found, Number] <- Lines, Found =:= Word] of
        [Number | _] -> list_to_integer(Number);
        [] when is_integer(Otherwise) -> Otherwise
    end.

-spec words(file:filename_all(), string()) -> [string()].
words(Folder, File) ->
    [Word || Line <- lines(filename:join(Folder, File)), Word <- string:lexemes(Line, " ")].

-spec lines(file:filename_all()) -> [string()].
lines(File) ->
    case file:read_file(File) of
        {ok, Text} -> string:lexemes(unicode:characters_to_list(Text), "\n");
        {error, _} -> []
    end.

-spec write(file:filename_all(), string(), string()) -> boolean().
write(Folder, File, Text) ->
    file:write_file(filename:join(Folder, File), Text) =:= ok.

%% Returns whether a term in the External Term Format takes at most this many words, before it is
%% decoded: a byte can become two words. The answer is `false` for bytes that are not a term.
-spec fits(binary(), non_neg_integer()) -> boolean().
fits(<<131, Bytes/binary>>, Words) -> fits(Bytes, 1, Words);
fits(_, _) -> false.

%% The second argument is the number of terms that are still to come, and the third one that of
%% words that are left. Each clause matches the binary first, so that the compiler creates no
%% binaries.
-spec fits(binary(), integer(), integer()) -> boolean().
fits(<<97, _, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1, Words);
fits(<<98, _:32, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1, Words);
fits(<<70, _:64, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1, Words - 2);
fits(<<99, _:31/binary, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1, Words - 2);
fits(<<104, Arity, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1 + Arity, Words - 1 - Arity);
fits(<<105, Arity:32, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1 + Arity, Words - 1 - Arity);
fits(<<106, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1, Words);
fits(<<107, Size:16, _:Size/binary, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1, Words - 2 * Size);
fits(<<108, Size:32, Rest/binary>>, Terms, Words) -> fits(Rest, Terms + Size, Words - 2 * Size);
fits(<<116, Size:32, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1 + 2 * Size, Words - 5 - 4 * Size);
%% A large binary is not on the heap, and its bytes are counted as part of the frame.
fits(<<109, Size:32, _:Size/binary, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1, Words - 10);
fits(<<77, Size:32, _, _:Size/binary, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1, Words - 15);
fits(<<110, Size, _, _:Size/binary, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1, Words - 2 - Size div 8);
fits(<<111, Size:32, _, _:Size/binary, Rest/binary>>, Terms, Words) -> fits(Rest, Terms - 1, Words - 2 - Size div 8);
%% A reference to an exported function, and a closure with its environment.
fits(<<113, Rest/binary>>, Terms, Words) -> fits(Rest, Terms + 2, Words - 5);
fits(<<112, _:25/binary, Free:32, Rest/binary>>, Terms, Words) -> fits(Rest, Terms + 3 + Free, Words - 10 - Free);
fits(<<Tag, Rest/binary>>, Terms, Words) ->
    case identifier(Tag, Rest) of
        <<Next/binary>> -> fits(Next, Terms - 1, Words - 8);
        none -> false
    end;
fits(<<>>, Terms, Words) -> Terms =:= 0 andalso Words >= 0.

%% Returns the bytes after an atom, or after a pid, port or reference, which contain the name of its
%% node.
-spec identifier(byte(), binary()) -> binary() | none.
identifier(100, <<Size:16, _:Size/binary, Rest/binary>>) -> Rest;
identifier(118, <<Size:16, _:Size/binary, Rest/binary>>) -> Rest;
identifier(115, <<Size, _:Size/binary, Rest/binary>>) -> Rest;
identifier(119, <<Size, _:Size/binary, Rest/binary>>) -> Rest;
identifier(103, Bytes) -> after_node(Bytes, 9);
identifier(88, Bytes) -> after_node(Bytes, 12);
identifier(102, Bytes) -> after_node(Bytes, 5);
identifier(89, Bytes) -> after_node(Bytes, 8);
identifier(120, Bytes) -> after_node(Bytes, 12);
identifier(114, <<Count:16, Bytes/binary>>) -> after_node(Bytes, 1 + 4 * Count);
identifier(90, <<Count:16, Bytes/binary>>) -> after_node(Bytes, 4 + 4 * Count);
identifier(_, _) -> none.

-spec after_node(binary(), pos_integer()) -> binary() | none.
after_node(<<Tag, Bytes/binary>>, Size) when Tag =:= 100; Tag =:= 115; Tag =:= 118; Tag =:= 119 ->
    case identifier(Tag, Bytes) of
        <<_:Size/binary, Rest/binary>> -> Rest;
        _ -> none
    end;
after_node(_, _) -> none.
