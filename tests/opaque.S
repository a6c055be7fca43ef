{module, opaque}.  %% version = 0

{exports, [{code_change,3},
           {format_status,1},
           {handle_call,3},
           {handle_cast,2},
           {handle_info,2},
           {init,1},
           {module_info,0},
           {module_info,1},
           {start_link,1},
           {start_link,2},
           {start_link,3}]}.

{attributes, [{behaviour,[gen_server]},{otp_rs,[upgrades_nif]}]}.

{labels, 35}.


{function, start_link, 1, 2}.
  {label,1}.
    {line,[{location,"src/opaque.erl",13}]}.
    {func_info,{atom,opaque},{atom,start_link},1}.
  {label,2}.
    {move,nil,{x,1}}.
    {call_only,2,{f,4}}. % start_link/2


{function, start_link, 2, 4}.
  {label,3}.
    {line,[{location,"src/opaque.erl",17}]}.
    {func_info,{atom,opaque},{atom,start_link},2}.
  {label,4}.
    {move,{x,1},{x,2}}.
    {move,{x,0},{x,1}}.
    {move,{atom,opaque},{x,0}}.
    {line,[{location,"src/opaque.erl",18}]}.
    {call_ext_only,3,{extfunc,gen_server,start_link,3}}.


{function, start_link, 3, 6}.
  {label,5}.
    {line,[{location,"src/opaque.erl",25}]}.
    {func_info,{atom,opaque},{atom,start_link},3}.
  {label,6}.
    {move,{x,2},{x,3}}.
    {move,{x,1},{x,2}}.
    {move,{atom,opaque},{x,1}}.
    {line,[{location,"src/opaque.erl",26}]}.
    {call_ext_only,4,{extfunc,gen_server,start_link,4}}.


{function, init, 1, 8}.
  {label,7}.
    {line,[{location,"src/opaque.erl",33}]}.
    {func_info,{atom,opaque},{atom,init},1}.
  {label,8}.
    {allocate,0,1}.
    {move,{x,0},{x,1}}.
    {move,{integer,19},{x,0}}.
    {line,[{location,"src/opaque.erl",34}]}.
    {call_ext,2,{extfunc,upgrades_nif,callback,2}}.
    {test,is_tagged_tuple,{f,9},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/opaque.erl",35}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,init,1},0}.
  {label,9}.
    {deallocate,0}.
    return.


{function, handle_call, 3, 11}.
  {label,10}.
    {line,[{location,"src/opaque.erl",43}]}.
    {func_info,{atom,opaque},{atom,handle_call},3}.
  {label,11}.
    {allocate,0,3}.
    {move,{x,2},{x,3}}.
    {move,{x,1},{x,2}}.
    {move,{x,0},{x,1}}.
    {move,{integer,20},{x,0}}.
    {line,[{location,"src/opaque.erl",44}]}.
    {call_ext,4,{extfunc,upgrades_nif,callback,4}}.
    {test,is_tagged_tuple,{f,12},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/opaque.erl",45}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,handle_call,1},0}.
  {label,12}.
    {deallocate,0}.
    return.


{function, handle_cast, 2, 14}.
  {label,13}.
    {line,[{location,"src/opaque.erl",53}]}.
    {func_info,{atom,opaque},{atom,handle_cast},2}.
  {label,14}.
    {allocate,0,2}.
    {move,{x,1},{x,2}}.
    {move,{x,0},{x,1}}.
    {move,{integer,21},{x,0}}.
    {line,[{location,"src/opaque.erl",54}]}.
    {call_ext,3,{extfunc,upgrades_nif,callback,3}}.
    {test,is_tagged_tuple,{f,15},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/opaque.erl",55}]}.
    {call_ext_last,1,{extfunc,upgrades_nif,handle_cast,1},0}.
  {label,15}.
    {deallocate,0}.
    return.


{function, handle_info, 2, 17}.
  {label,16}.
    {line,[{location,"src/opaque.erl",60}]}.
    {func_info,{atom,opaque},{atom,handle_info},2}.
  {label,17}.
    {allocate,2,2}.
    {move,{x,1},{y,0}}.
    {move,{x,0},{y,1}}.
    {line,[{location,"src/opaque.erl",61}]}.
    {call_ext,2,{extfunc,upgrades_nif,took,2}}.
    {select_val,{x,0},{f,20},{list,[{atom,false},{f,18},{atom,true},{f,19}]}}.
  {label,18}.
    {move,{y,1},{x,1}}.
    {init_yregs,{list,[{y,1}]}}.
    {move,{atom,opaque},{x,0}}.
    {call_ext,2,{extfunc,upgrades_nif,unexpected,2}}.
  {label,19}.
    {test_heap,3,0}.
    {put_tuple2,{x,0},{list,[{atom,noreply},{y,0}]}}.
    {deallocate,2}.
    return.
  {label,20}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,badarg},{x,0}]}}.
    {call_ext_last,1,{extfunc,erlang,error,1},2}.


{function, code_change, 3, 22}.
  {label,21}.
    {line,[{location,"src/opaque.erl",65}]}.
    {func_info,{atom,opaque},{atom,code_change},3}.
  {label,22}.
    {allocate,1,2}.
    {move,{x,1},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/opaque.erl",66}]}.
    {call_ext,1,{extfunc,otp_rs_states,prepared,1}}.
    {test,is_tuple,{f,23},[{x,0}]}.
    {test,is_tagged_tuple,
          {f,28},
          [{tr,{x,0},{t_tuple,0,false,#{}}},2,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {deallocate,1}.
    return.
  {label,23}.
    {test,is_eq_exact,{f,28},[{x,0},{atom,none}]}.
    {move,{y,0},{x,1}}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{atom,opaque},{x,0}}.
    {line,[{location,"src/opaque.erl",69}]}.
    {call_ext,2,{extfunc,upgrades_nif,succeed,2}}.
    {test,is_tuple,{f,27},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,27},
                        {list,[2,{f,25},3,{f,24}]}}.
  {label,24}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_eq_exact,{f,27},[{x,1},{atom,convert}]}.
    {test_heap,6,1}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,changed},{x,0}]}}.
    {put_tuple2,{x,0},{list,[{atom,error},{x,0}]}}.
    {deallocate,1}.
    return.
  {label,25}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {select_val,{x,1},{f,27},{list,[{atom,error},{f,26},{atom,ok},{f,26}]}}.
  {label,26}.
    {deallocate,1}.
    return.
  {label,27}.
    {case_end,{x,0}}.
  {label,28}.
    {line,[{location,"src/opaque.erl",66}]}.
    {case_end,{x,0}}.


{function, format_status, 1, 30}.
  {label,29}.
    {line,[{location,"src/opaque.erl",78}]}.
    {func_info,{atom,opaque},{atom,format_status},1}.
  {label,30}.
    {line,[{location,"src/opaque.erl",79}]}.
    {call_ext_only,1,{extfunc,upgrades_nif,shown_status,1}}.


{function, module_info, 0, 32}.
  {label,31}.
    {line,[]}.
    {func_info,{atom,opaque},{atom,module_info},0}.
  {label,32}.
    {move,{atom,opaque},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,get_module_info,1}}.


{function, module_info, 1, 34}.
  {label,33}.
    {line,[]}.
    {func_info,{atom,opaque},{atom,module_info},1}.
  {label,34}.
    {move,{x,0},{x,1}}.
    {move,{atom,opaque},{x,0}}.
    {call_ext_only,2,{extfunc,erlang,get_module_info,2}}.
