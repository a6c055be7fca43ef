{module, light}.  %% version = 0

{exports, [{callback_mode,0},
           {code_change,4},
           {format_status,1},
           {handle_event,4},
           {init,1},
           {module_info,0},
           {module_info,1},
           {start_link,1},
           {start_link,2},
           {start_link,3}]}.

{attributes, [{behaviour,[gen_statem]},{otp_rs,[upgrades_nif]}]}.

{labels, 33}.


{function, start_link, 1, 2}.
  {label,1}.
    {line,[{location,"src/light.erl",15}]}.
    {func_info,{atom,light},{atom,start_link},1}.
  {label,2}.
    {move,nil,{x,1}}.
    {call_only,2,{f,4}}. % start_link/2


{function, start_link, 2, 4}.
  {label,3}.
    {line,[{location,"src/light.erl",19}]}.
    {func_info,{atom,light},{atom,start_link},2}.
  {label,4}.
    {move,{x,1},{x,2}}.
    {move,{x,0},{x,1}}.
    {move,{atom,light},{x,0}}.
    {line,[{location,"src/light.erl",20}]}.
    {call_ext_only,3,{extfunc,gen_statem,start_link,3}}.


{function, start_link, 3, 6}.
  {label,5}.
    {line,[{location,"src/light.erl",27}]}.
    {func_info,{atom,light},{atom,start_link},3}.
  {label,6}.
    {move,{x,2},{x,3}}.
    {move,{x,1},{x,2}}.
    {move,{atom,light},{x,1}}.
    {line,[{location,"src/light.erl",28}]}.
    {call_ext_only,4,{extfunc,gen_statem,start_link,4}}.


