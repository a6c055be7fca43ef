%% `undefined | T`: an option where nothing else can be meant by `undefined`.
-module(absent).
-export([accepted/0, refused/0]).
-export_type([owner/0, last/0, any_atom/0, anything/0, three/0, twice/0, listed/0, in_record/0, none_or/0]).

-record(session, {user :: binary() | undefined, owner :: undefined | pid(), seen = [] :: [undefined | float()]}).

-type owner() :: undefined | pid().
-type last() :: integer() | undefined.
-type any_atom() :: undefined | atom().
-type anything() :: undefined | term().
-type three() :: undefined | infinity | pos_integer().
-type twice() :: undefined | owner().
-type listed() :: [owner()] | undefined.
-type in_record() :: #session{}.
-type none_or() :: none | {some, owner()}.

accepted() ->
    [{owner, undefined}, {owner, self()}, {last, undefined}, {last, -5}, {any_atom, undefined}, {any_atom, other}, {anything, undefined},
     {anything, {}}, {three, undefined}, {three, infinity}, {three, 1}, {twice, undefined}, {twice, self()}, {listed, undefined},
     {listed, [undefined, self()]}, {in_record, #session{}}, {in_record, #session{user = <<"u">>, owner = self(), seen = [1.0, undefined]}},
     {none_or, none}, {none_or, {some, undefined}}].

refused() ->
    [{owner, nil, "1: expected undefined | pid(), got nil"},
     {last, 1.0, "1: expected undefined | integer(), got 1.0"},
     {three, 0, "1: expected undefined | infinity | pos_integer(), got 0"},
     {listed, [self(), a], "1[1]: expected undefined | pid(), got a"},
     {in_record, {session, "u", undefined, []}, "1.1: expected undefined | binary(), got \"u\""},
     {in_record, {session, undefined, undefined, [1]}, "1.3[0]: expected undefined | float(), got 1"},
     {none_or, {some, none}, "1.1: expected undefined | pid(), got none"}].
