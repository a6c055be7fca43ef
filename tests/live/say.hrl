%% Shared by escripts: one `key=term` a line.
say(Key, Value) -> io:format(ordered("~s=~0tp~n"), [Key, Value]).

%% Prints the keys of maps in their order. Since OTP 26 that must be asked for, and before it cannot
%% be.
ordered(Format) ->
    case list_to_integer(erlang:system_info(otp_release)) >= 26 of
        true -> lists:append(string:replace(Format, "~0tp", "~0tkp", all));
        false -> Format
    end.
