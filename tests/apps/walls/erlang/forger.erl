%% Sends frames that no child sends, from a VM of isolated children.
-module(forger).
-export([forge/1]).

-spec forge(atom()) -> ok.
forge(What) ->
    [Socket | _] = [Port || Port <- erlang:ports(), erlang:port_info(Port, name) =:= {name, "tcp_inet"}],
    _ = frame(What, Socket),
    receive after 60000 -> ok end.

frame(kind, Socket) -> send(Socket, <<0:64, 77>>);
frame(nothing, Socket) -> send(Socket, <<>>);
frame(reply, Socket) -> send(Socket, [<<0:64, 2, 12345:64>>, term_to_binary(ok)]);
frame(term, Socket) -> send(Socket, <<0:64, 2, 0:64, 131, 99, 99>>);
frame(atom, Socket) -> send(Socket, [<<0:64, 2, 0:64>>, term_to_binary(list_to_atom("unheard_of_" ++ os:getpid()))]);
frame(compressed, Socket) -> send(Socket, [<<0:64, 2, 0:64>>, term_to_binary(lists:duplicate(1000, 0), [compressed])]);
%% A process of the other VM that this one was not told of: the first one there.
frame(process, Socket) -> send(Socket, [<<0:64, 5, 131, 104, 2>>, first(), <<97, 1>>]);
frame(large, Socket) -> ok = inet:setopts(Socket, [{packet, 0}]), send(Socket, <<16#7fffffff:32, 0:64>>).

first() ->
    <<88, 100, 13:16, "nonode@nohost", 0:32, 0:32, 0:32>>.

send(Socket, Bytes) ->
    prim_inet:send(Socket, iolist_to_binary(Bytes)).
