%% Starts the process `otp_rs` again when that ends. It is a temporary child of kernel's supervisor
%% for what may end, so that its own end does not end the node. The module is the same in every
%% application.
-module(otp_rs_sup).
-behaviour(supervisor).
-export([start/0, start_link/0, init/1]).

%% Has kernel's supervisor start this one, unless it runs.
-spec start() -> ok.
start() ->
    Child = #{id => ?MODULE, start => {?MODULE, start_link, []}, restart => temporary, type => supervisor},
    _ = try supervisor:start_child(kernel_safe_sup, Child) catch exit:_ -> ok end,
    ok.

-spec start_link() -> supervisor:startlink_ret().
start_link() ->
    supervisor:start_link({local, ?MODULE}, ?MODULE, []).

-spec init([]) -> {ok, {supervisor:sup_flags(), [supervisor:child_spec()]}}.
init([]) ->
    {ok, {#{intensity => 50, period => 1}, [#{id => otp_rs, start => {otp_rs_helper, start_link, []}}]}}.
