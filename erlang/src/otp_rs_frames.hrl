%% The kinds of frames between a VM of isolated children and the VM of the supervisor. To the
%% children's VM:
-define(START, 1).
-define(CALL, 2).
-define(MESSAGE, 3).
-define(SIGNAL, 4).
-define(STOP, 5).
-define(KILL, 6).
-define(ALIVE, 7).
-define(ANSWER, 8).
-define(REFUSED, 9).
-define(GONE, 10).
%% From the children's VM; `?ALIVE` is echoed back.
-define(STARTED, 1).
-define(REPLY, 2).
-define(FAILED, 3).
-define(ENDED, 4).
-define(RELAY, 5).
-define(ASK, 6).
%% Messages of `gen:call/4` and `sys`, whose senders wait for an answer.
-define(IS_CALL(Label, Pid), is_pid(Pid), (Label =:= '$gen_call' orelse Label =:= system)).
