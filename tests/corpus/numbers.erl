%% Tuples with numbers of a range beside tuples that may have the same numbers. A union offers
%% conversions for them only as far as the types inside have them.
-module(numbers).
-export([merge/2, shift/1]).
-export_type([date/0, moment/0, path/0, step/0, depth/0, deep/0, span/0, timing/0]).

-type date() :: {non_neg_integer(), 1..12, 1..31}.
-type moment() :: date() | {integer(), 1..12, 1..31}.
-type branch() :: {Key :: term(), Value :: term()}.
-type path() :: {Start :: pos_integer(), branch()}.
-type tree_node() :: {Depth :: pos_integer(), [branch()]}.
-type step() :: tree_node() | path().
-type depth() :: {neg_integer(), string()} | {pos_integer(), string()}.
-type deep() :: depth() | step() | {1..9, nonempty_list(atom())}.
-type span() :: moment() | {date(), date()} | {pos_integer(), date()}.

-spec merge(path() | tree_node(), date() | moment()) -> tree_node() | path().
merge(Path, _) -> Path.

-spec shift(span() | {0..9, 1..12, 1..31}) -> {pos_integer(), 1..12, neg_integer()} | deep().
shift(_) -> {1, []}.

%% A default that is not a value of the field's type: `0` is no float.
-record(timing, {at = 0 :: float(), rate = 0 :: number(), limit = -1 :: non_neg_integer(), zone = utc :: 0..9}).
-type timing() :: #timing{} | #timing{rate :: float()}.
