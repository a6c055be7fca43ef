%% Says which children the supervisors of a built application have, without starting any: calls `init` of the root
%% supervisor, then that of each supervisor among its children, and so on. Each call has a process and a limit of time.
-module(otp_rs_children).
-export([main/1]).

%% Milliseconds for one `init`, and until this VM ends whatever happens.
-define(INIT, 5000).
-define(END, 60000).

%% The deepest supervisors that are asked, the most of them, and the most characters of a term.
-define(DEEPEST, 100).
-define(MOST, 1000).
-define(TERM, 300).

-record(asking, {
    out :: file:io_device(), application :: atom(), run :: module(), left = ?MOST :: non_neg_integer()
}).

%% A file for the answer, the application, the module of its library and that of `cargo otp run`, its root supervisor or
%% an empty text, how many Erlang modules it has, their names, and the command line.
-spec main([string()]) -> no_return().
main([File, Application, Library, Run, Root, Count | Rest]) ->
    {ok, _} = timer:apply_after(?END, erlang, halt, [3]),
    {Modules, Line} = lists:split(list_to_integer(Count), Rest),
    {ok, Out} = file:open(File, [write, {encoding, unicode}]),
    Asking = #asking{out = Out, application = list_to_atom(Application), run = list_to_atom(Run)},
    ok = otp_rs:ensure_started(list_to_atom(Library)),
    needed(Asking),
    lists:foreach(fun(Module) -> atoms(Module, Out) end, Modules),
    Arguments = [unicode:characters_to_binary(A) || A <- Line],
    _ = [supervisor(list_to_atom(Root), Arguments, 1, Asking) || Root =/= ""],
    ok = file:close(Out),
    halt(0).

