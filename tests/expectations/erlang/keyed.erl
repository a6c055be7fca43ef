%% Maps: mandatory, optional and other keys.
-module(keyed).
-export([accepted/0, refused/0]).
-export_type([
    empty/0, any_map/0, point/0, options/0, both/0, open/0, by_name/0, numbered/0, odd_keys/0, nested/0, all_optional_open/0,
    mandatory_general/0, optional_undefined/0, shadowed/0, shadowed_mandatory/0, not_shadowed/0, shadowed_by_name/0
]).

-type empty() :: #{}.
-type any_map() :: map().
-type point() :: #{x := integer(), y := integer()}.
-type options() :: #{timeout => timeout(), retries => 0..9}.
-type both() :: #{name := binary(), type => worker | supervisor, new => boolean()}.
-type open() :: #{level := debug | info, atom() => term()}.
-type all_optional_open() :: #{level => debug | info, binary() => integer()}.
-type by_name() :: #{atom() => pid()}.
-type numbered() :: #{0..9 := [by_name()]}.
-type odd_keys() :: #{'Upper' := 1, 'two words' => 2, 'rest' => 3, self => 4, '' => 5}.
-type nested() :: #{inner := #{deep := #{value := float()}}}.
-type mandatory_general() :: #{known := a, integer() := b}.
-type optional_undefined() :: #{pid => undefined | pid()}.
-type shadowed() :: #{atom() => integer(), b => binary()}.
-type shadowed_mandatory() :: #{term() => integer(), b := binary(), c => float()}.
-type not_shadowed() :: #{b => binary(), atom() => integer()}.
-type name() :: c | d.
-type shadowed_by_name() :: #{binary() | name() => integer(), b := binary(), c => float()}.

accepted() ->
    [{empty, #{}}, {any_map, #{1 => 2}}, {point, #{x => 1, y => -1}}, {options, #{}}, {options, #{retries => 9}},
     {options, #{retries => 0, timeout => infinity}}, {both, #{name => <<"n">>}},
     {both, #{name => <<"n">>, type => worker, new => false}}, {open, #{level => info}},
     {open, #{level => debug, mine => #{}, yours => 1}}, {all_optional_open, #{}},
     {all_optional_open, #{level => info, <<"a">> => 1}}, {by_name, #{}}, {by_name, #{me => self()}},
     {numbered, #{1 => [], 2 => [#{a => self()}]}},
     {odd_keys, #{'Upper' => 1, 'two words' => 2, rest => 3, self => 4, '' => 5}}, {odd_keys, #{'Upper' => 1}},
     {nested, #{inner => #{deep => #{value => 0.5}}}}, {mandatory_general, #{known => a, 7 => b}},
     {optional_undefined, #{}}, {optional_undefined, #{pid => undefined}}, {optional_undefined, #{pid => self()}},
     {shadowed, #{a => 1, b => 2}}, {shadowed_mandatory, #{b => 1, 2 => 3}}, {not_shadowed, #{a => 1, b => <<>>}},
     {shadowed_by_name, #{b => <<>>, c => 1, d => 2, <<>> => 3}}].

refused() ->
    [{empty, #{a => 1}, "1: expected #{}, got #{a => 1}"},
     {point, #{x => 1}, "1.y: expected integer(), got no such key in #{x => 1}"},
     {point, #{x => 1, y => a}, "1.y: expected integer(), got a"},
     {point, #{x => 1, y => 2, z => 3}, "1.z: expected no such key (known: x, y), got 3"},
     {options, #{retry => 1}, "1.retry: expected no such key (known: timeout, retries), got 1"},
     {options, #{retries => 10}, "1.retries: expected 0..9, got 10"},
     {both, #{name => "n"}, "1.name: expected binary(), got \"n\""},
     {open, #{mine => 1}, "1.level: expected debug | info, got no such key"},
     {open, #{level => info, 1 => 2}, "1.1: expected atom(), got 1"},
     {by_name, #{me => you}, "1.me: expected pid(), got you"},
     {numbered, #{10 => []}, "1.10: expected 0..9, got 10"},
     {odd_keys, #{'Upper' => 2}, "1.Upper: expected 1, got 2"},
     {nested, #{inner => #{deep => #{value => 1}}}, "1.inner.deep.value: expected float(), got 1"},
     {mandatory_general, #{known => a, 7 => c}, "1.7: expected b, got c"},
     {shadowed, #{b => <<>>}, "1.b: expected integer(), got <<>>"},
     {shadowed_mandatory, #{c => 1}, "1.b: expected integer(), got no such key"},
     {shadowed_mandatory, #{b => <<>>}, "1.b: expected integer(), got <<>>"},
     {not_shadowed, #{b => 1}, "1.b: expected binary(), got 1"},
     {shadowed_by_name, #{b => <<>>, c => 1.0}, "1.c: expected integer(), got 1.0"}].
