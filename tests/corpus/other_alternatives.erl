-module(other_alternatives).
-export_type([t/1, alone/0, list/0, same/1]).

-type t(B) :: {y, B} | alternatives:t(B) | [alternatives:t(B)].
-type alone() :: alternatives:alone().
-type list() :: [list() | t(list())].
-type same(T) :: undefined | T.