%% The applications that it needs and that are not there.
-spec needed(#asking{}) -> ok.
needed(#asking{out = Out, application = Application}) ->
    Needed = [element(2, application:get_key(Application, Key)) || Key <- [applications, included_applications]],
    Missing = [Name || Name <- lists:append(Needed), code:where_is_file(atom_to_list(Name) ++ ".app") =:= non_existing],
    lists:foreach(fun(Name) -> line(Out, ["missing", text(Name)]) end, Missing).

%% The atoms of a module, among which are the modules that it may call.
-spec atoms(string(), file:io_device()) -> ok.
atoms(Module, Out) ->
    {ok, {_, [{atoms, Atoms}]}} = beam_lib:chunks(code:which(list_to_atom(Module)), [atoms]),
    lists:foreach(fun({_, Atom}) -> line(Out, ["atom", text(Atom)]) end, Atoms).

-spec supervisor(module(), term(), pos_integer(), #asking{}) -> #asking{}.
supervisor(Module, _, Depth, #asking{out = Out, left = Left} = Asking) when Left =:= 0; Depth > ?DEEPEST ->
    line(Out, ["unknown", text(Module), "there are too many supervisors"]),
    Asking;
supervisor(Module, Arguments, Depth, #asking{out = Out, left = Left} = Asking) ->
    case init(Module, Arguments) of
        {ok, {ok, {Flags, Specs}}} when is_list(Specs) ->
            line(Out, ["supervisor", text(Module)]),
            case supervisor:check_childspecs(Specs) of
                ok -> children(Module, Flags, Specs, Depth, Asking#asking{left = Left - 1});
                {error, Refusal} -> line(Out, ["refused", text(Module), text(Refusal)]), Asking
            end;
        {ok, ignore} when Depth > 1 ->
            line(Out, ["supervisor", text(Module)]),
            Asking;
        {ok, Returned} ->
            line(Out, ["unknown", text(Module), ["init returned ", text(Returned)]]),
            Asking;
        {raised, {bad_return_value, Refusal}, _} when is_binary(Refusal) ->
            line(Out, ["refused", text(Module), Refusal]),
            Asking;
        {raised, Reason, Stacktrace} ->
            line(Out, ["unknown", text(Module), reason(Reason, Stacktrace, Asking)]),
            Asking;
        late ->
            line(Out, ["unknown", text(Module), io_lib:format("its init takes longer than ~b s", [?INIT div 1000])]),
            Asking
    end.

%% In a process of its own, because it may wait, and may leave something behind.
-spec init(module(), term()) -> {ok, term()} | {raised, term(), list()} | late.
init(Module, Arguments) ->
    Call = fun() ->
        exit(try {ok, Module:init(Arguments)} catch _:Reason:Stacktrace -> {raised, Reason, Stacktrace} end)
    end,
    {Pid, Monitor} = spawn_monitor(Call),
    receive
        {'DOWN', Monitor, process, Pid, {ok, Returned}} -> {ok, Returned};
        {'DOWN', Monitor, process, Pid, {raised, Reason, Stacktrace}} -> {raised, Reason, Stacktrace};
        {'DOWN', Monitor, process, Pid, Reason} -> {raised, Reason, []}
    after ?INIT ->
        demonitor(Monitor, [flush]),
        exit(Pid, kill),
        late
    end.

%% As `cargo otp run` says it: with the line of Rust.
-spec reason(term(), list(), #asking{}) -> unicode:chardata().
reason(Reason, Stacktrace, #asking{application = Application, run = Run}) ->
    Run:format_reason({Application, {{Reason, Stacktrace}, {Application, start, []}}}).

-spec children(module(), supervisor:sup_flags(), [supervisor:child_spec()], pos_integer(), #asking{}) -> #asking{}.
children(Module, Flags, Specs, Depth, Asking) ->
    Added = added(Flags),
    lists:foldl(fun(Spec, Before) -> child(Module, Spec, Added, Depth, Before) end, Asking, Specs).

%% Whether arguments are added to those of the child spec when a child is started.
-spec added(supervisor:sup_flags()) -> boolean().
added(#{strategy := Strategy}) -> Strategy =:= simple_one_for_one;
added(#{}) -> false;
added({Strategy, _, _}) -> Strategy =:= simple_one_for_one.

-spec child(module(), supervisor:child_spec(), boolean(), pos_integer(), #asking{}) -> #asking{}.
child(Module, Spec, Added, Depth, #asking{out = Out} = Asking) ->
    {Id, {M, F, A} = Start} = start(Spec),
    line(Out, ["child", text(Module), text(Id), text(started(Start)), function(M, F, length(A), Added)]),
    case supervised(Start) of
        {Child, Arguments} when not Added -> supervisor(Child, Arguments, Depth + 1, Asking);
        _ -> Asking
    end.

start(#{id := Id, start := Start}) -> {Id, Start};
start({Id, Start, _, _, _, _}) -> {Id, Start}.

%% The module whose process it is, as far as the function says that.
-spec started({module(), atom(), [term()]}) -> module().
started({otp_rs, start_child, [Module | _]}) -> Module;
started({Module, _, _}) -> Module.

%% A supervisor in Rust, and what its init is given. One in Erlang may be started with anything.
-spec supervised({module(), atom(), [term()]}) -> {module(), term()} | none.
supervised({Module, start_link, [Arguments]}) -> supervised(Module, Arguments);
supervised({Module, start_link, [_Name, Arguments]}) -> supervised(Module, Arguments);
supervised(_) -> none.

supervised(Module, Arguments) ->
    case code:ensure_loaded(Module) of
        {module, _} ->
            Attributes = Module:module_info(attributes),
            Is = fun(Key, Value) -> lists:member(Value, proplists:append_values(Key, Attributes)) end,
            case proplists:is_defined(otp_rs, Attributes) andalso Is(behaviour, supervisor) of
                true -> {Module, Arguments};
                false -> none
            end;
        _ ->
            none
    end.

%% What is wrong with the function that starts a child. Empty if nothing is.
-spec function(module(), atom(), arity(), boolean()) -> unicode:chardata().
function(M, F, Arity, Added) ->
    case code:ensure_loaded(M) of
        {module, _} ->
            Arities = [A || {Name, A} <- M:module_info(exports), Name =:= F],
            case [A || A <- Arities, A =:= Arity orelse (Added andalso A > Arity)] of
                [_ | _] -> "";
                [] when Arities =:= [] -> io_lib:format("`~tp` has no function `~tp`", [M, F]);
                [] -> io_lib:format("`~tp:~tp` has no arity ~b, but ~ts", [M, F, Arity, listed(Arities)])
            end;
        {error, nofile} ->
            io_lib:format("there is no module `~tp`", [M]);
        {error, Reason} ->
            io_lib:format("the module `~tp` cannot be loaded: ~tp", [M, Reason])
    end.

listed(Arities) -> lists:join(" and ", [integer_to_list(A) || A <- lists:sort(Arities)]).

%% One line without a tab in a field.
-spec line(file:io_device(), [unicode:chardata()]) -> ok.
line(Out, Fields) ->
    Plain = [re:replace(Field, "[\t\n]+", " ", [global, unicode, {return, binary}]) || Field <- Fields],
    io:put_chars(Out, [lists:join("\t", Plain), "\n"]).

-spec text(term()) -> unicode:chardata().
text(Term) -> io_lib:format("~0tp", [Term], [{chars_limit, ?TERM}]).
