%% Determines the supervision trees that built applications declare, in a separate VM. None of their
%% processes are started: only `init/1` of supervisors is called, which returns their children. Each
%% call has its own process and a time limit.
-module(otp_rs_declared).
-export([main/1]).

%% Milliseconds for one `init/1`, for all of them, and until this VM ends in any case.
-define(INIT, 5000).
-define(ALL, 50000).
-define(END, 60000).

%% The maximum depth of supervisors, the maximum number of processes, and the maximum number of
%% characters of a term.
-define(DEEPEST, 100).
-define(MOST, 10000).
-define(TERM, 300).

%% The functions that start a process of OTP's behaviours with its callback module.
-define(IS_OTP(Module), (Module =:= supervisor orelse Module =:= supervisor_bridge orelse Module =:= gen_server
    orelse Module =:= gen_statem orelse Module =:= gen_event)).

%% `how` it is started: with the known arguments, with arguments of its `own`, or by a supervisor of
%% another application.
-record(application, {name :: atom(), how :: start | own | include, root :: module()}).

-record(asking, {
    out :: file:io_device(), applications :: [#application{}], run :: module(), deadline :: integer(),
    left = ?MOST :: integer(),
    % The names of the VM's own processes, the names in the tree with their processes, and the
    % supervisors above.
    own = [] :: [atom()], names = #{} :: #{term() => term()}, above = [] :: [{module(), term()}],
    % The groups of isolated children, with their limits.
    groups = #{} :: #{term() => map()}
}).

%% The argument of a child's `init/1`: `none` if it is not a supervisor, `own` if only its
%% application knows it.
-type given() :: none | unknown | own | {known, term()}.

%% A child as declared by its supervisor. `problem` describes an error of the function that starts
%% it.
-record(child, {
    id :: term(), name :: term(), kind = worker :: supervisor | worker, module :: module(), start = "" :: unicode:chardata(),
    restart = "" :: unicode:chardata(), shutdown = "" :: unicode:chardata(), state = "" :: string(),
    problem = "" :: unicode:chardata(), given = none :: given(), registered = none :: term(),
    % How its group of isolated children is limited.
    isolation = none :: none | map()
}).

%% The answer of a supervisor. A failure has two texts: one for behind the function's name, and one
%% on its own, with the line of Rust.
-type said() :: {children, term(), [supervisor:child_spec()]} | ignore | {refused, unicode:chardata()}
    | {failed, unicode:chardata(), unicode:chardata()}.

%% Arguments: a file for the answer; a file of questions; for each application how it is started,
%% its name, its library's module and its root supervisor; after `--`, the module of `cargo otp run`
%% and the modules in Erlang, of the last application; and after another `--`, its command line.
-spec main([string()]) -> no_return().
main([File, Questions | Rest]) ->
    {ok, _} = timer:apply_after(?END, erlang, halt, [3]),
    Own = registered(),
    {Given, [_ | More]} = lists:splitwith(fun(Text) -> Text =/= "--" end, Rest),
    {[Run | Modules], [_ | Texts]} = lists:splitwith(fun(Text) -> Text =/= "--" end, More),
    {ok, Out} = file:open(File, [write, {encoding, unicode}]),
    Deadline = now_ms() + ?ALL,
    Applications = applications(Given),
    lists:foreach(fun(One) -> needed(One, Out) end, Applications),
    lists:foreach(fun(Module) -> atoms(Module, Out) end, Modules),
    Ours = [Name || #application{name = Name} <- Applications],
    Started = started(Ours, [kernel, stdlib, erts]),
    Names = lists:append([names(One) || One <- Started -- Ours]),
    lists:foreach(fun(Name) -> line(Out, ["known", text(Name)]) end, Own ++ Names),
    {ok, Asked} = file:read_file(Questions),
    lists:foreach(fun(Question) -> answer(Question, Started, Out) end, string:lexemes(Asked, "\n")),
    Asking = #asking{out = Out, applications = Applications, run = list_to_atom(Run), deadline = Deadline, own = Own},
    CommandLine = [unicode:characters_to_binary(Text) || Text <- Texts],
    Main = lists:last(Applications),
    Tree = fun(One, Before) -> tree(One, arguments(One, Main, CommandLine), Before) end,
    _ = lists:foldl(Tree, Asking, [One || #application{how = How} = One <- Applications, How =/= include]),
    ok = file:close(Out),
    halt(0).

-spec applications([string()]) -> [#application{}].
applications([How, Name, Library, Root | Rest]) ->
    ok = otp_rs_helper:ensure_started(list_to_atom(Library)),
    Application = #application{name = list_to_atom(Name), how = list_to_atom(How), root = list_to_atom(Root)},
    [Application | applications(Rest)];
applications([]) ->
    [].

-spec now_ms() -> integer().
now_ms() -> erlang:monotonic_time(millisecond).

%% Prints the applications that it needs but that are not installed.
-spec needed(#application{}, file:io_device()) -> ok.
needed(#application{name = Application}, Out) ->
    Needed = [element(2, application:get_key(Application, Key)) || Key <- [applications, included_applications]],
    Missing = [Name || Name <- lists:append(Needed), code:where_is_file(atom_to_list(Name) ++ ".app") =:= non_existing],
    lists:foreach(fun(Name) -> line(Out, ["missing", text(Application), text(Name)]) end, Missing).

%% Returns these applications and all that they need or include.
-spec started([atom()], [atom()]) -> [atom()].
started(Applications, Known) -> lists:foldl(fun with_needed/2, Known, Applications).

-spec with_needed(atom(), [atom()]) -> [atom()].
with_needed(Name, Known) ->
    case lists:member(Name, Known) of
        true ->
            Known;
        false ->
            _ = application:load(Name),
            Needed = [application:get_key(Name, Key) || Key <- [applications, included_applications]],
            started(lists:append([Names || {ok, Names} <- Needed]), [Name | Known])
    end.

%% Returns the names that an application registers, according to its resource file.
-spec names(atom()) -> [atom()].
names(Application) ->
    case application:get_key(Application, registered) of
        {ok, Names} -> Names;
        undefined -> []
    end.

%% Prints whether a function exists, and the application of its module if that is one of OTP which
%% is not started. A question is `MODULE FUNCTION ARITY`, with tabs between them, or only a module.
-spec answer(binary(), [atom()], file:io_device()) -> ok.
answer(Question, Started, Out) ->
    [Module | Function] = [binary_to_atom(Part) || Part <- string:split(Question, "\t", all)],
    Problem = case Function of
        [] -> "";
        [Name, Arity] -> problem(Module, Name, binary_to_integer(atom_to_binary(Arity)), false)
    end,
    Path = code:which(Module),
    Application = case is_list(Path) andalso string:prefix(Path, code:lib_dir()) of
        Below when is_list(Below), Below =/= "" -> hd(string:lexemes(hd(string:lexemes(Below, "/")), "-"));
        _ -> ""
    end,
    Missing = case Application =:= "" orelse lists:member(list_to_atom(Application), Started) of
        true -> "";
        false -> Application
    end,
    line(Out, ["answer", Problem, Missing]).

%% Prints the atoms of a module. These include the modules that it may call.
-spec atoms(string(), file:io_device()) -> ok.
atoms(Module, Out) ->
    {ok, {_, [{atoms, Atoms}]}} = beam_lib:chunks(code:which(list_to_atom(Module)), [atoms]),
    lists:foreach(fun({_, Atom}) -> line(Out, ["atom", text(Atom)]) end, Atoms).

%% Returns the argument of the root supervisor.
-spec arguments(#application{}, #application{}, [binary()]) -> given().
arguments(#application{how = own}, _, _) -> own;
arguments(Main, Main, CommandLine) -> {known, CommandLine};
arguments(#application{name = Name}, _, _) -> {known, application:get_env(Name, arguments, [])}.

-spec tree(#application{}, given(), #asking{}) -> #asking{}.
tree(#application{name = Name, root = Root} = Application, Given, #asking{out = Out} = Asking) ->
    line(Out, ["application", text(Name)]),
    child(#child{id = Root, name = Root, kind = supervisor, module = Root, given = Given, registered = Root}, 0, Application, Asking).

%% Adds a child, and those below it.
-spec child(#child{}, non_neg_integer(), #application{}, #asking{}) -> #asking{}.
child(Child, Depth, Application, #asking{left = Left} = Asking) when Left > 0 ->
    shown(Child, Depth, Application, noted(Child, Asking#asking{left = Left - 1}));
child(_, Depth, _, #asking{out = Out, left = 0} = Asking) ->
    omitted(Out, Depth, "more processes"),
    Asking#asking{left = -1};
child(_, _, _, Asking) ->
    Asking.

%% Records the child's name as taken, and the limits of its group.
-spec noted(#child{}, #asking{}) -> #asking{}.
noted(#child{isolation = #{group := Group} = Isolation} = Child, #asking{groups = Groups} = Asking) ->
    noted(Child#child{isolation = none}, Asking#asking{groups = maps:merge(#{Group => Isolation}, Groups)});
noted(#child{registered = none}, Asking) -> Asking;
noted(#child{registered = Name, id = Id}, #asking{names = Names} = Asking) ->
    Asking#asking{names = maps:merge(#{Name => Id}, Names)}.

-spec shown(#child{}, non_neg_integer(), #application{}, #asking{}) -> #asking{}.
shown(#child{given = none} = Child, Depth, _, Asking) ->
    declared(Child, Depth, Asking);
shown(#child{given = unknown, start = Start} = Child, Depth, _, #asking{out = Out} = Asking) ->
    _ = declared(Child, Depth, Asking),
    omitted(Out, Depth + 1, ["children unknown, started by ", Start]),
    Asking;
shown(#child{given = own, module = Module} = Child, Depth, _, #asking{out = Out} = Asking) ->
    _ = declared(Child, Depth, Asking),
    line(Out, ["own", integer_to_list(Depth + 1), text(Module)]),
    Asking;
shown(#child{given = {known, Arguments}, module = Module} = Child, Depth, Application, Asking) ->
    #asking{out = Out, above = Above} = Asking,
    case said(Module, Arguments, Depth, Application, Asking) of
        {children, Flags, Specs} ->
            [Strategy | _] = Facts = flags(Flags),
            Declared = declared(Child, Depth, Facts, Asking),
            Below = fun(Spec, Before) -> child(read(Spec, Strategy, Before), Depth + 1, Application, Before) end,
            After = lists:foldl(Below, Declared#asking{above = [{Module, Arguments} | Above]}, Specs),
            After#asking{above = Above};
        ignore ->
            declared(Child#child{state = "ignore"}, Depth, Asking);
        Refused ->
            _ = declared(Child, Depth, Asking),
            [Kind | Texts] = tuple_to_list(Refused),
            line(Out, [atom_to_list(Kind), integer_to_list(Depth + 1), text(Module) | Texts]),
            Asking
    end.

%% Returns the supervisor's answer about its children.
-spec said(module(), term(), non_neg_integer(), #application{}, #asking{}) -> said().
said(_, _, ?DEEPEST, _, _) ->
    Text = io_lib:format("it is ~b supervisors deep", [?DEEPEST]),
    {failed, Text, Text};
said(Module, Arguments, Depth, Application, #asking{above = Above} = Asking) ->
    case lists:member({Module, Arguments}, Above) of
        true -> {refused, "it starts itself, with the same arguments, and so without an end"};
        false -> asked(Module, Arguments, Depth, Application, Asking)
    end.

-spec asked(module(), term(), non_neg_integer(), #application{}, #asking{}) -> said().
asked(Module, Arguments, Depth, Application, #asking{deadline = Deadline, run = Run}) ->
    case now_ms() < Deadline andalso init(Module, Arguments) of
        false -> {failed, "there is no time left to call it", "there is no time left to call its init"};
        % The application would not start.
        ignore when Depth =:= 0 -> returned(ignore);
        {other, Term} -> returned(Term);
        {raised, {bad_return_value, Refusal}, _} when is_binary(Refusal) -> {refused, Refusal};
        {raised, Reason, Stacktrace} -> {failed, why(Reason), told(Reason, Stacktrace, Application, Run)};
        late -> late(io_lib:format("takes longer than ~b s", [?INIT div 1000]));
        Said -> Said
    end.

-spec returned(term()) -> said().
returned(Term) -> {failed, ["it returns ", text(Term)], ["init returned ", text(Term)]}.

-spec late(unicode:chardata()) -> said().
late(Text) -> {failed, ["it ", Text], ["its init ", Text]}.

%% Calls `init/1` in a separate process, because it may wait, and may leave messages or links
%% behind.
-spec init(module(), term()) -> said() | {other, term()} | {raised, term(), list()} | late.
init(Module, Arguments) ->
    Call = fun() ->
        exit(try {said, children(Module:init(Arguments))} catch _:Reason:Stacktrace -> {raised, Reason, Stacktrace} end)
    end,
    {Pid, Monitor} = spawn_monitor(Call),
    receive
        {'DOWN', Monitor, process, Pid, {said, Said}} -> Said;
        {'DOWN', Monitor, process, Pid, {raised, Reason, Stacktrace}} -> {raised, Reason, Stacktrace};
        {'DOWN', Monitor, process, Pid, Reason} -> {raised, Reason, []}
    after ?INIT ->
        demonitor(Monitor, [flush]),
        exit(Pid, kill),
        late
    end.

%% Checks the result of `init/1` like OTP.
-spec children(term()) -> said() | {other, term()}.
children({ok, {Flags, Specs}}) when is_list(Specs), (is_map(Flags) orelse tuple_size(Flags) =:= 3) ->
    case supervisor:check_childspecs(Specs) of
        ok -> {children, Flags, Specs};
        {error, Refusal} -> {refused, text(Refusal)}
    end;
children(ignore) ->
    ignore;
children(Other) ->
    {other, Other}.

-spec why(term()) -> unicode:chardata().
why({Reason, [{_, _, _, _} | _]}) -> why(Reason);
why({panic, #{message := Message}}) -> ["panicked: ", Message];
why(Reason) -> text(Reason).

%% Formats a failure like `cargo otp run`, with the line of Rust.
-spec told(term(), list(), #application{}, module()) -> unicode:chardata().
told(Reason, Stacktrace, #application{name = Name}, Run) ->
    Run:format_reason({Name, {{Reason, Stacktrace}, {Name, start, []}}}).

-spec flags(term()) -> [unicode:chardata()].
flags({Strategy, Intensity, Period}) ->
    flags(#{strategy => Strategy, intensity => Intensity, period => Period});
flags(Flags) ->
    [text(maps:get(Key, Flags, Default)) || {Key, Default} <- [{strategy, one_for_one}, {intensity, 1}, {period, 5}]].

%% Reads a child spec: a map, or a tuple as before OTP 18.
-spec read(supervisor:child_spec(), unicode:chardata(), #asking{}) -> #child{}.
read({Id, Start, Restart, Shutdown, Kind, _}, Strategy, Asking) ->
    Spec = #{id => Id, start => Start, restart => Restart, shutdown => Shutdown, type => Kind},
    read(Spec, Strategy, Asking);
read(#{id := Id, start := {Module, Function, Arguments} = Start} = Spec, Strategy, Asking) ->
    #asking{applications = Applications} = Asking,
    Kind = maps:get(type, Spec, worker),
    Limit = case Kind of supervisor -> infinity; worker -> 5000 end,
    {Name, Callbacks, Given} = process(Start, Applications),
    % When a child of a template is started, arguments are appended to the template's.
    IsTemplate = lists:flatten(Strategy) =:= "simple_one_for_one",
    Isolation = case Start of
        {otp_rs_isolated, _, [#{group := _} = Limits | _]} -> Limits;
        _ -> none
    end,
    #child{
        id = Id,
        % The id of a scope of `pg` says more than the scope's name.
        name = case Name =:= none orelse Module =:= pg of true -> Id; false -> Name end,
        kind = Kind,
        module = Callbacks,
        start = io_lib:format("~tp:~tp/~b", [Module, Function, length(Arguments)]),
        restart = text(maps:get(restart, Spec, permanent)),
        shutdown = text(maps:get(shutdown, Spec, Limit)),
        state = case IsTemplate of true -> "template"; false -> "" end,
        problem = case problem(Module, Function, length(Arguments), IsTemplate) of
            "" -> problem_of_name(Name, Isolation, Asking);
            Problem -> Problem
        end,
        isolation = Isolation,
        registered = case IsTemplate of true -> none; false -> Name end,
        given = case {Given, Kind} of
            {{known, _}, _} when not IsTemplate -> Given;
            {_, supervisor} -> unknown;
            {none, worker} -> none;
            {_, worker} -> unknown
        end
    }.

%% Returns the name that a child registers, its callback module, and the argument of its `init/1` if
%% it is a supervisor.
-spec process({module(), atom(), [term()]}, [#application{}]) -> {term(), module(), none | {known, term()}}.
process({otp_rs, start_child, [Module | _]}, _) ->
    {none, Module, none};
process({otp_rs_isolated, start_child, [_, Module | _]}, _) ->
    {none, Module, none};
process({otp_rs_isolated, start_link, [_, Module, Arguments]}, Applications) ->
    process({Module, start_link, Arguments}, Applications);
process({pg, _, []}, _) ->
    {pg, pg, none};
process({pg, _, [Scope]}, _) ->
    {Scope, pg, none};
process({Behaviour, _, Arguments}, _) when ?IS_OTP(Behaviour) ->
    {Name, Rest} = named(Arguments),
    case {Behaviour, Rest} of
        {supervisor, [Module, Given]} when is_atom(Module) -> {Name, Module, {known, Given}};
        {_, [Module | _]} when is_atom(Module) -> {Name, Module, none};
        _ -> {Name, Behaviour, none}
    end;
process({Module, Function, Arguments}, Applications) ->
    {Name, _} = named(Arguments),
    case {included(Module, Applications), Function, Arguments} of
        {[Root | _], start_link, [Given]} -> {Root, Root, {known, Given}};
        {[], start_link, [Given]} -> {Name, Module, supervised(Module, Given)};
        {[], start_link, [_, Given]} -> {Name, Module, supervised(Module, Given)};
        _ -> {Name, Module, none}
    end.

%% Returns the root supervisor of an application that another one includes, by the module that
%% starts it.
-spec included(module(), [#application{}]) -> [module()].
included(Module, Applications) ->
    [Root || #application{name = Name, root = Root} <- Applications, atom_to_list(Module) =:= atom_to_list(Name) ++ "_app"].

%% The name may come before the other arguments.
-spec named([term()]) -> {term(), [term()]}.
named([{local, Name} | Rest]) -> {Name, Rest};
named([{global, Name} | Rest]) -> {{global, Name}, Rest};
named([{via, Module, Name} | Rest]) -> {{via, Module, Name}, Rest};
named(Arguments) -> {none, Arguments}.

%% Returns the argument of `init/1` for a supervisor in Rust, because its start functions take that
%% argument. A supervisor in Erlang may take anything.
-spec supervised(module(), term()) -> none | {known, term()}.
supervised(Module, Arguments) ->
    case code:ensure_loaded(Module) of
        {module, _} ->
            Attributes = Module:module_info(attributes),
            IsSupervisor = lists:member(supervisor, lists:append(proplists:get_all_values(behaviour, Attributes))),
            case proplists:is_defined(otp_rs, Attributes) andalso IsSupervisor of
                true -> {known, Arguments};
                false -> none
            end;
        _ ->
            none
    end.

%% Describes an error of the function that starts a child. Empty if there is none.
-spec problem(module(), atom(), arity(), boolean()) -> unicode:chardata().
problem(M, F, Arity, IsTemplate) ->
    case code:ensure_loaded(M) of
        {module, _} ->
            Arities = [A || {Name, A} <- M:module_info(exports), Name =:= F],
            case [A || A <- Arities, A =:= Arity orelse (IsTemplate andalso A > Arity)] of
                [_ | _] -> "";
                [] when Arities =:= [] -> io_lib:format("`~tp` has no function `~tp`", [M, F]);
                [] -> io_lib:format("`~tp:~tp` has no arity ~b, but ~ts", [M, F, Arity, listed(Arities)])
            end;
        {error, nofile} ->
            io_lib:format("there is no module `~tp`", [M]);
        {error, Reason} ->
            io_lib:format("the module `~tp` cannot be loaded: ~tp", [M, Reason])
    end.

%% Describes an error of the name that a child registers, or of its group. Empty if there is none.
-spec problem_of_name(term(), none | map(), #asking{}) -> unicode:chardata().
problem_of_name(Name, #{group := Group} = Isolation, #asking{groups = Groups} = Asking) ->
    case Groups of
        #{Group := Other} when Other =/= Isolation ->
            io_lib:format("its group `~tp` has other limits already: `~0tp`", [Group, Other]);
        _ ->
            problem_of_name(Name, Asking)
    end;
problem_of_name(Name, none, Asking) ->
    problem_of_name(Name, Asking).

%% Describes an error of the name that a child registers. Empty if there is none.
-spec problem_of_name(term(), #asking{}) -> unicode:chardata().
problem_of_name(none, _) -> "";
problem_of_name(undefined, _) -> "no process can have the name `undefined`";
problem_of_name({via, Module, _}, _) when is_atom(Module) -> problem_of_registry(Module);
problem_of_name(Name, #asking{own = Own, names = Names}) ->
    case {lists:member(Name, Own), Names} of
        {true, _} -> io_lib:format("a process of Erlang/OTP has the name `~tp`", [Name]);
        {false, #{Name := Id}} -> io_lib:format("`~tp` has the name `~tp` already", [Id, Name]);
        {false, _} -> ""
    end.

-spec problem_of_registry(module()) -> unicode:chardata().
problem_of_registry(Module) ->
    case code:ensure_loaded(Module) of
        {module, _} ->
            case erlang:function_exported(Module, register_name, 2) of
                true -> "";
                false -> io_lib:format("`~tp`, which is to register its name, has no function `register_name/2`", [Module])
            end;
        _ ->
            io_lib:format("there is no module `~tp`, which is to register its name", [Module])
    end.

-spec listed([arity()]) -> iolist().
listed(Arities) -> lists:join(" and ", [integer_to_list(A) || A <- lists:sort(Arities)]).

%% Prints the line of a process without flags: it is not a supervisor, or its flags are unknown.
-spec declared(#child{}, non_neg_integer(), #asking{}) -> #asking{}.
declared(Child, Depth, Asking) -> declared(Child, Depth, ["", "", ""], Asking).

-spec declared(#child{}, non_neg_integer(), [unicode:chardata()], #asking{}) -> #asking{}.
declared(#child{kind = Kind, name = Name, id = Id, module = Module} = Child, Depth, Facts, #asking{out = Out} = Asking) ->
    #child{start = Start, restart = Restart, shutdown = Shutdown, state = State, problem = Problem, registered = Given} = Child,
    Registered = case Given of none -> ""; _ -> text(Given) end,
    Process = [atom_to_list(Kind), text(Name), text(Id), text(Module), Start, Restart, Shutdown, State, Problem, Registered],
    line(Out, ["declared", integer_to_list(Depth)] ++ Process ++ Facts),
    Asking.

-spec omitted(file:io_device(), non_neg_integer(), unicode:chardata()) -> ok.
omitted(Out, Depth, Text) -> line(Out, ["omitted", integer_to_list(Depth), Text]).

%% Prints one line, without tabs inside fields.
-spec line(file:io_device(), [unicode:chardata()]) -> ok.
line(Out, Fields) ->
    Plain = [re:replace(Field, "[\t\n]+", " ", [global, unicode, {return, binary}]) || Field <- Fields],
    io:put_chars(Out, [lists:join("\t", Plain), "\n"]).

-spec text(term()) -> unicode:chardata().
text(Term) -> io_lib:format("~0tp", [Term], [{chars_limit, ?TERM}]).
