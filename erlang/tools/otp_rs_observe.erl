%% Loads the observer into a running node, from a separate VM, or joins an existing observer. It
%% removes the observer when the last command ends, that is, when standard input ends. The node also
%% removes the observer by itself when this VM is gone.
-module(otp_rs_observe).
-export([main/1]).

%% Exit codes.
-define(UNREACHABLE, 3).
-define(OBSERVED, 5).
-define(PORT, 6).
-define(FAILED, 7).

%% Milliseconds for a request, and until everything is removed.
-define(ANSWER, 15000).

%% In the order in which they call each other.
-define(MODULES, [
    otp_rs_supervision, otp_rs_observer_json, otp_rs_observer_log, otp_rs_observer_clock, otp_rs_observer_question, otp_rs_observer_rows,
    otp_rs_observer_figures, otp_rs_observer_process, otp_rs_observer_action, otp_rs_observer_sampler, otp_rs_observer_http,
    otp_rs_observer_site, otp_rs_observer
]).

%% Arguments: the node, the file of its cookie or an empty text, the port or 0, `read` or `write`,
%% and the folder of the page's files. The secrets are lines of standard input, because other users
%% of the machine can read a command line.
-spec main([string()]) -> no_return().
main([Name, Cookie, Port, Mode, Folder]) ->
    [Token, Session, Path] = [secret() || _ <- [token, session, folder]],
    Order = #{
        owner => self(), port => list_to_integer(Port), token => Token, session => Session, folder => Path,
        may_write => Mode =:= "write", pages => pages(Folder), build => build(Folder), modules => ?MODULES
    },
    otp_rs_node:ask(Name, Cookie, fun(Node) -> observe(Node, Order) end).

-spec secret() -> binary().
secret() ->
    list_to_binary(string:trim(io:get_line(""))).

-spec pages(file:filename()) -> #{binary() => {binary(), binary()}}.
pages(Folder) ->
    {ok, Files} = file:list_dir(Folder),
    maps:from_list([begin
        {ok, Content} = file:read_file(filename:join(Folder, File)),
        page(filename:extension(File), list_to_binary(File), Content)
    end || File <- Files]).

%% Returns an identifier that distinguishes these modules and files from those of another version of
%% the command.
-spec build(file:filename()) -> binary().
build(Folder) ->
    Sources = [filename:rootname(code:which(Module)) ++ ".erl" || Module <- ?MODULES],
    {ok, Pages} = file:list_dir(Folder),
    All = Sources ++ [filename:join(Folder, Page) || Page <- lists:sort(Pages)],
    erlang:md5([element(2, {ok, _} = file:read_file(File)) || File <- All]).

%% A file's name below the folder, its media type and its content.
-spec page(string(), binary(), binary()) -> {binary(), {binary(), binary()}}.
page(".html", _, Content) -> {<<>>, {<<"text/html; charset=utf-8">>, Content}};
page(".css", Name, Content) -> {Name, {<<"text/css; charset=utf-8">>, Content}};
page(".js", Name, Content) -> {Name, {<<"text/javascript; charset=utf-8">>, Content}}.

-spec observe(node(), otp_rs_observer:order()) -> ok.
observe(Node, Order) ->
    %% An observer that has just ended may still be removing its modules.
    ok = until_removed(Node, ?ANSWER),
    Begun = case erpc:call(Node, erlang, whereis, [otp_rs_observer], ?ANSWER) of
        undefined ->
            Release = erpc:call(Node, erlang, system_info, [otp_release], ?ANSWER),
            lists:foreach(fun(Module) -> bring(Node, Module, Release) end, ?MODULES),
            erpc:call(Node, otp_rs_observer, start, [Order], ?ANSWER);
        _ ->
            %% An older version of the command cannot be joined.
            try erpc:call(Node, otp_rs_observer, join, [Order], ?ANSWER)
            catch error:{exception, undef, _} -> {error, other_build}
            end
    end,
    case Begun of
        {ok, Observer, Remover, Port} ->
            io:format("~ts\t~b~n", [Node, Port]),
            wait(Node, Observer, Remover);
        {error, full} ->
            throw({?OBSERVED, "by as many commands as may at a time"});
        {error, other_build} ->
            throw({?OBSERVED, "by another version of this command"});
        {error, {port, Port}} ->
            throw({?PORT, io_lib:format("it is observed already, at port ~b", [Port])});
        {error, Reason} ->
            throw({?PORT, inet:format_error(Reason)})
    end.

-spec until_removed(node(), integer()) -> ok.
until_removed(Node, Left) ->
    Names = [erpc:call(Node, erlang, whereis, [Name], ?ANSWER) || Name <- [otp_rs_observer, otp_rs_observer_remover]],
    case Names of
        [undefined, Remover] when is_pid(Remover), Left > 0 ->
            ok = timer:sleep(20),
            until_removed(Node, Left - 20);
        _ ->
            ok
    end.

%% Replaces modules that an observer has left because it could not remove them.
-spec bring(node(), module(), string()) -> ok.
bring(Node, Module, Release) ->
    {Beam, File} = compiled(Node, Module, Release =:= erlang:system_info(otp_release)),
    _ = erpc:call(Node, code, purge, [Module], ?ANSWER),
    case erpc:call(Node, code, load_binary, [Module, File, Beam], ?ANSWER) of
        {module, Module} ->
            ok;
        {error, Reason} ->
            _ = [erpc:call(Node, code, Function, [Brought], ?ANSWER) || Brought <- ?MODULES, Function <- [purge, delete, purge]],
            Text = "it has OTP ~ts, which refuses a module of the compiler of OTP ~ts (~tp), and has no compiler itself",
            throw({?FAILED, io_lib:format(Text, [Release, erlang:system_info(otp_release), Reason])})
    end.

%% A release may refuse modules that another one has compiled. Therefore the node compiles them, if
%% it has a compiler.
-spec compiled(node(), module(), boolean()) -> {binary(), file:filename()}.
compiled(_, Module, true) ->
    {Module, Beam, File} = code:get_object_code(Module),
    {Beam, File};
compiled(Node, Module, false) ->
    {Own, File} = compiled(Node, Module, true),
    {ok, Forms} = epp:parse_file(filename:rootname(File) ++ ".erl", []),
    try erpc:call(Node, compile, forms, [Forms, [binary]], ?ANSWER) of
        {ok, Module, Beam} -> {Beam, File};
        _ -> {Own, File}
    catch
        error:{exception, undef, _} -> {Own, File}
    end.

%% Waits until standard input ends, or the observer does.
-spec wait(node(), pid(), pid()) -> ok.
wait(Node, Observer, Remover) ->
    Self = self(),
    spawn_link(fun() -> until_end(), Self ! stop end),
    Ended = monitor(process, Observer),
    receive
        stop ->
            Removed = monitor(process, Remover),
            case erpc:call(Node, otp_rs_observer, leave, [Self], ?ANSWER) of
                false -> ok;
                true ->
                    receive
                        {'DOWN', Removed, process, _, _} -> ok
                    after ?ANSWER -> throw({?FAILED, "the observer has not ended"})
                    end
            end;
        {'DOWN', Ended, process, _, noconnection} ->
            throw({?UNREACHABLE, "it is gone"});
        {'DOWN', Ended, process, _, Reason} ->
            throw({?FAILED, io_lib:format("the observer has ended: ~tp", [Reason])})
    end.

-spec until_end() -> ok.
until_end() ->
    case io:get_line("") of
        eof -> ok;
        {error, _} -> ok;
        _ -> until_end()
    end.
