{module, whole}.  %% version = 0

{exports, [{config_change,3},
           {module_info,0},
           {module_info,1},
           {start,2},
           {stop,1}]}.

{attributes, [{behaviour,[application]},{otp_rs,[upgrades_nif]}]}.

{labels, 14}.


{function, start, 2, 2}.
  {label,1}.
    {line,[{location,"src/whole.erl",14}]}.
    {func_info,{atom,whole},{atom,start},2}.
  {label,2}.
    {allocate,0,2}.
    {move,{x,1},{x,2}}.
    {move,{x,0},{x,1}}.
    {move,{integer,25},{x,0}}.
    {line,[{location,"src/whole.erl",15}]}.
    {call_ext,3,{extfunc,upgrades_nif,callback,3}}.
    {test,is_tagged_tuple,{f,3},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/whole.erl",16}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,waiting,1},0}.
  {label,3}.
    {deallocate,0}.
    return.


{function, stop, 1, 5}.
  {label,4}.
    {line,[{location,"src/whole.erl",21}]}.
    {func_info,{atom,whole},{atom,stop},1}.
  {label,5}.
    {allocate,0,1}.
    {move,{x,0},{x,1}}.
    {move,{integer,26},{x,0}}.
    {line,[{location,"src/whole.erl",22}]}.
    {call_ext,2,{extfunc,upgrades_nif,callback,2}}.
    {test,is_tagged_tuple,{f,6},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/whole.erl",23}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,waiting,1},0}.
  {label,6}.
    {deallocate,0}.
    return.


{function, config_change, 3, 8}.
  {label,7}.
    {line,[{location,"src/whole.erl",28}]}.
    {func_info,{atom,whole},{atom,config_change},3}.
  {label,8}.
    {allocate,0,3}.
    {move,{x,2},{x,3}}.
    {move,{x,1},{x,2}}.
    {move,{x,0},{x,1}}.
    {move,{integer,27},{x,0}}.
    {line,[{location,"src/whole.erl",29}]}.
    {call_ext,4,{extfunc,upgrades_nif,callback,4}}.
    {test,is_tagged_tuple,{f,9},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/whole.erl",30}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,waiting,1},0}.
  {label,9}.
    {deallocate,0}.
    return.


{function, module_info, 0, 11}.
  {label,10}.
    {line,[]}.
    {func_info,{atom,whole},{atom,module_info},0}.
  {label,11}.
    {move,{atom,whole},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,get_module_info,1}}.


{function, module_info, 1, 13}.
  {label,12}.
    {line,[]}.
    {func_info,{atom,whole},{atom,module_info},1}.
  {label,13}.
    {move,{x,0},{x,1}}.
    {move,{atom,whole},{x,0}}.
    {call_ext_only,2,{extfunc,erlang,get_module_info,2}}.
