#!/usr/bin/env escript
%% Sends binaries to a server of the application `octets`, and gets them back. Prints one `key=term`
%% per line.
-mode(compile).
-include("observe.hrl").

-define(MB, (1 bsl 20)).

main([Ebin]) ->
    begin_with(octets, Ebin),
    {ok, Cellar} = cellar:start_link({}, []),
    values(Cellar),
    into_rust(Cellar),
    parts_into_rust(Cellar),
    out_of_rust(Cellar),
    there_and_back(Cellar),
    appended(Cellar),
    chain(Cellar),
    borrowed(Cellar),
    iodata(Cellar),
    state(Cellar),
    say(aligned, call(Cellar, aligned)),
    init:stop().

%% Binaries of every size and kind come back unchanged.
values(Cellar) ->
    Sizes = [0, 1, 63, 64, 65, 511, 512, 513, 5000, ?MB],
    Wholes = [pattern(Size) || Size <- Sizes],
    Shifted = [begin <<_:3, Bits:Size/binary, _:5>> = <<0:3, Whole/binary, 0:5>>, Bits end
               || Whole <- Wholes, Size <- [byte_size(Whole)]],
    Same = [begin ok = call(Cellar, {put, v, Binary}), call(Cellar, {get, v}) =:= Binary end || Binary <- Wholes ++ Shifted],
    say(values, lists:usort(Same)),
    Iodata = begin ok = call(Cellar, {put, v, lists:last(Wholes)}), call(Cellar, {parts, v, 100000}) end,
    say(parts, {length(Iodata), iolist_to_binary(Iodata) =:= lists:last(Wholes)}),
    ok = call(Cellar, {drop, v}).

pattern(Size) -> << <<(I * I rem 251)>> || I <- lists:seq(1, Size) >>.

%% Rust and this process own one binary, until Rust drops it.
into_rust(Cellar) ->
    Binary = binary:copy(<<"x">>, ?MB),
    Owners = fun() -> garbage_collect(Cellar), garbage_collect(), owners(Binary) end,
    Before = Owners(),
    ok = call(Cellar, {put, in, Binary}),
    During = Owners(),
    ok = call(Cellar, {drop, in}),
    After = Owners(),
    ok = call(Cellar, {put, in, Binary}),
    true = call(Cellar, {drop_on_thread, in}),
    say(into_rust, {Before, During, After, Owners()}),
    say(into_rust_size, byte_size(Binary)).

%% Returns the number of owners of the only large binary of this process.
owners(Binary) ->
    {binary, Binaries} = process_info(self(), binary),
    [Owners] = lists:usort([Owners || {_, Size, Owners} <- Binaries, Size =:= byte_size(Binary)]),
    Owners.

parts_into_rust(Cellar) ->
    Binary = binary:copy(<<"x">>, ?MB),
    ok = call(Cellar, {put, whole, Binary}),
    ok = call(Cellar, {put, part, binary:part(Binary, 1000, 2000)}),
    ok = call(Cellar, {put, small, binary:part(Binary, 1000, 100)}),
    Whole = call(Cellar, {address, whole}),
    say(part_into_rust, call(Cellar, {address, part}) - Whole),
    Small = call(Cellar, {address, small}),
    say(small_is_copied, Small < Whole orelse Small > Whole + ?MB),
    [ok = call(Cellar, {drop, Key}) || Key <- [whole, part, small]].

%% Large binaries in iodata stay separate parts, in both directions.
iodata(Cellar) ->
    Large = pattern(5000),
    ok = call(Cellar, {put, large, Large}),
    say(is_shared, [call(Cellar, {is_shared, large, It}) || It <- [Large, binary:copy(Large)]]),
    say(gathered, [call(Cellar, {gathered, large, It}) || It <- [Large, [<<"a">>, $b, [Large | <<"c">>]], ["abc", <<"d">>], []]]),
    Scattered = call(Cellar, {scattered, large}),
    say(scattered, {[byte_size(It) || It <- Scattered], iolist_to_binary(Scattered) =:= <<"head", Large/binary, Large/binary>>}),
    ok = call(Cellar, {drop, large}),
    say(nothing, call(Cellar, {scattered, large})).

%% A clause and a function borrow from the binary itself, even if the term contains only a part of
%% it, and on any kind of scheduler.
borrowed(Cellar) ->
    Binary = binary:copy(<<"abcdefgh">>, 1000),
    ok = call(Cellar, {put, borrowed, Binary}),
    Kept = [call(Cellar, {is_kept, borrowed, It}) || It <- [Binary, binary:copy(Binary), binary:part(Binary, 1, 100)]],
    ok = call(Cellar, {drop, borrowed}),
    say(is_kept, Kept),
    <<_:3, Shifted:800/binary, _/bitstring>> = Binary,
    say(sum, {borrowed:sum(<<1, 2, 3>>), borrowed:sum(<<>>), borrowed:sum(Binary), borrowed:sum(Shifted) =:= borrowed:sum(binary:copy(Shifted))}),
    say(distance, {borrowed:distance(Binary, binary:part(Binary, 7, 90)), borrowed:reach([Binary, <<>>, binary:part(Binary, 80, 90)])}),
    Long = binary:copy(<<"abcdefgh">>, 1 bsl 17),
    {Text, Before, Caller} = borrowed:excerpt({8, 11, Binary}),
    say(excerpt, {Text, Before, Caller =:= self(), element(2, borrowed:excerpt({1 bsl 19, 1 bsl 20, Long}))}),
    <<_:3, Moved:4000/binary, _/bitstring>> = Binary,
    say(again, [again(It) || It <- [Binary, Long, binary:part(Long, 10, 4000), Moved]]),
    say(not_borrowed, [refused(Function, Argument) || {Function, Argument} <- [{sum, [1, 2]}, {sum, <<1:3>>}, {reach, [<<255>>]}]]),
    collected().

