%% A behaviour of this application only: it walks over a tree.
-module(visitor).
-export([walk/3]).
-export_type([tree/0]).

-type tree() :: {leaf, non_neg_integer()} | {node, [tree()]}.

-callback init(Args :: term()) -> {ok, State :: term()} | {error, Reason :: term()}.

-callback visit(Number :: non_neg_integer(), State :: term()) ->
    {go_on, NewState :: term()} | {answer, Answer :: non_neg_integer()}.

-callback handle_end(tree(), State :: term()) -> {answer, Answer :: non_neg_integer()} | none.

-optional_callbacks([handle_end/2]).

%% Calls `Module` for each leaf, from left to right.
-spec walk(module(), term(), tree()) -> {answer, non_neg_integer()} | none | {error, term()}.
walk(Module, Args, Tree) ->
    case Module:init(Args) of
        {ok, State} -> visited(Module, Tree, visit(Module, Tree, {go_on, State}));
        {error, Reason} -> {error, Reason}
    end.

-spec visit(module(), tree(), Before) -> Before when
    Before :: {go_on, term()} | {answer, non_neg_integer()}.
visit(Module, {leaf, Number}, {go_on, State}) -> Module:visit(Number, State);
visit(Module, {node, Trees}, {go_on, State}) ->
    lists:foldl(fun(Tree, Before) -> visit(Module, Tree, Before) end, {go_on, State}, Trees);
visit(_, _, {answer, Answer}) -> {answer, Answer}.

-spec visited(module(), tree(), {go_on, term()} | {answer, non_neg_integer()}) ->
    {answer, non_neg_integer()} | none.
visited(Module, Tree, {go_on, State}) ->
    case erlang:function_exported(Module, handle_end, 2) of
        true -> Module:handle_end(Tree, State);
        false -> none
    end;
visited(_, _, {answer, Answer}) -> {answer, Answer}.
