{module, upgrades_app}.  %% version = 0

{exports, [{config_change,3},
           {environment,0},
           {module_info,0},
           {module_info,1},
           {start,2},
           {start_link,1},
           {stop,1}]}.

{attributes, [{behaviour,[application]},
              {dialyzer,[{nowarn_function,{root,1}}]},
              {dialyzer,[{nowarn_function,{environment,0}}]}]}.

{labels, 32}.


{function, start, 2, 2}.
  {label,1}.
    {line,[{location,"src/upgrades_app.erl",9}]}.
    {func_info,{atom,upgrades_app},{atom,start},2}.
  {label,2}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {line,[{location,"src/upgrades_app.erl",10}]}.
    {call,0,{f,13}}. % ready/0
    {'%',
        {var_info,
            {x,0},
            [{type,
                 {t_union,
                     {t_atom,[ok]},
                     none,none,
                     [{{2,{t_atom,[error]}},
                       {t_tuple,2,true,
                           #{1 => {t_atom,[error]},
                             2 =>
                                 {t_tuple,2,true,
                                     #{1 => {t_atom,[bad_environment]}}}}}}],
                     none}}]}}.
    {test,is_eq_exact,
        {f,3},
        [{tr,{x,0},
             {t_union,
                 {t_atom,[ok]},
                 none,none,
                 [{{2,{t_atom,[error]}},
                   {t_tuple,2,true,
                       #{1 => {t_atom,[error]},
                         2 =>
                             {t_tuple,2,true,
                                 #{1 => {t_atom,[bad_environment]}}}}}}],
                 none}},
         {atom,ok}]}.
    {move,{y,0},{x,0}}.
    {call_last,1,{f,5},1}. % started/1
  {label,3}.
    {deallocate,1}.
    return.


{function, started, 1, 5}.
  {label,4}.
    {line,[{location,"src/upgrades_app.erl",17}]}.
    {func_info,{atom,upgrades_app},{atom,started},1}.
  {label,5}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {move,{atom,arguments},{x,1}}.
    {move,nil,{x,2}}.
    {move,{atom,upgrades},{x,0}}.
    {line,[{location,"src/upgrades_app.erl",18}]}.
    {call_ext,3,{extfunc,application,get_env,3}}.
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {line,[{location,"src/upgrades_app.erl",19}]}.
    {call_ext_last,2,{extfunc,whole,start,2},1}.


{function, start_link, 1, 7}.
  {label,6}.
    {line,[{location,"src/upgrades_app.erl",23}]}.
    {func_info,{atom,upgrades_app},{atom,start_link},1}.
  {label,7}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {line,[{location,"src/upgrades_app.erl",24}]}.
    {call,0,{f,13}}. % ready/0
    {'%',
        {var_info,
            {x,0},
            [{type,
                 {t_union,
                     {t_atom,[ok]},
                     none,none,
                     [{{2,{t_atom,[error]}},
                       {t_tuple,2,true,
                           #{1 => {t_atom,[error]},
                             2 =>
                                 {t_tuple,2,true,
                                     #{1 => {t_atom,[bad_environment]}}}}}}],
                     none}}]}}.
    {test,is_eq_exact,
        {f,8},
        [{tr,{x,0},
             {t_union,
                 {t_atom,[ok]},
                 none,none,
                 [{{2,{t_atom,[error]}},
                   {t_tuple,2,true,
                       #{1 => {t_atom,[error]},
                         2 =>
                             {t_tuple,2,true,
                                 #{1 => {t_atom,[bad_environment]}}}}}}],
                 none}},
         {atom,ok}]}.
    {move,{y,0},{x,0}}.
    {call_last,1,{f,10},1}. % root/1
  {label,8}.
    {deallocate,1}.
    return.


{function, root, 1, 10}.
  {label,9}.
    {line,[{location,"src/upgrades_app.erl",32}]}.
    {func_info,{atom,upgrades_app},{atom,root},1}.
  {label,10}.
    {allocate,0,1}.
    {move,{x,0},{x,1}}.
    {move,{literal,{local,stroot}},{x,0}}.
    {line,[{location,"src/upgrades_app.erl",33}]}.
    {call_ext,2,{extfunc,stroot,start_link,2}}.
    {test,is_eq_exact,{f,11},[{x,0},{atom,ignore}]}.
    {move,{literal,{error,ignore}},{x,0}}.
    {deallocate,0}.
    return.
  {label,11}.
    {deallocate,0}.
    return.


{function, ready, 0, 13}.
  {label,12}.
    {line,[{location,"src/upgrades_app.erl",39}]}.
    {func_info,{atom,upgrades_app},{atom,ready},0}.
  {label,13}.
    {allocate,0,0}.
    {line,[{location,"src/upgrades_app.erl",40}]}.
    {call,0,{f,18}}. % loaded/0
    {'%',{var_info,{x,0},[{type,{t_atom,[ok]}}]}}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{location,"src/upgrades_app.erl",41}]}.
    {call_ext,1,{extfunc,otp_rs_helper,ensure_started,1}}.
    {test,is_eq_exact,{f,16},[{x,0},{atom,ok}]}.
    {move,{atom,upgrades},{x,0}}.
    {line,[{location,"src/upgrades_app.erl",42}]}.
    {call_ext,1,{extfunc,application,get_all_env,1}}.
    {move,{x,0},{x,1}}.
    {move,{atom,upgrades},{x,0}}.
    {call_ext,2,{extfunc,upgrades_nif,environment,2}}.
    {test,is_tuple,{f,15},[{x,0}]}.
    {test,test_arity,{f,15},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {test,is_nil,{f,14},[{x,0}]}.
    {move,{atom,ok},{x,0}}.
    {deallocate,0}.
    return.
  {label,14}.
    {test_heap,6,1}.
    {put_tuple2,{x,0},{list,[{atom,bad_environment},{x,0}]}}.
    {put_tuple2,{x,0},{list,[{atom,error},{x,0}]}}.
    {deallocate,0}.
    return.
  {label,15}.
    {case_end,{x,0}}.
  {label,16}.
    {line,[{location,"src/upgrades_app.erl",41}]}.
    {badmatch,{x,0}}.


{function, loaded, 0, 18}.
  {label,17}.
    {line,[{location,"src/upgrades_app.erl",50}]}.
    {func_info,{atom,upgrades_app},{atom,loaded},0}.
  {label,18}.
    {allocate,0,0}.
    {move,{atom,modules},{x,1}}.
    {move,{atom,upgrades},{x,0}}.
    {line,[{location,"src/upgrades_app.erl",51}]}.
    {call_ext,2,{extfunc,application,get_key,2}}.
    {test,is_tuple,{f,19},[{x,0}]}.
    {test,is_tagged_tuple,
          {f,20},
          [{tr,{x,0},{t_tuple,0,false,#{}}},2,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/upgrades_app.erl",52}]}.
    {call_ext,1,{extfunc,code,ensure_modules_loaded,1}}.
    {move,{atom,ok},{x,0}}.
    {deallocate,0}.
    return.
  {label,19}.
    {test,is_eq_exact,{f,20},[{x,0},{atom,undefined}]}.
    {move,{atom,ok},{x,0}}.
    {deallocate,0}.
    return.
  {label,20}.
    {line,[{location,"src/upgrades_app.erl",51}]}.
    {case_end,{x,0}}.


{function, stop, 1, 22}.
  {label,21}.
    {line,[{location,"src/upgrades_app.erl",57}]}.
    {func_info,{atom,upgrades_app},{atom,stop},1}.
  {label,22}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {move,{atom,upgrades},{x,0}}.
    {line,[{location,"src/upgrades_app.erl",58}]}.
    {call_ext,1,{extfunc,otp_rs_upgrade,stopped,1}}.
    {test,is_eq_exact,{f,23},[{x,0},{atom,ok}]}.
    {move,{y,0},{x,0}}.
    {line,[{location,"src/upgrades_app.erl",59}]}.
    {call_ext_last,1,{extfunc,whole,stop,1},1}.
  {label,23}.
    {line,[{location,"src/upgrades_app.erl",58}]}.
    {badmatch,{x,0}}.


{function, environment, 0, 25}.
  {label,24}.
    {line,[{location,"src/upgrades_app.erl",64}]}.
    {func_info,{atom,upgrades_app},{atom,environment},0}.
  {label,25}.
    {move,{literal,[{port,2},{mine,2},{file,2},{fresh,<<"new">>}]},{x,0}}.
    return.


{function, config_change, 3, 27}.
  {label,26}.
    {line,[{location,"src/upgrades_app.erl",72}]}.
    {func_info,{atom,upgrades_app},{atom,config_change},3}.
  {label,27}.
    {line,[{location,"src/upgrades_app.erl",73}]}.
    {call_ext_only,3,{extfunc,whole,config_change,3}}.


{function, module_info, 0, 29}.
  {label,28}.
    {line,[]}.
    {func_info,{atom,upgrades_app},{atom,module_info},0}.
  {label,29}.
    {move,{atom,upgrades_app},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,get_module_info,1}}.


{function, module_info, 1, 31}.
  {label,30}.
    {line,[]}.
    {func_info,{atom,upgrades_app},{atom,module_info},1}.
  {label,31}.
    {move,{x,0},{x,1}}.
    {move,{atom,upgrades_app},{x,0}}.
    {call_ext_only,2,{extfunc,erlang,get_module_info,2}}.
