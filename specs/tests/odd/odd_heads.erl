%% Names and heads of definitions are expressions to OTP's grammar: parentheses may stand around
%% them.
-module((odd_heads)).
-export([(f)/0, (g/1), (h)/(2)]).
-export_type([(t)/0, (u)/(1), ((v/0))]).
-export_type(([w/0])).
-behaviour((gen_server)).
-optional_callbacks([(f)/0, {(g), (1)}]).

-type(t()) :: ok.
-type (u(A)) :: A.
-type((v()) :: ok).
-type ((w()) :: ok).
-type (x)() :: ok.
-type ((y)((A), (((B))))) :: {A, B}.
-opaque (z()) :: (((ok))).
-type (((broken()) :: ok.
-type (broken) :: ok.
-type (broken)(a) :: ok.
-type (a, b) :: ok.

-record((r), {a}).
-record((((s))), {(a), (b) = 1, (c = 2), (d) :: integer(), (e = 3) :: integer(), ((f) = (4)), (g) = (5) :: t()}).
-record (q), {a = (1), b}.
-record(p, ({a, (b) = 1})).
-record((o), (({a}))).
-record((n, {a})).
-record(m, ({a :: integer()})).
-record({l}, {a}).
-record(k, {(a :: integer())}).
-record(j, {a = (b = 1), (c = (d = 2))}).
-record(i, {a = (((1))), b = (1) + (2), c = - (1), d = (- (1)), e = ((1) + 2), f = ([]), g = ("x" "y"), h = (f)()}).

-spec((i)() -> ok).
-spec (i)() -> ok.
-spec(i() -> ok).
-callback((i() -> ok)).
