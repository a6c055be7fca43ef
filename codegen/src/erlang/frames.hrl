%% What the bytes of a frame are, in a VM of isolated children. To there:
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
%% From there; `?ALIVE` comes back as it is.
-define(STARTED, 1).
-define(REPLY, 2).
-define(FAILED, 3).
-define(ENDED, 4).
-define(RELAY, 5).
-define(ASK, 6).
%% What `gen:call/4` and `sys` send: somebody waits for an answer.
-define(IS_CALL(Label, Pid), is_pid(Pid), (Label =:= '$gen_call' orelse Label =:= system)).
