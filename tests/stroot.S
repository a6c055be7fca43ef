{module, stroot}.  %% version = 0

{exports, [{init,1},
           {module_info,0},
           {module_info,1},
           {start_link,1},
           {start_link,2}]}.

{attributes, [{behaviour,[supervisor]},{otp_rs,[upgrades_nif]}]}.

{labels, 14}.


{function, start_link, 1, 2}.
  {label,1}.
    {line,[{location,"src/stroot.erl",9}]}.
    {func_info,{atom,stroot},{atom,start_link},1}.
  {label,2}.
    {move,{x,0},{x,1}}.
    {move,{atom,stroot},{x,0}}.
    {line,[{location,"src/stroot.erl",10}]}.
    {call_ext_only,2,{extfunc,supervisor,start_link,2}}.


{function, start_link, 2, 4}.
  {label,3}.
    {line,[{location,"src/stroot.erl",16}]}.
    {func_info,{atom,stroot},{atom,start_link},2}.
  {label,4}.
    {move,{x,1},{x,2}}.
    {move,{atom,stroot},{x,1}}.
    {line,[{location,"src/stroot.erl",17}]}.
    {call_ext_only,3,{extfunc,supervisor,start_link,3}}.


{function, init, 1, 6}.
  {label,5}.
    {line,[{location,"src/stroot.erl",20}]}.
    {func_info,{atom,stroot},{atom,init},1}.
  {label,6}.
    {allocate_heap,1,3,1}.
    {move,{x,0},{y,0}}.
    {put_tuple2,{x,0},{list,[{atom,init},{x,0}]}}.
    {line,[{location,"src/stroot.erl",21}]}.
    {call_ext,1,{extfunc,otp_rs_states,prepared,1}}.
    {test,is_tuple,{f,7},[{x,0}]}.
    {test,is_tagged_tuple,
          {f,9},
          [{tr,{x,0},{t_tuple,0,false,#{}}},2,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {deallocate,1}.
    return.
  {label,7}.
    {test,is_eq_exact,{f,9},[{x,0},{atom,none}]}.
    {move,{y,0},{x,1}}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{integer,24},{x,0}}.
    {line,[{location,"src/stroot.erl",24}]}.
    {call_ext,2,{extfunc,upgrades_nif,callback,2}}.
    {test,is_tagged_tuple,{f,8},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/stroot.erl",25}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,init,1},1}.
  {label,8}.
    {deallocate,1}.
    return.
  {label,9}.
    {line,[{location,"src/stroot.erl",21}]}.
    {case_end,{x,0}}.


{function, module_info, 0, 11}.
  {label,10}.
    {line,[]}.
    {func_info,{atom,stroot},{atom,module_info},0}.
  {label,11}.
    {move,{atom,stroot},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,get_module_info,1}}.


{function, module_info, 1, 13}.
  {label,12}.
    {line,[]}.
    {func_info,{atom,stroot},{atom,module_info},1}.
  {label,13}.
    {move,{x,0},{x,1}}.
    {move,{atom,stroot},{x,0}}.
    {call_ext_only,2,{extfunc,erlang,get_module_info,2}}.