%% If a function returns bytes of its argument, the result is the same term, or a part of its
%% binary. Parts that begin within a byte are copied.
again(Binary) ->
    Before = binary:referenced_byte_size(Binary),
    {Whole, Part, Copy} = borrowed:again(Binary),
    IsSame = erts_debug:same(Whole, Binary),
    Parts = {binary:referenced_byte_size(Part) =:= Before, Part =:= binary:part(Binary, byte_size(Binary) div 4, byte_size(Part))},
    garbage_collect(),
    {IsSame, Parts, Copy =:= Binary}.

refused(Function, Argument) ->
    try borrowed:Function(Argument) catch error:Reason -> Reason end.

%% Creates and collects terms while binaries are borrowed, in many processes at once.
collected() ->
    Lend = fun() ->
        [begin
             Parts = [integer_to_binary(I) || I <- lists:seq(N, N + 50)],
             0 = borrowed:distance(hd(Parts), hd(Parts)),
             {<<"1">>, 0, _} = borrowed:excerpt({0, 1, <<"1", (iolist_to_binary(Parts))/binary>>})
         end || N <- lists:seq(1, 2000)]
    end,
    Processes = [spawn_monitor(Lend) || _ <- lists:seq(1, 8)],
    Ended = [receive {'DOWN', Monitor, process, _, Reason} -> Reason end || {_, Monitor} <- Processes],
    say(collected, lists:usort(Ended)).

%% 60 MB of Rust's memory, which three binaries of a process share, exist once, and are released
%% when the process ends.
out_of_rust(Cellar) ->
    Start = memory(Cellar),
    {_, Holder} = spawn_monitor(fun() -> hold(Cellar, Start) end),
    receive {'DOWN', Holder, process, _, Reason} -> say(out_held, Reason) end,
    until(fun() -> megabytes(memory(Cellar) - Start) =:= 0 end),
    say(out_released, true).

hold(Cellar, Start) ->
    ok = call(Cellar, {make, out, 60 * ?MB}),
    Made = memory(Cellar),
    Binaries = [call(Cellar, {get, out}) || _ <- [1, 2, 3]],
    Got = memory(Cellar),
    ok = call(Cellar, {drop, out}),
    Kept = memory(Cellar),
    say(out_of_rust, {megabytes(Made - Start), megabytes(Got - Start), megabytes(Kept - Start)}),
    say(out_size, lists:usort([{byte_size(Binary), binary:last(Binary)} || Binary <- Binaries])).

memory(Cellar) ->
    garbage_collect(Cellar),
    garbage_collect(),
    erlang:memory(total).

megabytes(Bytes) -> round(Bytes / ?MB / 10) * 10.

%% Bytes of Rust that Erlang sends back are still owned by Rust.
there_and_back(Cellar) ->
    ok = call(Cellar, {make, mine, 100000}),
    ok = call(Cellar, {put, back, call(Cellar, {get, mine})}),
    <<_:1000/binary, Part/binary>> = call(Cellar, {get, mine}),
    ok = call(Cellar, {put, part, Part}),
    Mine = call(Cellar, {address, mine}),
    say(there_and_back, {call(Cellar, {address, back}) - Mine, call(Cellar, {address, part}) - Mine}),
    [ok = call(Cellar, {drop, Key}) || Key <- [mine, back, part]].

%% A binary that Rust has received does not change when Erlang appends to it.
appended(Cellar) ->
    First = lists:foldl(fun(I, Sofar) -> <<Sofar/binary, I>> end, <<>>, lists:duplicate(2000, 1)),
    ok = call(Cellar, {put, first, First}),
    Second = lists:foldl(fun(I, Sofar) -> <<Sofar/binary, I>> end, First, lists:duplicate(200000, 2)),
    say(appended, {call(Cellar, {get, first}) =:= binary:copy(<<1>>, 2000), byte_size(Second)}),
    ok = call(Cellar, {drop, first}).

%% A part of a part of a part …, which Rust and the VM own in turn, is dropped at once.
chain(Cellar) ->
    ok = call(Cellar, {make, chain, 30000}),
    [begin
         <<_, Rest/binary>> = call(Cellar, {get, chain}),
         ok = call(Cellar, {put, chain, Rest})
     end || _ <- lists:seq(1, 20000)],
    say(chain, byte_size(call(Cellar, {get, chain}))),
    ok = call(Cellar, {drop, chain}),
    garbage_collect(Cellar),
    garbage_collect(),
    say(chain_dropped, call(Cellar, {get, chain})).

%% The VM counts 100 MB of a state as its memory.
state(Cellar) ->
    Before = erlang:memory(system),
    ok = call(Cellar, {fill, 100 * ?MB}),
    Filled = erlang:memory(system),
    ok = call(Cellar, {fill, 0}),
    %% The VM counts memory that another thread frees a little later.
    say(state, {megabytes(Filled - Before), until(fun() -> megabytes(erlang:memory(system) - Before) =:= 0 end)}).
