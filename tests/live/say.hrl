%% Functions that escripts share. They print one `key=term` per line.
say(Key, Value) -> io:format(ordered("~s=~0tp~n"), [Key, Value]).

%% Prints the keys of maps in order. Since OTP 26, that needs an option, which earlier releases do
%% not have.
ordered(Format) ->
    case list_to_integer(erlang:system_info(otp_release)) >= 26 of
        true -> lists:append(string:replace(Format, "~0tp", "~0tkp", all));
        false -> Format
    end.
