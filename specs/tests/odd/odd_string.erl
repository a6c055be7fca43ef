-module(odd_string).
-type a() :: a.
f() -> "no end.
-type b() :: b.
