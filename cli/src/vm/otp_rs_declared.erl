%% The supervision trees that applications declare, in a VM of its own. No process of theirs is started: a supervisor's
%% `init/1` is called, which only says what its children are.
-module(otp_rs_declared).
-export([main/1]).

%% Milliseconds for one `init/1`.
-define(INIT, 5000).

%% The deepest supervisors that are asked, the most lines, and the most characters of a name.
-define(DEEPEST, 100).
-define(MOST, 10000).
-define(NAME, 200).

%% The functions that start a process of OTP's behaviours by its callback module.
-define(IS_OTP(Module), (Module =:= supervisor orelse Module =:= supervisor_bridge orelse Module =:= gen_server
    orelse Module =:= gen_statem orelse Module =:= gen_event)).

-record(application, {name :: atom(), how :: string(), root :: module()}).

%% A child as its supervisor declares it. `arguments` are those of its `init/1` if it is a supervisor whose arguments are known.
-record(child, {
    id :: term(), name :: term(), kind :: supervisor | worker, module :: module() | undefined, start = "" :: unicode:chardata(),
    restart = "" :: unicode:chardata(), shutdown = "" :: unicode:chardata(), state = "" :: string(),
    arguments = unknown :: unknown | {known, term()}
}).

%% A file for the answer; for each application how it is started, its name, its library's module and its root
%% supervisor; and after `--` the command line.
-spec main([string()]) -> no_return().
main([File | Rest]) ->
    {Given, [_ | Texts]} = lists:splitwith(fun(Text) -> Text =/= "--" end, Rest),
    CommandLine = [unicode:characters_to_binary(Text) || Text <- Texts],
    Applications = applications(Given),
    put(left, ?MOST),
    Main = lists:last(Applications),
    Lines = [tree(One, arguments(One, Main, CommandLine), Applications) || #application{how = "start"} = One <- Applications],
    ok = file:write_file(File, unicode:characters_to_binary(Lines)),
    halt(0).

-spec applications([string()]) -> [#application{}].
applications([How, Name, Library, Root | Rest]) ->
    ok = otp_rs:ensure_started(list_to_atom(Library)),
    [#application{name = list_to_atom(Name), how = How, root = list_to_atom(Root)} | applications(Rest)];
applications([]) ->
    [].

%% What the application gives its root supervisor.
-spec arguments(#application{}, #application{}, [binary()]) -> term().
arguments(Main, Main, CommandLine) -> CommandLine;
arguments(#application{name = Name}, _, _) -> application:get_env(Name, arguments, []).

-spec tree(#application{}, term(), [#application{}]) -> unicode:chardata().
tree(#application{name = Name, root = Root}, Arguments, Applications) ->
    Child = #child{id = Root, name = Root, kind = supervisor, module = Root, arguments = {known, Arguments}},
    ["application\t", text(Name), "\n" | child(Child, 0, Applications)].

-spec child(#child{}, non_neg_integer(), [#application{}]) -> unicode:chardata().
child(Child, Depth, Applications) ->
    case put(left, get(left) - 1) of
        Left when Left > 0 -> shown(Child, Depth, Applications);
        0 -> omitted(Depth, "more processes");
        _ -> []
    end.

-spec shown(#child{}, non_neg_integer(), [#application{}]) -> unicode:chardata().
shown(#child{kind = worker} = Child, Depth, _) ->
    line(Child, Depth, ["", "", ""]);
shown(Child, ?DEEPEST, _) ->
    [line(Child, ?DEEPEST, ["", "", ""]), omitted(?DEEPEST + 1, "deeper children")];
shown(#child{arguments = unknown, start = Start} = Child, Depth, _) ->
    [line(Child, Depth, ["", "", ""]), omitted(Depth + 1, ["children unknown, started by ", Start])];
shown(#child{module = Module, arguments = {known, Arguments}} = Child, Depth, Applications) ->
    case declared(Module, Arguments) of
        {ok, {Flags, Specs}} ->
            [Strategy | _] = Facts = flags(Flags),
            Children = [child(read(Spec, Strategy, Applications), Depth + 1, Applications) || Spec <- Specs],
            [line(Child, Depth, Facts) | Children];
        ignore ->
            line(Child#child{state = "ignore"}, Depth, ["", "", ""]);
        {error, Text} ->
            [line(Child, Depth, ["", "", ""]), failed(Depth + 1, Module, Text)]
    end.

%% What the supervisor says of its children, in a process that ends with it.
-spec declared(module(), term()) -> {ok, {term(), [term()]}} | ignore | {error, unicode:chardata()}.
declared(Module, Arguments) ->
    Self = self(),
    {Pid, Monitor} = spawn_monitor(fun() -> Self ! {self(), Module:init(Arguments)} end),
    receive
        {Pid, {ok, {_, Specs}} = Declared} when is_list(Specs) -> forget(Monitor), Declared;
        {Pid, ignore} -> forget(Monitor), ignore;
        {Pid, Other} -> forget(Monitor), {error, io_lib:format("it returns ~0tP", [Other, 20])};
        {'DOWN', Monitor, process, Pid, Reason} -> {error, text(reason(Reason))}
    after ?INIT ->
        exit(Pid, kill),
        forget(Monitor),
        {error, "it has not returned"}
    end.

-spec forget(reference()) -> true.
forget(Monitor) ->
    demonitor(Monitor, [flush]).

-spec reason(term()) -> term().
reason({Reason, [{_, _, _, _} | _]}) -> reason(Reason);
reason({panic, #{message := Message}}) -> Message;
reason(Reason) -> Reason.

-spec flags(term()) -> [unicode:chardata()].
flags({Strategy, Intensity, Period}) ->
    flags(#{strategy => Strategy, intensity => Intensity, period => Period});
flags(Flags) when is_map(Flags) ->
    [text(maps:get(Key, Flags, Default)) || {Key, Default} <- [{strategy, one_for_one}, {intensity, 1}, {period, 5}]].

%% A child spec: a map, or a tuple as before OTP 18.
-spec read(term(), unicode:chardata(), [#application{}]) -> #child{}.
read({Id, Start, Restart, Shutdown, Kind, _}, Strategy, Applications) ->
    Spec = #{id => Id, start => Start, restart => Restart, shutdown => Shutdown, type => Kind},
    read(Spec, Strategy, Applications);
read(#{id := Id, start := {Module, Function, Arguments}} = Spec, Strategy, Applications) ->
    Kind = maps:get(type, Spec, worker),
    Limit = case Kind of supervisor -> infinity; worker -> 5000 end,
    {Name, Callbacks, Given} = process(Module, Arguments, Applications),
    #child{
        id = Id,
        name = case Name of none -> Id; _ -> Name end,
        kind = Kind,
        module = Callbacks,
        start = io_lib:format("~tp:~tp/~b", [Module, Function, length(Arguments)]),
        restart = text(maps:get(restart, Spec, permanent)),
        shutdown = text(maps:get(shutdown, Spec, Limit)),
        state = case lists:flatten(Strategy) of "simple_one_for_one" -> "template"; _ -> "" end,
        arguments = Given
    }.

%% The name that a child registers, its callback module, and what its `init/1` is given.
-spec process(module(), [term()], [#application{}]) -> {term(), module(), unknown | {known, term()}}.
process(Behaviour, Arguments, _) when ?IS_OTP(Behaviour) ->
    {Name, Rest} = named(Arguments),
    case {Behaviour, Rest} of
        {supervisor, [Module, Given]} when is_atom(Module) -> {Name, Module, {known, Given}};
        {_, [Module | _]} when is_atom(Module) -> {Name, Module, unknown};
        _ -> {Name, Behaviour, unknown}
    end;
process(Module, Arguments, Applications) ->
    case [Root || #application{name = App, root = Root} <- Applications, Module =:= started_by(App)] of
        [Root | _] ->
            {Root, Root, {known, lists:last(Arguments)}};
        [] ->
            {Name, Rest} = named(Arguments),
            case is_ours(Module) of
                true when Rest =/= [] -> {Name, Module, {known, hd(Rest)}};
                _ -> {Name, Module, unknown}
            end
    end.

%% The module that starts the root supervisor of an application that another one includes.
-spec started_by(atom()) -> atom().
started_by(Application) ->
    list_to_atom(atom_to_list(Application) ++ "_app").

%% The name may come before the other arguments.
-spec named([term()]) -> {term(), [term()]}.
named([{local, Name} | Rest]) -> {Name, Rest};
named([{global, Name} | Rest]) -> {{global, Name}, Rest};
named([{via, Module, Name} | Rest]) -> {{via, Module, Name}, Rest};
named(Arguments) -> {none, Arguments}.

%% A supervisor that is written in Rust: its start functions take the argument of `init/1`.
-spec is_ours(module()) -> boolean().
is_ours(Module) ->
    case code:ensure_loaded(Module) of
        {module, Module} ->
            Attributes = Module:module_info(attributes),
            lists:keymember(otp_rs, 1, Attributes) andalso
                lists:member(supervisor, proplists:get_value(behaviour, Attributes, []));
        _ ->
            false
    end.

-spec failed(non_neg_integer(), module(), unicode:chardata()) -> unicode:chardata().
failed(Depth, Module, Text) ->
    ["failed\t", integer_to_list(Depth), "\t", text(Module), "\t", one_line(Text), "\n"].

-spec omitted(non_neg_integer(), unicode:chardata()) -> unicode:chardata().
omitted(Depth, Text) ->
    ["omitted\t", integer_to_list(Depth), "\t", Text, "\n"].

-spec line(#child{}, non_neg_integer(), [unicode:chardata()]) -> unicode:chardata().
line(#child{kind = Kind, name = Name, id = Id, module = Module} = Child, Depth, Facts) ->
    #child{start = Start, restart = Restart, shutdown = Shutdown, state = State} = Child,
    Fields = [integer_to_list(Depth), atom_to_list(Kind), text(Name), text(Id), text(Module), Start, Restart, Shutdown, State],
    ["declared\t", lists:join("\t", Fields ++ Facts), "\n"].

%% One line without a tab: `~tp` escapes both.
-spec text(term()) -> unicode:chardata().
text(Term) -> io_lib:format("~0tp", [Term], [{chars_limit, ?NAME}]).

-spec one_line(unicode:chardata()) -> unicode:chardata().
one_line(Text) ->
    lists:map(fun(C) when C < $\s -> $\s; (C) -> C end, unicode:characters_to_list(Text)).
