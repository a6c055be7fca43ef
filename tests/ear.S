{module, ear}.  %% version = 0

{exports, [{code_change,3},
           {format_status,1},
           {handle_call,2},
           {handle_event,2},
           {init,1},
           {module_info,0},
           {module_info,1}]}.

{attributes, [{behaviour,[gen_event]},{otp_rs,[upgrades_nif]}]}.

{labels, 25}.


{function, init, 1, 2}.
  {label,1}.
    {line,[{location,"src/ear.erl",12}]}.
    {func_info,{atom,ear},{atom,init},1}.
  {label,2}.
    {allocate,0,1}.
    {move,{x,0},{x,1}}.
    {move,{integer,13},{x,0}}.
    {line,[{location,"src/ear.erl",13}]}.
    {call_ext,2,{extfunc,upgrades_nif,callback,2}}.
    {test,is_tagged_tuple,{f,3},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/ear.erl",14}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,init,1},0}.
  {label,3}.
    {deallocate,0}.
    return.


{function, handle_event, 2, 5}.
  {label,4}.
    {line,[{location,"src/ear.erl",23}]}.
    {func_info,{atom,ear},{atom,handle_event},2}.
  {label,5}.
    {allocate,0,2}.
    {move,{x,1},{x,2}}.
    {move,{x,0},{x,1}}.
    {move,{integer,14},{x,0}}.
    {line,[{location,"src/ear.erl",24}]}.
    {call_ext,3,{extfunc,upgrades_nif,callback,3}}.
    {test,is_tagged_tuple,{f,6},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/ear.erl",25}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,handle_event,1},0}.
  {label,6}.
    {deallocate,0}.
    return.


{function, handle_call, 2, 8}.
  {label,7}.
    {line,[{location,"src/ear.erl",34}]}.
    {func_info,{atom,ear},{atom,handle_call},2}.
  {label,8}.
    {allocate,0,2}.
    {move,{x,1},{x,2}}.
    {move,{x,0},{x,1}}.
    {move,{integer,15},{x,0}}.
    {line,[{location,"src/ear.erl",35}]}.
    {call_ext,3,{extfunc,upgrades_nif,callback,3}}.
    {test,is_tagged_tuple,{f,9},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/ear.erl",36}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,handle_call,1},0}.
  {label,9}.
    {deallocate,0}.
    return.


{function, code_change, 3, 11}.
  {label,10}.
    {line,[{location,"src/ear.erl",41}]}.
    {func_info,{atom,ear},{atom,code_change},3}.
  {label,11}.
    {allocate,1,2}.
    {move,{x,1},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/ear.erl",42}]}.
    {call_ext,1,{extfunc,otp_rs_states,prepared,1}}.
    {test,is_tuple,{f,12},[{x,0}]}.
    {test,is_tagged_tuple,
          {f,18},
          [{tr,{x,0},{t_tuple,0,false,#{}}},2,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {deallocate,1}.
    return.
  {label,12}.
    {test,is_eq_exact,{f,18},[{x,0},{atom,none}]}.
    {move,{y,0},{x,1}}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{atom,ear},{x,0}}.
    {line,[{location,"src/ear.erl",45}]}.
    {call_ext,2,{extfunc,upgrades_nif,succeed,2}}.
    {test,is_tuple,{f,17},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,17},
                        {list,[2,{f,14},3,{f,13}]}}.
  {label,13}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_eq_exact,{f,17},[{x,1},{atom,convert}]}.
    {test_heap,6,1}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,changed},{x,0}]}}.
    {put_tuple2,{x,0},{list,[{atom,code_change},{x,0}]}}.
    {line,[{location,"src/ear.erl",48}]}.
    {call_ext_last,1,{extfunc,erlang,error,1},1}.
  {label,14}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {select_val,{x,1},{f,17},{list,[{atom,error},{f,16},{atom,ok},{f,15}]}}.
  {label,15}.
    {deallocate,1}.
    return.
  {label,16}.
    {test_heap,3,1}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,code_change},{x,0}]}}.
    {line,[{location,"src/ear.erl",49}]}.
    {call_ext_last,1,{extfunc,erlang,error,1},1}.
  {label,17}.
    {line,[{location,"src/ear.erl",45}]}.
    {case_end,{x,0}}.
  {label,18}.
    {line,[{location,"src/ear.erl",42}]}.
    {case_end,{x,0}}.


{function, format_status, 1, 20}.
  {label,19}.
    {line,[{location,"src/ear.erl",54}]}.
    {func_info,{atom,ear},{atom,format_status},1}.
  {label,20}.
    {line,[{location,"src/ear.erl",55}]}.
    {call_ext_only,1,{extfunc,upgrades_nif,shown_status,1}}.


{function, module_info, 0, 22}.
  {label,21}.
    {line,[]}.
    {func_info,{atom,ear},{atom,module_info},0}.
  {label,22}.
    {move,{atom,ear},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,get_module_info,1}}.


{function, module_info, 1, 24}.
  {label,23}.
    {line,[]}.
    {func_info,{atom,ear},{atom,module_info},1}.
  {label,24}.
    {move,{x,0},{x,1}}.
    {move,{atom,ear},{x,0}}.
    {call_ext_only,2,{extfunc,erlang,get_module_info,2}}.
