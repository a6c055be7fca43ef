{module, purse}.  %% version = 0

{exports, [{code_change,3},{init,1},{keep,2},{module_info,0},{module_info,1}]}.

{attributes, [{behaviour,[keeper]},{otp_rs,[upgrades_nif]}]}.

{labels, 19}.


{function, init, 1, 2}.
  {label,1}.
    {line,[{location,"src/purse.erl",11}]}.
    {func_info,{atom,purse},{atom,init},1}.
  {label,2}.
    {allocate,0,1}.
    {move,{x,0},{x,1}}.
    {move,{integer,22},{x,0}}.
    {line,[{location,"src/purse.erl",12}]}.
    {call_ext,2,{extfunc,upgrades_nif,callback,2}}.
    {test,is_tagged_tuple,{f,3},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/purse.erl",13}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,init,1},0}.
  {label,3}.
    {deallocate,0}.
    return.


{function, keep, 2, 5}.
  {label,4}.
    {line,[{location,"src/purse.erl",18}]}.
    {func_info,{atom,purse},{atom,keep},2}.
  {label,5}.
    {allocate,0,2}.
    {move,{x,1},{x,2}}.
    {move,{x,0},{x,1}}.
    {move,{integer,23},{x,0}}.
    {line,[{location,"src/purse.erl",19}]}.
    {call_ext,3,{extfunc,upgrades_nif,callback,3}}.
    {test,is_tagged_tuple,{f,6},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/purse.erl",20}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,waiting,1},0}.
  {label,6}.
    {deallocate,0}.
    return.


{function, code_change, 3, 8}.
  {label,7}.
    {line,[{location,"src/purse.erl",25}]}.
    {func_info,{atom,purse},{atom,code_change},3}.
  {label,8}.
    {allocate,1,2}.
    {move,{x,1},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/purse.erl",26}]}.
    {call_ext,1,{extfunc,otp_rs_states,prepared,1}}.
    {test,is_tuple,{f,9},[{x,0}]}.
    {test,is_tagged_tuple,
          {f,14},
          [{tr,{x,0},{t_tuple,0,false,#{}}},2,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {deallocate,1}.
    return.
  {label,9}.
    {test,is_eq_exact,{f,14},[{x,0},{atom,none}]}.
    {move,{y,0},{x,1}}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{atom,purse},{x,0}}.
    {line,[{location,"src/purse.erl",29}]}.
    {call_ext,2,{extfunc,upgrades_nif,succeed,2}}.
    {test,is_tuple,{f,13},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,13},
                        {list,[2,{f,11},3,{f,10}]}}.
  {label,10}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_eq_exact,{f,13},[{x,1},{atom,convert}]}.
    {test_heap,6,1}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,changed},{x,0}]}}.
    {put_tuple2,{x,0},{list,[{atom,error},{x,0}]}}.
    {deallocate,1}.
    return.
  {label,11}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {select_val,{x,1},{f,13},{list,[{atom,error},{f,12},{atom,ok},{f,12}]}}.
  {label,12}.
    {deallocate,1}.
    return.
  {label,13}.
    {case_end,{x,0}}.
  {label,14}.
    {line,[{location,"src/purse.erl",26}]}.
    {case_end,{x,0}}.


{function, module_info, 0, 16}.
  {label,15}.
    {line,[]}.
    {func_info,{atom,purse},{atom,module_info},0}.
  {label,16}.
    {move,{atom,purse},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,get_module_info,1}}.


{function, module_info, 1, 18}.
  {label,17}.
    {line,[]}.
    {func_info,{atom,purse},{atom,module_info},1}.
  {label,18}.
    {move,{x,0},{x,1}}.
    {move,{atom,purse},{x,0}}.
    {call_ext_only,2,{extfunc,erlang,get_module_info,2}}.
