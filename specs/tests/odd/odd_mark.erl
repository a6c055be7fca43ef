%% A byte order mark is an illegal character to OTP, and costs no form.
-module(odd_mark).
-type t() :: ok.
﻿-type u() :: ok.
﻿f() -> ok.
∞-type v() :: ok.
-type w() :: ok.
