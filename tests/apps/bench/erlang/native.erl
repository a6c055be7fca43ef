%% Libraries that are not the application's own.
-module(native).
-export([load/2]).

%% Whether the module's library was built, and is loaded now.
-spec load(module(), rounds:options()) -> boolean().
load(Module, #{libraries := Folder}) ->
    Library = filename:join(Folder, atom_to_list(Module)),
    filelib:is_regular(Library ++ ".so") andalso loaded(Module:load(Library));
load(_, _) ->
    false.

loaded(ok) -> true;
loaded({error, {reload, _}}) -> true.
