%% A type and one of another module are alternatives of each other.
-module(alternatives).
-export_type([t/1, alone/0]).

-type t(A) :: {x, A} | other_alternatives:t(A) | b.
-type alone() :: other_alternatives:alone().
