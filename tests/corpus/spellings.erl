%% Callbacks, types, records and keys whose names have one spelling in Rust.
-module(spellings).
-export_type([foo_bar/0, fooBar/0, 'FooBar'/0, 'foo-bar'/0, records/0]).

-record(fooBar, {'fooBar', foo_bar, 'FooBar' = 1, 'foo-bar', 'type', 'self', 'Self', '_', 'a b', '1'}).
-record('FooBar', {x :: #fooBar{}}).
-record(foo_bar, {x :: #'FooBar'{} | undefined, y :: #foo_bar{} | nil}).

-type foo_bar() :: foo_bar | fooBar | 'FooBar' | 'foo-bar' | 'foo.bar' | 'FOO_BAR' | foo__bar | 'foo bar'.
-type fooBar() :: {foo_bar, 1} | {fooBar, 2} | {'FooBar', 3} | {'foo-bar', 4}.
-type 'FooBar'() :: #{foo_bar := 1, fooBar := 2, 'FooBar' => 3, 'foo-bar' => 4}.
-type 'foo-bar'() :: foo_bar() | fooBar() | 'FooBar'().
-type records() :: #fooBar{} | #'FooBar'{} | #foo_bar{}.

-callback init(Args :: any()) -> {ok, State :: any()}.
-callback fn(foo_bar(), State :: any()) -> {ok, State :: any()}.
-callback 'Fn'(fooBar(), State :: any()) -> {noreply, State :: any()} | {stop, any(), State :: any()}.
-callback foo_bar(integer(), State :: any()) -> State :: any().
-callback fooBar(integer()) -> ok.
-callback fooBar(integer(), binary()) -> ok.
-callback 'foo-bar'(records()) -> records().
-callback type(foo_bar()) -> foo_bar().
-callback type_(fooBar()) -> fooBar() | none.
