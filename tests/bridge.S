{module, bridge}.  %% version = 0

{exports, [{init,1},
           {module_info,0},
           {module_info,1},
           {start_link,1},
           {start_link,2},
           {terminate,2}]}.

{attributes, [{behaviour,[supervisor_bridge]},{otp_rs,[upgrades_nif]}]}.

{labels, 15}.


{function, start_link, 1, 2}.
  {label,1}.
    {line,[{location,"src/bridge.erl",15}]}.
    {func_info,{atom,bridge},{atom,start_link},1}.
  {label,2}.
    {move,{x,0},{x,1}}.
    {move,{atom,bridge},{x,0}}.
    {line,[{location,"src/bridge.erl",16}]}.
    {call_ext_only,2,{extfunc,supervisor_bridge,start_link,2}}.


{function, start_link, 2, 4}.
  {label,3}.
    {line,[{location,"src/bridge.erl",22}]}.
    {func_info,{atom,bridge},{atom,start_link},2}.
  {label,4}.
    {move,{x,1},{x,2}}.
    {move,{atom,bridge},{x,1}}.
    {line,[{location,"src/bridge.erl",23}]}.
    {call_ext_only,3,{extfunc,supervisor_bridge,start_link,3}}.


{function, init, 1, 6}.
  {label,5}.
    {line,[{location,"src/bridge.erl",26}]}.
    {func_info,{atom,bridge},{atom,init},1}.
  {label,6}.
    {allocate,0,1}.
    {move,{x,0},{x,1}}.
    {move,{integer,0},{x,0}}.
    {line,[{location,"src/bridge.erl",27}]}.
    {call_ext,2,{extfunc,upgrades_nif,callback,2}}.
    {test,is_tagged_tuple,{f,7},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/bridge.erl",28}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,init,1},0}.
  {label,7}.
    {deallocate,0}.
    return.


{function, terminate, 2, 9}.
  {label,8}.
    {line,[{location,"src/bridge.erl",33}]}.
    {func_info,{atom,bridge},{atom,terminate},2}.
  {label,9}.
    {allocate,0,2}.
    {move,{x,1},{x,2}}.
    {move,{x,0},{x,1}}.
    {move,{integer,1},{x,0}}.
    {line,[{location,"src/bridge.erl",34}]}.
    {call_ext,3,{extfunc,upgrades_nif,callback,3}}.
    {test,is_tagged_tuple,{f,10},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/bridge.erl",35}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,terminate,1},0}.
  {label,10}.
    {deallocate,0}.
    return.


{function, module_info, 0, 12}.
  {label,11}.
    {line,[]}.
    {func_info,{atom,bridge},{atom,module_info},0}.
  {label,12}.
    {move,{atom,bridge},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,get_module_info,1}}.


{function, module_info, 1, 14}.
  {label,13}.
    {line,[]}.
    {func_info,{atom,bridge},{atom,module_info},1}.
  {label,14}.
    {move,{x,0},{x,1}}.
    {move,{atom,bridge},{x,0}}.
    {call_ext_only,2,{extfunc,erlang,get_module_info,2}}.