{function, init, 1, 8}.
  {label,7}.
    {line,[{location,"src/light.erl",35}]}.
    {func_info,{atom,light},{atom,init},1}.
  {label,8}.
    {allocate,0,1}.
    {move,{x,0},{x,1}}.
    {move,{integer,16},{x,0}}.
    {line,[{location,"src/light.erl",36}]}.
    {call_ext,2,{extfunc,upgrades_nif,callback,2}}.
    {test,is_tagged_tuple,{f,9},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {move,{atom,init},{x,0}}.
    {line,[{location,"src/light.erl",37}]}.
    {call_ext_last,2,{extfunc,upgrades_nif,init,2},0}.
  {label,9}.
    {move,{x,0},{x,1}}.
    {move,{atom,init},{x,0}}.
    {line,[{location,"src/light.erl",38}]}.
    {call_ext_last,2,{extfunc,upgrades_nif,handled,2},0}.


{function, callback_mode, 0, 11}.
  {label,10}.
    {line,[{location,"src/light.erl",42}]}.
    {func_info,{atom,light},{atom,callback_mode},0}.
  {label,11}.
    {move,{literal,[handle_event_function]},{x,0}}.
    return.


{function, handle_event, 4, 13}.
  {label,12}.
    {line,[{location,"src/light.erl",61}]}.
    {func_info,{atom,light},{atom,handle_event},4}.
  {label,13}.
    {allocate,4,4}.
    {move,{x,3},{y,0}}.
    {move,{x,2},{y,1}}.
    {move,{x,1},{y,2}}.
    {move,{x,0},{y,3}}.
    {test,is_eq_exact,{f,15},[{x,0},{atom,info}]}.
    {move,{x,1},{x,0}}.
    {move,{x,3},{x,1}}.
    {line,[{location,"src/light.erl",62}]}.
    {call_ext,2,{extfunc,upgrades_nif,took,2}}.
    {select_val,{x,0},{f,17},{list,[{atom,false},{f,15},{atom,true},{f,14}]}}.
  {label,14}.
    {line,[{location,"src/light.erl",63}]}.
    {call_ext_last,0,{extfunc,upgrades_nif,undisturbed,0},4}.
  {label,15}.
    {move,{y,0},{x,4}}.
    {move,{y,1},{x,3}}.
    {move,{y,2},{x,2}}.
    {move,{y,3},{x,1}}.
    {init_yregs,{list,[{y,0},{y,1},{y,2}]}}.
    {move,{integer,18},{x,0}}.
    {line,[{location,"src/light.erl",65}]}.
    {call_ext,5,{extfunc,upgrades_nif,callback,5}}.
    {test,is_tagged_tuple,{f,16},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {move,{y,3},{x,0}}.
    {line,[{location,"src/light.erl",66}]}.
    {call_ext_last,2,{extfunc,upgrades_nif,handle_event,2},4}.
  {label,16}.
    {move,{x,0},{x,1}}.
    {move,{y,3},{x,0}}.
    {line,[{location,"src/light.erl",67}]}.
    {call_ext_last,2,{extfunc,upgrades_nif,handled,2},4}.
  {label,17}.
    {line,[{location,"src/light.erl",62}]}.
    {case_end,{x,0}}.


{function, code_change, 4, 19}.
  {label,18}.
    {line,[{location,"src/light.erl",72}]}.
    {func_info,{atom,light},{atom,code_change},4}.
  {label,19}.
    {allocate,2,3}.
    {move,{x,2},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{x,2},{x,0}}.
    {line,[{location,"src/light.erl",73}]}.
    {call_ext,1,{extfunc,otp_rs_states,prepared,1}}.
    {test,is_tuple,{f,20},[{x,0}]}.
    {test,is_tagged_tuple,
          {f,26},
          [{tr,{x,0},{t_tuple,0,false,#{}}},2,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_tagged_tuple,{f,24},[{x,0},2,{atom,ok}]}.
    {test_heap,4,1}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,ok},{y,1},{x,0}]}}.
    {deallocate,2}.
    return.
  {label,20}.
    {test,is_eq_exact,{f,26},[{x,0},{atom,none}]}.
    {move,{y,0},{x,2}}.
    {move,{y,1},{x,1}}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{atom,light},{x,0}}.
    {line,[{location,"src/light.erl",77}]}.
    {call_ext,3,{extfunc,upgrades_nif,succeed,3}}.
    {test,is_tuple,{f,25},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,25},
                        {list,[2,{f,22},3,{f,21}]}}.
  {label,21}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_eq_exact,{f,25},[{x,1},{atom,convert}]}.
    {test_heap,6,1}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,changed},{x,0}]}}.
    {put_tuple2,{x,0},{list,[{atom,error},{x,0}]}}.
    {deallocate,2}.
    return.
  {label,22}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {select_val,{x,1},{f,25},{list,[{atom,error},{f,24},{atom,ok},{f,23}]}}.
  {label,23}.
    {test_heap,4,1}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,ok},{y,1},{x,0}]}}.
    {deallocate,2}.
    return.
  {label,24}.
    {deallocate,2}.
    return.
  {label,25}.
    {case_end,{x,0}}.
  {label,26}.
    {line,[{location,"src/light.erl",73}]}.
    {case_end,{x,0}}.


{function, format_status, 1, 28}.
  {label,27}.
    {line,[{location,"src/light.erl",86}]}.
    {func_info,{atom,light},{atom,format_status},1}.
  {label,28}.
    {line,[{location,"src/light.erl",87}]}.
    {call_ext_only,1,{extfunc,upgrades_nif,shown_status,1}}.


{function, module_info, 0, 30}.
  {label,29}.
    {line,[]}.
    {func_info,{atom,light},{atom,module_info},0}.
  {label,30}.
    {move,{atom,light},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,get_module_info,1}}.


{function, module_info, 1, 32}.
  {label,31}.
    {line,[]}.
    {func_info,{atom,light},{atom,module_info},1}.
  {label,32}.
    {move,{x,0},{x,1}}.
    {move,{atom,light},{x,0}}.
    {call_ext_only,2,{extfunc,erlang,get_module_info,2}}.
