%% A type and one of another module are alternatives of each other.
-module(alternatives).
-export_type([t/1, alone/0, step/1, steps/0, wrapped/0]).

-type t(A) :: {x, A} | other_alternatives:t(A) | b.
-type alone() :: other_alternatives:alone().

%% A parameter makes a type one of its own alternatives.
-type step(T) :: #{next := step(T) | T, others => steps()} | T.
-type steps() :: step(steps()) | step(step(steps())) | {done}.
-type wrapped() :: step(other_alternatives:same(wrapped())) | none.
