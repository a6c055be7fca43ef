%% Loads libraries that do not belong to the application.
-module(native).
-export([load/2]).

%% Returns whether the module's library was built. If so, the library is loaded.
-spec load(module(), rounds:options()) -> boolean().
load(Module, #{libraries := Folder}) ->
    Library = filename:join(Folder, atom_to_list(Module)),
    filelib:is_regular(Library ++ ".so") andalso loaded(Module:load(Library));
load(_, _) ->
    false.

loaded(ok) -> true;
loaded({error, {reload, _}}) -> true.
