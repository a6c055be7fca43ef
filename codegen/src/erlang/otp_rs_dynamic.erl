%% The supervisor behind a `DynamicSupervisor` of Rust: its flags and its template are arguments.
%% The module is the same in every application.
-module(otp_rs_dynamic).
-behaviour(supervisor).
-export([start_link/2, init/1]).
-export_type([supervision/0]).

-type supervision() :: {supervisor:sup_flags(), [supervisor:child_spec()]}.

-spec start_link({local, atom()}, supervision()) -> supervisor:startlink_ret().
start_link(Name, Supervision) ->
    supervisor:start_link(Name, ?MODULE, Supervision).

-spec init(supervision()) -> {ok, supervision()}.
init(Supervision) ->
    {ok, Supervision}.
