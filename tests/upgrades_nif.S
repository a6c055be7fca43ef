{module, upgrades_nif}.  %% version = 0

{exports, [{beside,2},
           {build,0},
           {callback,1},
           {callback,2},
           {callback,3},
           {callback,4},
           {callback,5},
           {callback,6},
           {callback,7},
           {callback,8},
           {callback,9},
           {callback,10},
           {callbacks,1},
           {code_change,1},
           {code_change,2},
           {configure,0},
           {continue,1},
           {environment,2},
           {export,1},
           {follow,2},
           {format_state,1},
           {forward,4},
           {handle_call,1},
           {handle_call,2},
           {handle_cast,1},
           {handle_cast,2},
           {handle_continue,1},
           {handle_continue,2},
           {handle_event,1},
           {handle_event,2},
           {handle_info,1},
           {handle_info,2},
           {handle_start,1},
           {handle_start,2},
           {handled,2},
           {holders,0},
           {init,1},
           {init,2},
           {long_callback,1},
           {long_callbacks,1},
           {manifest,0},
           {module_info,0},
           {module_info,1},
           {module_of,1},
           {owns,1},
           {peers,2},
           {replace_state,2},
           {run,3},
           {search,1},
           {shown,1},
           {shown_status,1},
           {spawned,1},
           {spawned,2},
           {state,1},
           {states,0},
           {status,1},
           {succeed,2},
           {succeed,3},
           {taken,0},
           {terminate,1},
           {terminate,2},
           {test,1},
           {took,2},
           {undisturbed,0},
           {unexpected,2},
           {users,0},
           {waiting,1},
           {waiting,2}]}.

{attributes, [{on_load,[{load,0}]},{dialyzer,[{no_improper_lists,{ask,3}}]}]}.

{labels, 759}.


{function, load, 0, 2}.
  {label,1}.
    {line,[{location,"src/upgrades_nif.erl",91}]}.
    {func_info,{atom,upgrades_nif},{atom,load},0}.
  {label,2}.
    {allocate,2,0}.
    {init_yregs,{list,[{y,0},{y,1}]}}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",92}]}.
    {call_ext,1,{extfunc,code,which,1}}.
    {call_ext,1,{extfunc,filename,dirname,1}}.
    {move,{x,0},{y,1}}.
    {line,[{location,"src/upgrades_nif.erl",93}]}.
    {call_ext,0,{extfunc,otp_rs_upgrade,loading,0}}.
    {test_heap,8,1}.
    {put_list,{x,0},nil,{x,0}}.
    {put_list,{literal,"priv"},{x,0},{x,0}}.
    {put_list,{literal,".."},{x,0},{x,0}}.
    {put_list,{y,1},{x,0},{x,0}}.
    {init_yregs,{list,[{y,1}]}}.
    {call_ext,1,{extfunc,filename,join,1}}.
    {move,{x,0},{y,1}}.
    {line,[{location,"src/upgrades_nif.erl",94}]}.
    {call,0,{f,10}}. % limits/0
    {move,{x,0},{y,0}}.
    {test,is_tuple,{f,4},[{x,0}]}.
    {test,test_arity,{f,4},[{x,0},2]}.
    {line,[{location,"src/upgrades_nif.erl",96}]}.
    {call_ext,0,{extfunc,logger,get_primary_config,0}}.
    {test,is_map,{f,3},[{x,0}]}.
    {get_map_elements,{f,3},
                      {tr,{x,0},{t_map,any,any}},
                      {list,[{atom,level},{x,1}]}}.
    {test_heap,4,2}.
    {get_tuple_element,{y,0},0,{x,0}}.
    {get_tuple_element,{y,0},1,{x,2}}.
    {put_tuple2,{x,1},{list,[{x,0},{x,2},{x,1}]}}.
    {move,{y,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",97}]}.
    {call_ext_last,2,{extfunc,erlang,load_nif,2},2}.
  {label,3}.
    {line,[{location,"src/upgrades_nif.erl",96}]}.
    {badmatch,{x,0}}.
  {label,4}.
    {line,[{location,"src/upgrades_nif.erl",94}]}.
    {badmatch,{y,0}}.


{function, configure, 0, 6}.
  {label,5}.
    {line,[{location,"src/upgrades_nif.erl",101}]}.
    {func_info,{atom,upgrades_nif},{atom,configure},0}.
  {label,6}.
    {allocate,1,0}.
    {init_yregs,{list,[{y,0}]}}.
    {line,[{location,"src/upgrades_nif.erl",102}]}.
    {call,0,{f,10}}. % limits/0
    {test,is_tuple,{f,8},[{x,0}]}.
    {test,test_arity,{f,8},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",103}]}.
    {call,1,{f,652}}. % long_callback/1
    {test,is_eq_exact,{f,7},[{x,0},{atom,ok}]}.
    {move,{y,0},{x,0}}.
    {call_last,1,{f,654},1}. % message_limit/1
  {label,7}.
    {badmatch,{x,0}}.
  {label,8}.
    {line,[{location,"src/upgrades_nif.erl",102}]}.
    {badmatch,{x,0}}.


{function, limits, 0, 10}.
  {label,9}.
    {line,[{location,"src/upgrades_nif.erl",107}]}.
    {func_info,{atom,upgrades_nif},{atom,limits},0}.
  {label,10}.
    {allocate,1,0}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{atom,long_callback},{x,1}}.
    {move,{integer,1},{x,2}}.
    {move,{atom,upgrades},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",109}]}.
    {call_ext,3,{extfunc,application,get_env,3}}.
    {move,{x,0},{y,0}}.
    {move,{atom,message_limit},{x,1}}.
    {move,{integer,67108864},{x,2}}.
    {move,{atom,upgrades},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",110}]}.
    {call_ext,3,{extfunc,application,get_env,3}}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{y,0},{x,0}]}}.
    {deallocate,1}.
    return.


{function, build, 0, 12}.
  {label,11}.
    {line,[{location,"src/upgrades_nif.erl",114}]}.
    {func_info,{atom,upgrades_nif},{atom,build},0}.
  {label,12}.
    {move,{literal,{upgrades,<<"0.2.0">>,<<0,98,117,105,108,100>>}},{x,0}}.
    return.


{function, continue, 1, 14}.
  {label,13}.
    {line,[{location,"src/upgrades_nif.erl",124}]}.
    {func_info,{atom,upgrades_nif},{atom,continue},1}.
  {label,14}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",125}]}.
    {call,1,{f,16}}. % first/1
    {test_heap,2,1}.
    {put_tuple2,{x,0},{list,[{x,0}]}}.
    {deallocate,0}.
    return.


{function, first, 1, 16}.
  {label,15}.
    {line,[{location,"src/upgrades_nif.erl",130}]}.
    {func_info,{atom,upgrades_nif},{atom,first},1}.
  {label,16}.
    {test,is_tuple,{f,22},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,22},
                        {list,[3,{f,21},4,{f,17}]}}.
  {label,17}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {get_tuple_element,{x,0},2,{x,3}}.
    {get_tuple_element,{x,0},3,{x,4}}.
    {select_val,{x,1},
                {f,22},
                {list,[{atom,foreign},{f,19},{atom,output},{f,18}]}}.
  {label,18}.
    {allocate,1,5}.
    {move,{x,4},{y,0}}.
    {move,{x,3},{x,1}}.
    {move,{x,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",134}]}.
    {call_ext,2,{extfunc,otp_rs,output,2}}.
    {move,{y,0},{x,0}}.
    {call_last,1,{f,25},1}. % after_first/1
  {label,19}.
    {test,is_tuple,{f,22},[{x,2}]}.
    {test,test_arity,{f,22},[{x,2},3]}.
    {allocate,3,5}.
    {move,{x,2},{y,0}}.
    {move,{x,3},{y,1}}.
    {move,{x,4},{y,2}}.
    {move,{x,3},{x,1}}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",137}]}.
    {call_ext,2,{extfunc,otp_rs_upgrade,owner,2}}.
    {test,is_tuple,{f,20},[{x,0}]}.
    {test,is_tagged_tuple,
          {f,23},
          [{tr,{x,0},{t_tuple,0,false,#{}}},2,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {get_tuple_element,{y,0},0,{x,1}}.
    {get_tuple_element,{y,0},1,{x,2}}.
    {get_tuple_element,{y,0},2,{x,3}}.
    {move,{x,0},{x,4}}.
    {move,{atom,forward},{x,5}}.
    {move,{x,1},{x,0}}.
    {move,{x,2},{x,1}}.
    {move,{x,3},{x,2}}.
    {move,{y,1},{x,3}}.
    {line,[{location,"src/upgrades_nif.erl",138}]}.
    {apply_last,4,3}.
  {label,20}.
    {test,is_eq_exact,{f,23},[{x,0},{atom,none}]}.
    {move,{y,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",139}]}.
    {call_ext_last,1,{extfunc,erlang,error,1},3}.
  {label,21}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_eq_exact,{f,22},[{x,1},{atom,tell}]}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",131}]}.
    {call,1,{f,53}}. % with_backtrace/1
    {call_ext,1,{extfunc,otp_rs,tell,1}}.
    {get_tuple_element,{y,0},2,{x,0}}.
    {call_last,1,{f,25},1}. % after_first/1
  {label,22}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {line,[{location,"src/upgrades_nif.erl",142}]}.
    {call,0,{f,326}}. % kept/0
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,28},1}. % step/2
  {label,23}.
    {line,[{location,"src/upgrades_nif.erl",137}]}.
    {case_end,{x,0}}.


{function, after_first, 1, 25}.
  {label,24}.
    {line,[{location,"src/upgrades_nif.erl",145}]}.
    {func_info,{atom,upgrades_nif},{atom,after_first},1}.
  {label,25}.
    {test,is_tagged_tuple,{f,26},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {call_only,1,{f,16}}. % first/1
  {label,26}.
    return.


{function, step, 2, 28}.
  {label,27}.
    {line,[{location,"src/upgrades_nif.erl",151}]}.
    {func_info,{atom,upgrades_nif},{atom,step},2}.
  {label,28}.
    {test,is_tuple,{f,27},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,27},
                        {list,[3,{f,38},4,{f,29}]}}.
  {label,29}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {get_tuple_element,{x,0},1,{x,3}}.
    {get_tuple_element,{x,0},2,{x,4}}.
    {get_tuple_element,{x,0},3,{x,5}}.
    {select_val,{x,2},
                {f,27},
                {list,[{atom,dirty_cpu},
                       {f,37},
                       {atom,dirty_io},
                       {f,36},
                       {atom,output},
                       {f,35},
                       {atom,poll},
                       {f,34},
                       {atom,raise},
                       {f,30}]}}.
  {label,30}.
    {test,is_tuple,{f,27},[{x,4}]}.
    {test,test_arity,{f,27},[{x,4},2]}.
    {allocate,4,6}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{x,4},{y,2}}.
    {move,{x,5},{y,3}}.
    {get_tuple_element,{x,4},0,{y,1}}.
    {move,{x,3},{x,0}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",179}]}.
    {call,2,{f,206}}. % end_all/2
    {move,{y,3},{x,0}}.
    {init_yregs,{list,[{y,3}]}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",180}]}.
    {call,1,{f,251}}. % stacktrace/1
    {move,{x,0},{y,0}}.
    {move,{atom,otp_rs_run},{x,0}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",182}]}.
    {call_ext,1,{extfunc,erlang,whereis,1}}.
    {get_tuple_element,{y,2},1,{y,2}}.
    {test,is_ne_exact,{f,32},[{x,0},{atom,undefined}]}.
    {test_heap,4,0}.
    {put_tuple2,{x,1},{list,[{atom,raised},{y,2},{y,0}]}}.
    {'try',{y,3},{f,31}}.
    {move,{atom,otp_rs_run},{x,0}}.
    send.
    {try_end,{y,3}}.
    {jump,{f,32}}.
  {label,31}.
    {try_case,{y,3}}.
    {test,is_eq_exact,
          {f,33},
          [{tr,{x,0},{t_atom,[error,exit,throw]}},{atom,error}]}.
    {test,is_eq_exact,{f,33},[{x,1},{atom,badarg}]}.
  {label,32}.
    {move,{y,0},{x,2}}.
    {move,{y,2},{x,1}}.
    {move,{y,1},{x,0}}.
    {line,[{scope,[0,1,3]},{location,"src/upgrades_nif.erl",183}]}.
    {call_ext_last,3,{extfunc,erlang,raise,3},4}.
  {label,33}.
    {bif,raise,{f,0},[{x,2},{x,1}],{x,0}}.
  {label,34}.
    {allocate,3,6}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{x,3},{y,1}}.
    {move,{x,5},{y,2}}.
    {move,{x,4},{x,0}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",162}]}.
    {call,2,{f,100}}. % begin_all/2
    {move,{x,0},{y,0}}.
    {test,is_tuple,{f,47},[{x,0}]}.
    {test,test_arity,{f,47},[{x,0},2]}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",165}]}.
    {call_ext,0,{extfunc,erlang,monotonic_time,0}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",166}]}.
    {call_ext,0,{extfunc,erlang,yield,0}}.
    {get_tuple_element,{y,0},0,{x,0}}.
    {get_tuple_element,{y,0},1,{x,2}}.
    {move,{integer,0},{x,1}}.
    {init_yregs,{list,[{y,0}]}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",167}]}.
    {call,3,{f,159}}. % await/3
    {test,is_tuple,{f,46},[{x,0}]}.
    {test,test_arity,{f,46},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{y,0}}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {move,{y,2},{x,0}}.
    {move,{y,0},{y,2}}.
    {trim,1,2}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",168}]}.
    {call,2,{f,56}}. % in_order/2
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {trim,1,1}.
    {call,2,{f,684}}. % resume/2
    {move,{y,0},{x,1}}.
    {call_last,2,{f,58},1}. % next/2
  {label,35}.
    {allocate,2,6}.
    {move,{x,5},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{x,4},{x,1}}.
    {move,{x,3},{x,0}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",191}]}.
    {call_ext,2,{extfunc,otp_rs,output,2}}.
    {move,{y,1},{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,58},2}. % next/2
  {label,36}.
    {allocate,3,6}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{x,3},{y,1}}.
    {move,{x,5},{y,2}}.
    {move,{x,4},{x,0}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",173}]}.
    {call,2,{f,100}}. % begin_all/2
    {test,is_tuple,{f,48},[{x,0}]}.
    {test,test_arity,{f,48},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{y,0}}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {move,{y,2},{x,0}}.
    {move,{y,0},{y,2}}.
    {trim,1,2}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",174}]}.
    {call,2,{f,56}}. % in_order/2
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {trim,1,1}.
    {call,2,{f,690}}. % resume_dirty_io/2
    {move,{y,0},{x,1}}.
    {call_last,2,{f,58},1}. % next/2
  {label,37}.
    {allocate,3,6}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{x,3},{y,1}}.
    {move,{x,5},{y,2}}.
    {move,{x,4},{x,0}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",170}]}.
    {call,2,{f,100}}. % begin_all/2
    {test,is_tuple,{f,49},[{x,0}]}.
    {test,test_arity,{f,49},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{y,0}}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {move,{y,2},{x,0}}.
    {move,{y,0},{y,2}}.
    {trim,1,2}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",171}]}.
    {call,2,{f,56}}. % in_order/2
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {trim,1,1}.
    {call,2,{f,688}}. % resume_dirty_cpu/2
    {move,{y,0},{x,1}}.
    {call_last,2,{f,58},1}. % next/2
  {label,38}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {get_tuple_element,{x,0},1,{x,3}}.
    {get_tuple_element,{x,0},2,{x,4}}.
    {select_val,{x,2},
                {f,27},
                {list,[{atom,alone},
                       {f,45},
                       {atom,return},
                       {f,44},
                       {atom,stay},
                       {f,43},
                       {atom,tell},
                       {f,42},
                       {atom,wait},
                       {f,39}]}}.
  {label,39}.
    {allocate,2,5}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{x,3},{y,1}}.
    {move,{x,4},{x,0}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",154}]}.
    {call,2,{f,100}}. % begin_all/2
    {test,is_tuple,{f,51},[{x,0}]}.
    {test,test_arity,{f,51},[{x,0},2]}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {test,is_nil,{f,40},[{x,1}]}.
    {move,{atom,infinity},{x,2}}.
    {jump,{f,41}}.
  {label,40}.
    {move,{integer,0},{x,2}}.
  {label,41}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {swap,{x,1},{x,2}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",159}]}.
    {call,3,{f,159}}. % await/3
    {test,is_tuple,{f,50},[{x,0}]}.
    {test,test_arity,{f,50},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{y,0}}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {move,nil,{x,0}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",160}]}.
    {call,2,{f,56}}. % in_order/2
    {move,{x,0},{x,1}}.
    {move,{y,1},{x,0}}.
    {move,{y,0},{y,1}}.
    {trim,1,1}.
    {call,2,{f,684}}. % resume/2
    {move,{y,0},{x,1}}.
    {call_last,2,{f,58},1}. % next/2
  {label,42}.
    {allocate,2,5}.
    {move,{x,4},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{x,3},{x,0}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",188}]}.
    {call,1,{f,53}}. % with_backtrace/1
    {call_ext,1,{extfunc,otp_rs,tell,1}}.
    {move,{y,1},{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,58},2}. % next/2
  {label,43}.
    {allocate,1,5}.
    {move,{x,4},{y,0}}.
    {move,{x,3},{x,0}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",185}]}.
    {call,2,{f,100}}. % begin_all/2
    {call,1,{f,329}}. % keep/1
    {move,{y,0},{x,0}}.
    {deallocate,1}.
    return.
  {label,44}.
    {allocate,1,5}.
    {move,{x,4},{y,0}}.
    {move,{x,3},{x,0}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",176}]}.
    {call,2,{f,206}}. % end_all/2
    {move,{y,0},{x,0}}.
    {deallocate,1}.
    return.
  {label,45}.
    {allocate,2,5}.
    {move,{x,3},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{x,4},{x,0}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",152}]}.
    {call,1,{f,61}}. % perform/1
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {trim,1,1}.
    {call,2,{f,684}}. % resume/2
    {move,{y,0},{x,1}}.
    {call_last,2,{f,58},1}. % next/2
  {label,46}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",167}]}.
    {badmatch,{x,0}}.
  {label,47}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",162}]}.
    {badmatch,{y,0}}.
  {label,48}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",173}]}.
    {badmatch,{x,0}}.
  {label,49}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",170}]}.
    {badmatch,{x,0}}.
  {label,50}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",159}]}.
    {badmatch,{x,0}}.
  {label,51}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",154}]}.
    {badmatch,{x,0}}.


{function, with_backtrace, 1, 53}.
  {label,52}.
    {line,[{location,"src/upgrades_nif.erl",197}]}.
    {func_info,{atom,upgrades_nif},{atom,with_backtrace},1}.
  {label,53}.
    {test,is_map,{f,54},[{x,0}]}.
    {get_map_elements,{f,54},
                      {tr,{x,0},{t_map,any,any}},
                      {list,[{atom,backtrace},{x,1}]}}.
    {test,is_integer,{f,54},[{x,1}]}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {call,1,{f,648}}. % backtrace/1
    {put_map_exact,{f,0},{y,0},{x,0},1,{list,[{atom,backtrace},{x,0}]}}.
    {deallocate,1}.
    return.
  {label,54}.
    return.


{function, in_order, 2, 56}.
  {label,55}.
    {line,[{location,"src/upgrades_nif.erl",202}]}.
    {func_info,{atom,upgrades_nif},{atom,in_order},2}.
  {label,56}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",203}]}.
    {call_ext,1,{extfunc,lists,reverse,1}}.
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {call_ext_last,2,{extfunc,erlang,'++',2},1}.


{function, next, 2, 58}.
  {label,57}.
    {line,[{location,"src/upgrades_nif.erl",206}]}.
    {func_info,{atom,upgrades_nif},{atom,next},2}.
  {label,58}.
    {test,is_tagged_tuple,{f,59},[{x,0},2,{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {call_only,2,{f,28}}. % step/2
  {label,59}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",209}]}.
    {call,1,{f,216}}. % cancel_all/1
    {move,{y,0},{x,0}}.
    {deallocate,1}.
    return.


{function, perform, 1, 61}.
  {label,60}.
    {line,[{location,"src/upgrades_nif.erl",214}]}.
    {func_info,{atom,upgrades_nif},{atom,perform},1}.
  {label,61}.
    {test,is_tuple,{f,74},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,74},
                        {list,[2,{f,70},3,{f,69},4,{f,62}]}}.
  {label,62}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {select_val,{x,1},{f,74},{list,[{atom,apply},{f,67},{atom,call},{f,63}]}}.
  {label,63}.
    {allocate,3,3}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{x,0},{y,1}}.
    {'try',{y,2},{f,66}}.
    {move,{x,2},{x,0}}.
    {line,[{scope,"\n"},{location,"src/upgrades_nif.erl",215}]}.
    {call,1,{f,138}}. % called/1
    {try_end,{y,2}}.
    {test,is_tuple,{f,76},[{x,0}]}.
    {test,test_arity,{f,76},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {select_val,{x,1},{f,76},{list,[{atom,error},{f,65},{atom,ok},{f,64}]}}.
  {label,64}.
    {move,{y,1},{x,1}}.
    {move,{x,2},{x,0}}.
    {call_last,2,{f,78},3}. % call/2
  {label,65}.
    {move,{y,1},{x,1}}.
    {move,{x,2},{x,0}}.
    {call_last,2,{f,157},3}. % call_exit/2
  {label,66}.
    {try_case,{y,2}}.
    {move,{x,1},{y,0}}.
    {move,{x,0},{y,1}}.
    {move,{x,2},{x,0}}.
    build_stacktrace.
    {test_heap,4,1}.
    {put_tuple2,{x,0},{list,[{y,1},{y,0},{x,0}]}}.
    {deallocate,3}.
    return.
  {label,67}.
    {allocate,3,3}.
    {init_yregs,{list,[{y,0},{y,1}]}}.
    {'try',{y,2},{f,68}}.
    {get_tuple_element,{x,0},2,{x,1}}.
    {get_tuple_element,{x,0},3,{x,0}}.
    {swap,{x,0},{x,2}}.
    {line,[{scope,"\n"},{location,"src/upgrades_nif.erl",221}]}.
    {call_ext,3,{extfunc,erlang,apply,3}}.
    {try_end,{y,2}}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,ok},{x,0}]}}.
    {deallocate,3}.
    return.
  {label,68}.
    {try_case,{y,2}}.
    {move,{x,1},{y,0}}.
    {move,{x,0},{y,1}}.
    {move,{x,2},{x,0}}.
    build_stacktrace.
    {test_heap,4,1}.
    {put_tuple2,{x,0},{list,[{y,1},{y,0},{x,0}]}}.
    {deallocate,3}.
    return.
  {label,69}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {test,is_eq_exact,{f,74},[{x,1},{atom,'receive'}]}.
    {allocate,1,3}.
    {move,{x,2},{y,0}}.
    {get_tuple_element,{x,0},2,{x,0}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",227}]}.
    {call,1,{f,135}}. % limited/1
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {trim,1,0}.
    {call,2,{f,481}}. % take/2
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,ok},{x,0}]}}.
    {deallocate,0}.
    return.
  {label,70}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {select_val,{x,1},
                {f,74},
                {list,[{atom,in_process},{f,73},{atom,sleep},{f,71}]}}.
  {label,71}.
    {allocate,0,1}.
    {get_tuple_element,{x,0},1,{x,0}}.
  {label,72}.
    {wait_timeout,{f,72},{x,0}}.
    timeout.
    {move,{literal,{ok,ok}},{x,0}}.
    {deallocate,0}.
    return.
  {label,73}.
    {call_only,1,{f,89}}. % alone/1
  {label,74}.
    {allocate,3,1}.
    {init_yregs,{list,[{y,0},{y,1}]}}.
    {'try',{y,2},{f,75}}.
    {line,[{scope,[3,10]},{location,"src/upgrades_nif.erl",231}]}.
    {call,1,{f,436}}. % at_once/1
    {try_end,{y,2}}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,ok},{x,0}]}}.
    {deallocate,3}.
    return.
  {label,75}.
    {try_case,{y,2}}.
    {move,{x,1},{y,0}}.
    {move,{x,0},{y,1}}.
    {move,{x,2},{x,0}}.
    build_stacktrace.
    {test_heap,4,1}.
    {put_tuple2,{x,0},{list,[{y,1},{y,0},{x,0}]}}.
    {deallocate,3}.
    return.
  {label,76}.
    {line,[{scope,"\b"},{location,"src/upgrades_nif.erl",215}]}.
    {try_case_end,{x,0}}.


{function, call, 2, 78}.
  {label,77}.
    {line,[{location,"src/upgrades_nif.erl",239}]}.
    {func_info,{atom,upgrades_nif},{atom,call},2}.
  {label,78}.
    {test,is_tagged_tuple,{f,77},[{x,1},4,{atom,call}]}.
    {allocate,4,2}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{x,1},{y,2}}.
    {move,{x,0},{y,3}}.
    {recv_marker_reserve,{y,1}}.
    {move,{x,0},{x,1}}.
    {move,{literal,[{alias,reply_demonitor}]},{x,2}}.
    {move,{atom,process},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",240}]}.
    {call_ext,3,{extfunc,erlang,monitor,3}}.
    {recv_marker_bind,{y,1},{x,0}}.
    {get_tuple_element,{y,2},2,{x,2}}.
    {move,{x,0},{y,1}}.
    {move,{y,3},{x,1}}.
    {swap,{x,0},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",241}]}.
    {call,3,{f,473}}. % ask/3
    {get_tuple_element,{y,2},3,{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",247}]}.
    {call,1,{f,135}}. % limited/1
    {move,{x,0},{y,0}}.
    {recv_marker_use,{y,1}}.
  {label,79}.
    {loop_rec,{f,83},{x,0}}.
    {test,is_tuple,{f,82},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,82},
                        {list,[2,{f,81},5,{f,80}]}}.
  {label,80}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {get_tuple_element,{x,0},2,{x,3}}.
    {test,is_eq_exact,{f,82},[{x,1},{atom,'DOWN'}]}.
    {test,is_eq_exact,{f,82},[{x,3},{atom,process}]}.
    {test,is_eq_exact,{f,82},[{x,2},{tr,{y,1},reference}]}.
    {move,{x,0},{y,0}}.
    remove_message.
    {move,{literal,[flush]},{x,1}}.
    {move,{y,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",245}]}.
    {call_ext,2,{extfunc,erlang,demonitor,2}}.
    {recv_marker_clear,{y,1}}.
    {get_tuple_element,{y,0},4,{x,0}}.
    {get_tuple_element,{y,2},1,{x,1}}.
    {move,{y,3},{x,2}}.
    {move,{y,2},{y,3}}.
    {trim,3,1}.
    {line,[{location,"src/upgrades_nif.erl",246}]}.
    {call,3,{f,150}}. % down/3
    {move,{y,0},{x,1}}.
    {call_last,2,{f,157},1}. % call_exit/2
  {label,81}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_nonempty_list,{f,82},[{x,1}]}.
    {get_list,{x,1},{x,2},{x,1}}.
    {test,is_eq_exact,{f,82},[{x,2},{atom,alias}]}.
    {test,is_ne_exact,{f,85},[{x,1},{tr,{y,1},reference}]}.
  {label,82}.
    {loop_rec_end,{f,79}}.
  {label,83}.
    {wait_timeout,{f,79},{y,0}}.
    timeout.
    {move,{literal,[flush]},{x,1}}.
    {init_yregs,{list,[{y,0},{y,3}]}}.
    {move,{y,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",248}]}.
    {call_ext,2,{extfunc,erlang,demonitor,2}}.
    {recv_marker_use,{y,1}}.
  {label,84}.
    {loop_rec,{f,87},{x,0}}.
    {test,is_tuple,{f,86},[{x,0}]}.
    {test,test_arity,{f,86},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_nonempty_list,{f,86},[{x,1}]}.
    {get_list,{x,1},{x,2},{x,1}}.
    {test,is_eq_exact,{f,86},[{x,2},{atom,alias}]}.
    {test,is_eq_exact,{f,86},[{x,1},{tr,{y,1},reference}]}.
  {label,85}.
    {test_heap,3,1}.
    {recv_marker_clear,{y,1}}.
    {get_tuple_element,{x,0},1,{x,0}}.
    remove_message.
    {put_tuple2,{x,0},{list,[{atom,ok},{x,0}]}}.
    {deallocate,4}.
    return.
  {label,86}.
    {loop_rec_end,{f,84}}.
  {label,87}.
    timeout.
    {recv_marker_clear,{y,1}}.
    {move,{y,2},{x,1}}.
    {move,{atom,timeout},{x,0}}.
    {call_last,2,{f,157},4}. % call_exit/2


{function, alone, 1, 89}.
  {label,88}.
    {line,[{location,"src/upgrades_nif.erl",257}]}.
    {func_info,{atom,upgrades_nif},{atom,alone},1}.
  {label,89}.
    {allocate_heap,3,4,1}.
    {init_yregs,{list,[{y,0},{y,1}]}}.
    {bif,self,{f,0},[],{x,1}}.
    {put_list,{x,1},nil,{x,1}}.
    {put_list,{x,0},{x,1},{x,0}}.
    {recv_marker_reserve,{y,2}}.
    {move,{x,0},{x,2}}.
    {move,{atom,beside},{x,1}}.
    {move,{literal,[link,monitor]},{x,3}}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",258}]}.
    {call_ext,4,{extfunc,erlang,spawn_request,4}}.
    {move,{x,0},{y,1}}.
    {recv_marker_bind,{y,2},{x,0}}.
    {recv_marker_use,{x,0}}.
  {label,90}.
    {loop_rec,{f,98},{x,0}}.
    {test,is_tagged_tuple,{f,97},[{x,0},4,{atom,spawn_reply}]}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {get_tuple_element,{x,0},2,{x,2}}.
    {get_tuple_element,{x,0},3,{x,0}}.
    {select_val,{x,2},{f,97},{list,[{atom,error},{f,96},{atom,ok},{f,91}]}}.
  {label,91}.
    {test,is_eq_exact,{f,97},[{x,1},{tr,{y,1},reference}]}.
    {move,{x,0},{y,2}}.
    remove_message.
    {recv_marker_use,{y,1}}.
  {label,92}.
    {loop_rec,{f,95},{x,0}}.
    {test,is_tagged_tuple,{f,94},[{x,0},5,{atom,'DOWN'}]}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {get_tuple_element,{x,0},2,{x,2}}.
    {get_tuple_element,{x,0},4,{x,0}}.
    {test,is_eq_exact,{f,94},[{x,2},{atom,process}]}.
    {test,is_tagged_tuple,{f,93},[{x,0},2,{atom,'$otp_rs'}]}.
    {test,is_eq_exact,{f,94},[{x,1},{tr,{y,1},reference}]}.
    {recv_marker_clear,{y,1}}.
    {get_tuple_element,{x,0},1,{x,0}}.
    remove_message.
    {deallocate,3}.
    return.
  {label,93}.
    {test,is_eq_exact,{f,94},[{x,1},{tr,{y,1},reference}]}.
    {move,{x,0},{y,0}}.
    {recv_marker_clear,{y,1}}.
    remove_message.
    {move,{y,2},{x,0}}.
    {move,{y,0},{y,2}}.
    {trim,2,1}.
    {line,[{location,"src/upgrades_nif.erl",265}]}.
    {call,1,{f,236}}. % forget/1
    {test_heap,4,0}.
    {put_tuple2,{x,0},{list,[{atom,exit},{y,0},nil]}}.
    {deallocate,1}.
    return.
  {label,94}.
    {loop_rec_end,{f,92}}.
  {label,95}.
    {wait,{f,92}}.
  {label,96}.
    {test,is_eq_exact,{f,97},[{x,1},{tr,{y,1},reference}]}.
    {test_heap,4,1}.
    {recv_marker_clear,{y,1}}.
    remove_message.
    {put_tuple2,{x,0},{list,[{atom,error},{x,0},nil]}}.
    {deallocate,3}.
    return.
  {label,97}.
    {loop_rec_end,{f,90}}.
  {label,98}.
    {wait,{f,90}}.


{function, begin_all, 2, 100}.
  {label,99}.
    {line,[{location,"src/upgrades_nif.erl",271}]}.
    {func_info,{atom,upgrades_nif},{atom,begin_all},2}.
  {label,100}.
    {test_heap,3,2}.
    {put_tuple2,{x,1},{list,[{x,1},nil]}}.
    {call_only,2,{f,102}}. % all_begun/2


{function, all_begun, 2, 102}.
  {label,101}.
    {line,[{location,"src/upgrades_nif.erl",275}]}.
    {func_info,{atom,upgrades_nif},{atom,all_begun},2}.
  {label,102}.
    {test,is_nonempty_list,{f,103},[{x,0}]}.
    {allocate,1,2}.
    {get_list,{x,0},{x,0},{y,0}}.
    {call,2,{f,105}}. % act/2
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,102},1}. % all_begun/2
  {label,103}.
    {test,is_nil,{f,101},[{x,0}]}.
    {move,{x,1},{x,0}}.
    return.


{function, act, 2, 105}.
  {label,104}.
    {line,[{location,"src/upgrades_nif.erl",279}]}.
    {func_info,{atom,upgrades_nif},{atom,act},2}.
  {label,105}.
    {test,is_tuple,{f,104},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,104},
                        {list,[2,{f,112},3,{f,106}]}}.
  {label,106}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {get_tuple_element,{x,0},1,{x,3}}.
    {get_tuple_element,{x,0},2,{x,4}}.
    {select_val,{x,2},
                {f,104},
                {list,[{atom,'begin'},{f,109},{atom,perform},{f,107}]}}.
  {label,107}.
    {test,is_tagged_tuple,{f,108},[{x,4},4,{atom,apply}]}.
    {test,is_tuple,{f,108},[{x,1}]}.
    {test,test_arity,{f,108},[{x,1},2]}.
    {allocate,2,5}.
    {move,{x,3},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{x,4},{x,0}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",289}]}.
    {call,1,{f,61}}. % perform/1
    {test_heap,8,1}.
    {get_tuple_element,{y,1},0,{x,1}}.
    {get_tuple_element,{y,1},1,{x,2}}.
    {put_tuple2,{x,0},{list,[{y,0},{x,0}]}}.
    {put_list,{x,0},{x,2},{x,0}}.
    {put_tuple2,{x,0},{list,[{x,1},{x,0}]}}.
    {deallocate,2}.
    return.
  {label,108}.
    {test_heap,4,5}.
    {put_tuple2,{x,0},{list,[{atom,'begin'},{x,3},{x,4}]}}.
    {call_only,2,{f,105}}. % act/2
  {label,109}.
    {test,is_tuple,{f,104},[{x,1}]}.
    {test,test_arity,{f,104},[{x,1},2]}.
    {allocate,6,5}.
    {init_yregs,{list,[{y,0},{y,1}]}}.
    {move,{x,3},{y,4}}.
    {get_tuple_element,{x,1},0,{y,3}}.
    {get_tuple_element,{x,1},1,{y,2}}.
    {'try',{y,5},{f,111}}.
    {move,{x,4},{x,1}}.
    {move,{y,3},{x,2}}.
    {move,{x,3},{x,0}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",293}]}.
    {call,3,{f,117}}. % 'begin'/3
    {try_end,{y,5}}.
    {test,is_tagged_tuple,{f,110},[{x,0},2,{atom,answered}]}.
    {test_heap,8,1}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {put_tuple2,{x,0},{list,[{y,4},{x,0}]}}.
    {put_list,{x,0},{y,2},{x,0}}.
    {put_tuple2,{x,0},{list,[{y,3},{x,0}]}}.
    {deallocate,6}.
    return.
  {label,110}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{x,0},{y,2}]}}.
    {deallocate,6}.
    return.
  {label,111}.
    {try_case,{y,5}}.
    {move,{x,1},{y,0}}.
    {move,{x,0},{y,1}}.
    {move,{x,2},{x,0}}.
    build_stacktrace.
    {test_heap,12,1}.
    {put_tuple2,{x,0},{list,[{y,1},{y,0},{x,0}]}}.
    {put_tuple2,{x,0},{list,[{y,4},{x,0}]}}.
    {put_list,{x,0},{y,2},{x,0}}.
    {put_tuple2,{x,0},{list,[{y,3},{x,0}]}}.
    {deallocate,6}.
    return.
  {label,112}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {get_tuple_element,{x,0},1,{x,3}}.
    {select_val,{x,2},
                {f,104},
                {list,[{atom,cancel},
                       {f,115},
                       {atom,do},
                       {f,114},
                       {atom,take},
                       {f,113}]}}.
  {label,113}.
    {test,is_tagged_tuple,{f,104},[{x,3},3,{atom,'receive'}]}.
    {allocate,1,4}.
    {move,{x,1},{y,0}}.
    {get_tuple_element,{x,3},1,{x,0}}.
    {move,{integer,0},{x,1}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",284}]}.
    {call,2,{f,481}}. % take/2
    {move,{y,0},{x,0}}.
    {deallocate,1}.
    return.
  {label,114}.
    {allocate,1,4}.
    {move,{x,1},{y,0}}.
    {move,{x,3},{x,0}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",281}]}.
    {call,1,{f,61}}. % perform/1
    {move,{y,0},{x,0}}.
    {deallocate,1}.
    return.
  {label,115}.
    {test,is_tuple,{f,104},[{x,1}]}.
    {test,test_arity,{f,104},[{x,1},2]}.
    {allocate,2,4}.
    {move,{x,3},{y,1}}.
    {get_tuple_element,{x,1},0,{x,0}}.
    {get_tuple_element,{x,1},1,{y,0}}.
    {move,{x,0},{x,1}}.
    {move,{x,3},{x,0}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",287}]}.
    {call,2,{f,222}}. % cancel/2
    {swap,{y,1},{x,0}}.
    {move,{y,0},{x,2}}.
    {move,{integer,1},{x,1}}.
    {trim,1,1}.
    {call_ext,3,{extfunc,lists,keydelete,3}}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{y,0},{x,0}]}}.
    {deallocate,1}.
    return.


{function, 'begin', 3, 117}.
  {label,116}.
    {line,[{location,"src/upgrades_nif.erl",300}]}.
    {func_info,{atom,upgrades_nif},{atom,'begin'},3}.
  {label,117}.
    {test,is_tuple,{f,132},[{x,1}]}.
    {select_tuple_arity,{tr,{x,1},{t_tuple,0,false,#{}}},
                        {f,132},
                        {list,[2,{f,128},3,{f,125},4,{f,118}]}}.
  {label,118}.
    {get_tuple_element,{x,1},0,{x,3}}.
    {select_val,{x,3},
                {f,132},
                {list,[{atom,apply},{f,124},{atom,call},{f,119}]}}.
  {label,119}.
    {allocate,5,3}.
    {init_yregs,{list,[{y,0},{y,1}]}}.
    {move,{x,2},{y,2}}.
    {move,{x,1},{y,3}}.
    {move,{x,0},{y,4}}.
    {get_tuple_element,{x,1},1,{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",304}]}.
    {call,1,{f,138}}. % called/1
    {test,is_tuple,{f,133},[{x,0}]}.
    {test,test_arity,{f,133},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{y,1}}.
    {select_val,{x,1},{f,133},{list,[{atom,error},{f,123},{atom,ok},{f,120}]}}.
  {label,120}.
    {get_tuple_element,{y,3},2,{x,1}}.
    {move,{y,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",307}]}.
    {call,2,{f,471}}. % request/2
    {move,{x,0},{y,0}}.
    {test,is_map,{f,122},[{y,2}]}.
    {test_heap,5,0}.
    {put_tuple2,{x,0},{list,[{atom,called},{y,4},{y,1},{y,3}]}}.
    {put_map_assoc,{f,0},{y,2},{y,2},1,{list,[{y,0},{x,0}]}}.
    {get_tuple_element,{y,3},3,{x,0}}.
    {init_yregs,{list,[{y,1}]}}.
    {line,[{location,"src/upgrades_nif.erl",309}]}.
    {call,1,{f,135}}. % limited/1
    {test,is_eq_exact,{f,121},[{x,0},{atom,infinity}]}.
    {test_heap,4,0}.
    {put_tuple2,{x,0},{list,[{atom,call},{y,0},{atom,none}]}}.
    {put_map_assoc,{f,0},{y,2},{x,0},1,{list,[{y,4},{x,0}]}}.
    {deallocate,5}.
    return.
  {label,121}.
    {bif,self,{f,0},[],{x,1}}.
    {move,{atom,'$otp_rs'},{x,2}}.
    {line,[{location,"src/upgrades_nif.erl",312}]}.
    {call_ext,3,{extfunc,erlang,start_timer,3}}.
    {test_heap,8,1}.
    {put_tuple2,{x,1},{list,[{atom,call},{y,0},{x,0}]}}.
    {put_tuple2,{x,2},{list,[{atom,late},{y,4},{y,3}]}}.
    {put_map_assoc,{f,0},{y,2},{x,1},3,{list,[{y,4},{x,1}]}}.
    {put_map_assoc,{f,0},{x,1},{x,0},3,{list,[{x,0},{x,2}]}}.
    {deallocate,5}.
    return.
  {label,122}.
    {test_heap,3,0}.
    {put_tuple2,{x,0},{list,[{atom,badmap},{y,2}]}}.
    {line,[{location,"src/upgrades_nif.erl",308}]}.
    {call_ext_last,1,{extfunc,erlang,error,1},5}.
  {label,123}.
    {move,{y,3},{x,1}}.
    {move,{y,1},{x,0}}.
    {trim,5,0}.
    {line,[{location,"src/upgrades_nif.erl",305}]}.
    {call,2,{f,157}}. % call_exit/2
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,answered},{x,0}]}}.
    {deallocate,0}.
    return.
  {label,124}.
    {call_only,3,{f,260}}. % begin_function/3
  {label,125}.
    {get_tuple_element,{x,1},0,{x,3}}.
    {test,is_eq_exact,{f,132},[{x,3},{atom,'receive'}]}.
    {allocate,3,3}.
    {move,{x,2},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{x,0},{y,2}}.
    {move,{x,2},{x,1}}.
    {move,nil,{x,2}}.
    {move,{atom,'receive'},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",321}]}.
    {call_ext,3,{extfunc,maps,get,3}}.
    {test_heap,5,1}.
    {get_tuple_element,{y,1},1,{x,1}}.
    {put_tuple2,{x,1},{list,[{y,2},{x,1}]}}.
    {put_list,{x,1},nil,{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",322}]}.
    {call_ext,2,{extfunc,erlang,'++',2}}.
    {test,is_map,{f,127},[{y,0}]}.
    {put_map_assoc,{f,0},{y,0},{y,0},1,{list,[{atom,'receive'},{x,0}]}}.
    {get_tuple_element,{y,1},2,{x,0}}.
    {init_yregs,{list,[{y,1}]}}.
    {line,[{location,"src/upgrades_nif.erl",323}]}.
    {call,1,{f,135}}. % limited/1
    {test,is_eq_exact,{f,126},[{x,0},{atom,infinity}]}.
    {put_map_assoc,{f,0},
                   {y,0},
                   {x,0},
                   0,
                   {list,[{y,2},{literal,{'receive',none}}]}}.
    {deallocate,3}.
    return.
  {label,126}.
    {bif,self,{f,0},[],{x,1}}.
    {move,{atom,'$otp_rs'},{x,2}}.
    {line,[{location,"src/upgrades_nif.erl",326}]}.
    {call_ext,3,{extfunc,erlang,start_timer,3}}.
    {test_heap,6,1}.
    {put_tuple2,{x,1},{list,[{atom,'receive'},{x,0}]}}.
    {put_tuple2,{x,2},{list,[{atom,nothing_came},{y,2}]}}.
    {put_map_assoc,{f,0},{y,0},{x,1},3,{list,[{y,2},{x,1}]}}.
    {put_map_assoc,{f,0},{x,1},{x,0},3,{list,[{x,0},{x,2}]}}.
    {deallocate,3}.
    return.
  {label,127}.
    {test_heap,3,0}.
    {put_tuple2,{x,0},{list,[{atom,badmap},{y,0}]}}.
    {line,[{location,"src/upgrades_nif.erl",322}]}.
    {call_ext_last,1,{extfunc,erlang,error,1},3}.
  {label,128}.
    {get_tuple_element,{x,1},0,{x,3}}.
    {select_val,{x,3},
                {f,132},
                {list,[{atom,in_process},{f,131},{atom,sleep},{f,129}]}}.
  {label,129}.
    {allocate,2,3}.
    {move,{x,2},{y,0}}.
    {move,{x,0},{y,1}}.
    {bif,self,{f,0},[],{x,0}}.
    {get_tuple_element,{x,1},1,{x,1}}.
    {move,{atom,'$otp_rs'},{x,2}}.
    {swap,{x,0},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",301}]}.
    {call_ext,3,{extfunc,erlang,start_timer,3}}.
    {test,is_map,{f,130},[{y,0}]}.
    {test_heap,6,1}.
    {put_tuple2,{x,1},{list,[{atom,sleep},{x,0}]}}.
    {put_tuple2,{x,2},{list,[{atom,slept},{y,1}]}}.
    {put_map_assoc,{f,0},{y,0},{x,1},3,{list,[{y,1},{x,1}]}}.
    {put_map_assoc,{f,0},{x,1},{x,0},3,{list,[{x,0},{x,2}]}}.
    {deallocate,2}.
    return.
  {label,130}.
    {test_heap,3,0}.
    {put_tuple2,{x,0},{list,[{atom,badmap},{y,0}]}}.
    {line,[{location,"src/upgrades_nif.erl",302}]}.
    {call_ext_last,1,{extfunc,erlang,error,1},2}.
  {label,131}.
    {call_only,3,{f,270}}. % begin_beside/3
  {label,132}.
    {allocate,0,2}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",330}]}.
    {call,1,{f,436}}. % at_once/1
    {test_heap,6,1}.
    {put_tuple2,{x,0},{list,[{atom,ok},{x,0}]}}.
    {put_tuple2,{x,0},{list,[{atom,answered},{x,0}]}}.
    {deallocate,0}.
    return.
  {label,133}.
    {line,[{location,"src/upgrades_nif.erl",304}]}.
    {case_end,{x,0}}.


{function, limited, 1, 135}.
  {label,134}.
    {line,[{location,"src/upgrades_nif.erl",334}]}.
    {func_info,{atom,upgrades_nif},{atom,limited},1}.
  {label,135}.
    {test,is_eq_exact,{f,136},[{x,0},{atom,infinity}]}.
    return.
  {label,136}.
    {move,{integer,4294967295},{x,1}}.
    {call_ext_only,2,{extfunc,erlang,min,2}}.


{function, called, 1, 138}.
  {label,137}.
    {line,[{location,"src/upgrades_nif.erl",341}]}.
    {func_info,{atom,upgrades_nif},{atom,called},1}.
  {label,138}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",342}]}.
    {call,1,{f,143}}. % process_of/1
    {test,is_eq_exact,{f,139},[{x,0},{atom,undefined}]}.
    {move,{literal,{error,noproc}},{x,0}}.
    {deallocate,0}.
    return.
  {label,139}.
    {bif,self,{f,0},[],{x,1}}.
    {test,is_eq_exact,{f,140},[{x,0},{x,1}]}.
    {move,{literal,{error,calling_self}},{x,0}}.
    {deallocate,0}.
    return.
  {label,140}.
    {test,is_tuple,{f,141},[{x,0}]}.
    {test,test_arity,{f,141},[{x,0},2]}.
    {bif,node,{f,0},[],{x,1}}.
    {test,is_eq_exact,{f,141},[{tr,{x,1},{t_atom,any}},{atom,nonode@nohost}]}.
    {test_heap,6,1}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,nodedown},{x,0}]}}.
    {put_tuple2,{x,0},{list,[{atom,error},{x,0}]}}.
    {deallocate,0}.
    return.
  {label,141}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,ok},{x,0}]}}.
    {deallocate,0}.
    return.


{function, process_of, 1, 143}.
  {label,142}.
    {line,[{location,"src/upgrades_nif.erl",350}]}.
    {func_info,{atom,upgrades_nif},{atom,process_of},1}.
  {label,143}.
    {test,is_tuple,{f,147},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,147},
                        {list,[2,{f,145},3,{f,144}]}}.
  {label,144}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_eq_exact,{f,147},[{x,1},{atom,via}]}.
    {allocate,0,1}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {get_tuple_element,{x,0},2,{x,0}}.
    {move,{atom,whereis_name},{x,2}}.
    {line,[{location,"src/upgrades_nif.erl",351}]}.
    {apply_last,1,0}.
  {label,145}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {test,is_eq_exact,{f,146},[{x,1},{atom,global}]}.
    {move,{x,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",350}]}.
    {call_ext_only,1,{extfunc,global,whereis_name,1}}.
  {label,146}.
    {bif,node,{f,0},[],{x,3}}.
    {test,is_eq_exact,{f,147},[{x,2},{tr,{x,3},{t_atom,any}}]}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",352}]}.
    {call_ext_only,1,{extfunc,erlang,whereis,1}}.
  {label,147}.
    {test,is_atom,{f,148},[{x,0}]}.
    {line,[{location,"src/upgrades_nif.erl",353}]}.
    {call_ext_only,1,{extfunc,erlang,whereis,1}}.
  {label,148}.
    return.


{function, down, 3, 150}.
  {label,149}.
    {line,[{location,"src/upgrades_nif.erl",358}]}.
    {func_info,{atom,upgrades_nif},{atom,down},3}.
  {label,150}.
    {test,is_eq_exact,{f,155},[{x,0},{atom,noconnection}]}.
    {test,is_tuple,{f,153},[{x,1}]}.
    {select_tuple_arity,{tr,{x,1},{t_tuple,0,false,#{}}},
                        {f,153},
                        {list,[2,{f,152},3,{f,151}]}}.
  {label,151}.
    {get_tuple_element,{x,1},0,{x,0}}.
    {test,is_eq_exact,{f,153},[{x,0},{atom,via}]}.
    {move,{atom,noproc},{x,0}}.
    return.
  {label,152}.
    {get_tuple_element,{x,1},0,{x,0}}.
    {test,is_eq_exact,{f,153},[{x,0},{atom,global}]}.
    {test,is_pid,{f,153},[{x,2}]}.
    {move,{atom,noproc},{x,0}}.
    return.
  {label,153}.
    {test,is_tuple,{f,154},[{x,2}]}.
    {test,test_arity,{f,154},[{x,2},2]}.
    {test_heap,3,3}.
    {get_tuple_element,{x,2},1,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,nodedown},{x,0}]}}.
    return.
  {label,154}.
    {line,[{location,"src/upgrades_nif.erl",361}]}.
    {bif,node,{f,0},[{x,2}],{x,0}}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,nodedown},{x,0}]}}.
    return.
  {label,155}.
    return.


{function, call_exit, 2, 157}.
  {label,156}.
    {line,[{location,"src/upgrades_nif.erl",366}]}.
    {func_info,{atom,upgrades_nif},{atom,call_exit},2}.
  {label,157}.
    {test,is_tagged_tuple,{f,156},[{x,1},4,{atom,call}]}.
    {test_heap,17,2}.
    {get_tuple_element,{x,1},1,{x,2}}.
    {get_tuple_element,{x,1},2,{x,3}}.
    {get_tuple_element,{x,1},3,{x,1}}.
    {put_list,{x,1},nil,{x,1}}.
    {put_list,{x,3},{x,1},{x,1}}.
    {put_list,{x,2},{x,1},{x,1}}.
    {put_tuple2,{x,1},{list,[{atom,gen_server},{atom,call},{x,1}]}}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1}]}}.
    {put_tuple2,{x,0},{list,[{atom,exit},{x,0},nil]}}.
    return.


{function, await, 3, 159}.
  {label,158}.
    {line,[{location,"src/upgrades_nif.erl",372}]}.
    {func_info,{atom,upgrades_nif},{atom,await},3}.
  {label,159}.
    {bif,is_map_key,{f,160},[{atom,'receive'},{x,0}],{x,3}}.
    {test,is_eq_exact,{f,160},[{x,3},{atom,true}]}.
    {call_only,3,{f,525}}. % await_messages/3
  {label,160}.
    {allocate,3,3}.
    {move,{x,2},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{x,0},{y,2}}.
  {label,161}.
    {loop_rec,{f,170},{x,0}}.
    {test,is_tuple,{f,169},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,169},
                        {list,[2,{f,165},3,{f,164},4,{f,163},5,{f,162}]}}.
  {label,162}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {get_tuple_element,{x,0},2,{x,3}}.
    {test,is_eq_exact,{f,169},[{x,1},{atom,'DOWN'}]}.
    {test,is_eq_exact,{f,169},[{x,3},{atom,process}]}.
    {jump,{f,167}}.
  {label,163}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {get_tuple_element,{x,0},2,{x,3}}.
    {test,is_eq_exact,{f,169},[{x,1},{atom,'$otp_rs'}]}.
    {test,is_eq_exact,{f,169},[{x,2},{atom,to}]}.
    {test,is_integer,{f,169},[{x,3}]}.
    {test,is_ge,{f,169},[{tr,{x,3},{t_integer,any}},{integer,0}]}.
    {jump,{f,168}}.
  {label,164}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {get_tuple_element,{x,0},2,{x,3}}.
    {test,is_eq_exact,{f,169},[{x,1},{atom,timeout}]}.
    {test,is_eq_exact,{f,169},[{x,3},{atom,'$otp_rs'}]}.
    {jump,{f,167}}.
  {label,165}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {test,is_nonempty_list,{f,166},[{x,1}]}.
    {get_list,{x,1},{x,2},{x,1}}.
    {test,is_eq_exact,{f,169},[{x,2},{atom,alias}]}.
    {test,is_reference,{f,169},[{x,1}]}.
    {bif,is_map_key,{f,169},[{tr,{x,1},reference},{y,2}],{x,1}}.
    {test,is_eq_exact,{f,169},[{x,1},{atom,true}]}.
    {jump,{f,168}}.
  {label,166}.
    {test,is_eq_exact,{f,169},[{x,1},{atom,'$otp_rs'}]}.
    {test,is_eq_exact,{f,167},[{x,2},{atom,wake}]}.
    remove_message.
    {move,{y,0},{x,2}}.
    {move,{y,2},{x,1}}.
    {move,{literal,{'$otp_rs',wake}},{x,0}}.
    {call_last,3,{f,172},3}. % answered/3
  {label,167}.
    {test,is_reference,{f,169},[{x,2}]}.
    {bif,is_map_key,{f,169},[{tr,{x,2},reference},{y,2}],{x,1}}.
    {test,is_eq_exact,{f,169},[{x,1},{atom,true}]}.
  {label,168}.
    remove_message.
    {move,{y,0},{x,2}}.
    {move,{y,2},{x,1}}.
    {call_last,3,{f,172},3}. % answered/3
  {label,169}.
    {loop_rec_end,{f,161}}.
  {label,170}.
    {wait_timeout,{f,161},{y,1}}.
    timeout.
    {test_heap,3,0}.
    {put_tuple2,{x,0},{list,[{y,2},{y,0}]}}.
    {deallocate,3}.
    return.


{function, answered, 3, 172}.
  {label,171}.
    {line,[{location,"src/upgrades_nif.erl",394}]}.
    {func_info,{atom,upgrades_nif},{atom,answered},3}.
  {label,172}.
    {allocate,1,3}.
    {move,{x,2},{y,0}}.
    {line,[{location,"src/upgrades_nif.erl",395}]}.
    {call,2,{f,175}}. % answer/2
    {test,is_tuple,{f,173},[{x,0}]}.
    {test,test_arity,{f,173},[{x,0},2]}.
    {test_heap,2,1}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {put_list,{x,1},{y,0},{x,2}}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {move,{integer,0},{x,1}}.
    {call_last,3,{f,159},1}. % await/3
  {label,173}.
    {badmatch,{x,0}}.


{function, answer, 2, 175}.
  {label,174}.
    {line,[{location,"src/upgrades_nif.erl",399}]}.
    {func_info,{atom,upgrades_nif},{atom,answer},2}.
  {label,175}.
    {test,is_tuple,{f,174},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,174},
                        {list,[2,{f,183},3,{f,178},4,{f,177},5,{f,176}]}}.
  {label,176}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_eq_exact,{f,174},[{x,2},{atom,'DOWN'}]}.
    {get_tuple_element,{x,0},2,{x,2}}.
    {test,is_eq_exact,{f,174},[{x,2},{atom,process}]}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {line,[{location,"src/upgrades_nif.erl",403}]}.
    {bif,map_get,{f,0},[{x,2},{x,1}],{x,2}}.
    {allocate,0,3}.
    {get_tuple_element,{x,0},4,{x,0}}.
    {swap,{x,1},{x,2}}.
    {swap,{x,0},{x,1}}.
    {call,3,{f,192}}. % ended/3
    {test,is_tuple,{f,187},[{x,0}]}.
    {test,test_arity,{f,187},[{x,0},3]}.
    {test_heap,6,1}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {get_tuple_element,{x,0},2,{x,0}}.
    {put_tuple2,{x,0},{list,[{x,1},{x,0}]}}.
    {put_tuple2,{x,0},{list,[{x,2},{x,0}]}}.
    {deallocate,0}.
    return.
  {label,177}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_eq_exact,{f,174},[{x,2},{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {test,is_eq_exact,{f,174},[{x,2},{atom,to}]}.
    {test_heap,7,2}.
    {get_tuple_element,{x,0},2,{x,2}}.
    {get_tuple_element,{x,0},3,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,to},{x,2},{x,0}]}}.
    {put_tuple2,{x,0},{list,[{x,1},{x,0}]}}.
    return.
  {label,178}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_eq_exact,{f,174},[{x,2},{atom,timeout}]}.
    {get_tuple_element,{x,0},2,{x,2}}.
    {test,is_eq_exact,{f,174},[{x,2},{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",406}]}.
    {bif,map_get,{f,0},[{x,0},{x,1}],{x,0}}.
    {test,is_tuple,{f,188},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,188},
                        {list,[2,{f,180},3,{f,179}]}}.
  {label,179}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {get_tuple_element,{x,0},2,{x,3}}.
    {test,is_eq_exact,{f,188},[{x,2},{atom,late}]}.
    {allocate,2,4}.
    {move,{x,3},{y,1}}.
    {get_tuple_element,{x,0},1,{y,0}}.
    {move,{y,0},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",409}]}.
    {call,2,{f,222}}. % cancel/2
    {move,{y,1},{x,1}}.
    {move,{x,0},{y,1}}.
    {move,{atom,timeout},{x,0}}.
    {call,2,{f,157}}. % call_exit/2
    {test_heap,6,1}.
    {put_tuple2,{x,0},{list,[{y,0},{x,0}]}}.
    {put_tuple2,{x,0},{list,[{y,1},{x,0}]}}.
    {deallocate,2}.
    return.
  {label,180}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {get_tuple_element,{x,0},1,{x,3}}.
    {select_val,{x,2},
                {f,188},
                {list,[{atom,nothing_came},{f,182},{atom,slept},{f,181}]}}.
  {label,181}.
    {allocate,1,4}.
    {move,{x,3},{y,0}}.
    {move,{x,3},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",407}]}.
    {call,2,{f,197}}. % over/2
    {test_heap,6,1}.
    {put_tuple2,{x,1},{list,[{y,0},{literal,{ok,ok}}]}}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1}]}}.
    {deallocate,1}.
    return.
  {label,182}.
    {allocate,1,4}.
    {move,{x,3},{y,0}}.
    {move,{x,3},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",408}]}.
    {call,2,{f,197}}. % over/2
    {test_heap,6,1}.
    {put_tuple2,{x,1},{list,[{y,0},{literal,{ok,[]}}]}}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1}]}}.
    {deallocate,1}.
    return.
  {label,183}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {get_tuple_element,{x,0},1,{x,3}}.
    {test,is_nonempty_list,{f,184},[{x,2}]}.
    {get_list,{x,2},{x,4},{x,2}}.
    {test,is_eq_exact,{f,174},[{x,4},{atom,alias}]}.
    {line,[{location,"src/upgrades_nif.erl",400}]}.
    {bif,map_get,{f,0},[{x,2},{x,1}],{x,0}}.
    {test,is_tuple,{f,189},[{x,0}]}.
    {test,test_arity,{f,189},[{x,0},4]}.
    {allocate,2,4}.
    {move,{x,3},{y,1}}.
    {get_tuple_element,{x,0},1,{y,0}}.
    {move,{y,0},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",401}]}.
    {call,2,{f,197}}. % over/2
    {test_heap,9,1}.
    {put_tuple2,{x,1},{list,[{atom,ok},{y,1}]}}.
    {put_tuple2,{x,1},{list,[{y,0},{x,1}]}}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1}]}}.
    {deallocate,2}.
    return.
  {label,184}.
    {test,is_eq_exact,{f,174},[{x,2},{atom,'$otp_rs'}]}.
    {select_val,{x,3},
                {f,186},
                {list,[{atom,tasks},{f,185},{atom,wake},{f,185}]}}.
  {label,185}.
    {test_heap,3,4}.
    {put_tuple2,{x,0},{list,[{x,1},{x,3}]}}.
    return.
  {label,186}.
    {allocate,0,4}.
    {move,{x,3},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",416}]}.
    {call_ext,2,{extfunc,maps,take,2}}.
    {test,is_tuple,
          {f,190},
          [{tr,{x,0},
               {t_union,{t_atom,[error]},
                        none,none,
                        {t_tuple,2,true,#{2 => {t_map,any,any}}},
                        none}}]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_tagged_tuple,{f,190},[{x,1},2,{atom,answered}]}.
    {test_heap,3,2}.
    {get_tuple_element,{x,1},1,{x,1}}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1}]}}.
    {deallocate,0}.
    return.
  {label,187}.
    {line,[{location,"src/upgrades_nif.erl",403}]}.
    {badmatch,{x,0}}.
  {label,188}.
    {line,[{location,"src/upgrades_nif.erl",406}]}.
    {case_end,{x,0}}.
  {label,189}.
    {line,[{location,"src/upgrades_nif.erl",400}]}.
    {badmatch,{x,0}}.
  {label,190}.
    {line,[{location,"src/upgrades_nif.erl",416}]}.
    {badmatch,{x,0}}.


{function, ended, 3, 192}.
  {label,191}.
    {line,[{location,"src/upgrades_nif.erl",421}]}.
    {func_info,{atom,upgrades_nif},{atom,ended},3}.
  {label,192}.
    {test,is_tuple,{f,191},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,191},
                        {list,[2,{f,194},4,{f,193}]}}.
  {label,193}.
    {get_tuple_element,{x,0},0,{x,3}}.
    {get_tuple_element,{x,0},2,{x,4}}.
    {test,is_eq_exact,{f,191},[{x,3},{atom,called}]}.
    {get_tuple_element,{x,0},3,{x,3}}.
    {test,is_tagged_tuple,{f,191},[{x,3},4,{atom,call}]}.
    {allocate,4,5}.
    {move,{x,4},{y,1}}.
    {move,{x,3},{y,2}}.
    {move,{x,1},{y,3}}.
    {get_tuple_element,{x,0},1,{y,0}}.
    {move,{x,2},{x,1}}.
    {move,{y,0},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",422}]}.
    {call,2,{f,222}}. % cancel/2
    {get_tuple_element,{y,2},1,{x,1}}.
    {swap,{y,3},{x,0}}.
    {move,{y,1},{x,2}}.
    {move,{y,0},{y,1}}.
    {trim,1,3}.
    {call,3,{f,150}}. % down/3
    {move,{y,1},{x,1}}.
    {move,{y,0},{y,1}}.
    {trim,1,2}.
    {call,2,{f,157}}. % call_exit/2
    {test_heap,4,1}.
    {put_tuple2,{x,0},{list,[{y,0},{y,1},{x,0}]}}.
    {deallocate,2}.
    return.
  {label,194}.
    {get_tuple_element,{x,0},0,{x,3}}.
    {test,is_eq_exact,{f,191},[{x,3},{atom,applied}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_tagged_tuple,{f,195},[{x,1},2,{atom,'$otp_rs'}]}.
    {allocate,2,3}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{x,2},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",424}]}.
    {call,2,{f,197}}. % over/2
    {test_heap,4,1}.
    {get_tuple_element,{y,1},1,{x,1}}.
    {put_tuple2,{x,0},{list,[{y,0},{x,0},{x,1}]}}.
    {deallocate,2}.
    return.
  {label,195}.
    {allocate,2,3}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{x,2},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",426}]}.
    {call,2,{f,222}}. % cancel/2
    {test_heap,8,1}.
    {put_tuple2,{x,1},{list,[{atom,exit},{y,1},nil]}}.
    {put_tuple2,{x,0},{list,[{y,0},{x,0},{x,1}]}}.
    {deallocate,2}.
    return.


{function, over, 2, 197}.
  {label,196}.
    {line,[{location,"src/upgrades_nif.erl",430}]}.
    {func_info,{atom,upgrades_nif},{atom,over},2}.
  {label,197}.
    {line,[{location,"src/upgrades_nif.erl",431}]}.
    {bif,map_get,{f,0},[{x,0},{x,1}],{x,2}}.
    {test,is_tuple,{f,204},[{x,2}]}.
    {select_tuple_arity,{tr,{x,2},{t_tuple,0,false,#{}}},
                        {f,204},
                        {list,[2,{f,201},3,{f,198}]}}.
  {label,198}.
    {get_tuple_element,{x,2},0,{x,3}}.
    {get_tuple_element,{x,2},1,{x,4}}.
    {get_tuple_element,{x,2},2,{x,5}}.
    {select_val,{x,3},
                {f,204},
                {list,[{atom,apply},{f,200},{atom,call},{f,199}]}}.
  {label,199}.
    {allocate,4,6}.
    {move,{x,4},{y,0}}.
    {move,{x,5},{y,1}}.
    {move,{x,1},{y,2}}.
    {move,{x,0},{y,3}}.
    {move,{x,5},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",438}]}.
    {call,1,{f,244}}. % stop_timer/1
    {test_heap,6,0}.
    {put_list,{y,1},nil,{x,0}}.
    {put_list,{y,0},{x,0},{x,0}}.
    {put_list,{y,3},{x,0},{x,0}}.
    {move,{y,2},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",439}]}.
    {call_ext_last,2,{extfunc,maps,without,2},4}.
  {label,200}.
    {test_heap,4,6}.
    {put_list,{x,5},nil,{x,2}}.
    {put_list,{x,0},{x,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",433}]}.
    {call_ext_only,2,{extfunc,maps,without,2}}.
  {label,201}.
    {get_tuple_element,{x,2},0,{x,3}}.
    {get_tuple_element,{x,2},1,{x,4}}.
    {select_val,{x,3},
                {f,204},
                {list,[{atom,'receive'},{f,203},{atom,sleep},{f,202}]}}.
  {label,202}.
    {test_heap,4,5}.
    {put_list,{x,4},nil,{x,2}}.
    {put_list,{x,0},{x,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",432}]}.
    {call_ext_only,2,{extfunc,maps,without,2}}.
  {label,203}.
    {allocate,3,5}.
    {move,{x,4},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{x,0},{y,2}}.
    {move,{x,4},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",435}]}.
    {call,1,{f,244}}. % stop_timer/1
    {test_heap,4,0}.
    {put_list,{y,0},nil,{x,0}}.
    {put_list,{y,2},{x,0},{x,0}}.
    {move,{y,1},{x,1}}.
    {trim,2,1}.
    {line,[{location,"src/upgrades_nif.erl",436}]}.
    {call_ext,2,{extfunc,maps,without,2}}.
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,241},1}. % not_receiving/2
  {label,204}.
    {line,[{location,"src/upgrades_nif.erl",431}]}.
    {case_end,{x,2}}.


{function, end_all, 2, 206}.
  {label,205}.
    {line,[{location,"src/upgrades_nif.erl",443}]}.
    {func_info,{atom,upgrades_nif},{atom,end_all},2}.
  {label,206}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",444}]}.
    {call,1,{f,216}}. % cancel_all/1
    {move,{y,0},{x,0}}.
    {trim,1,0}.
    {line,[{location,"src/upgrades_nif.erl",445}]}.
    {call,1,{f,756}}. % '-end_all/2-lc$^0/1-0-'/1
    {move,{atom,ok},{x,0}}.
    {deallocate,0}.
    return.


{function, end_with, 1, 208}.
  {label,207}.
    {line,[{location,"src/upgrades_nif.erl",449}]}.
    {func_info,{atom,upgrades_nif},{atom,end_with},1}.
  {label,208}.
    {test,is_eq_exact,{f,209},[{x,0},{atom,wake}]}.
    {call_only,0,{f,211}}. % flush_wakes/0
  {label,209}.
    {allocate,0,1}.
    {move,{literal,{#{},[]}},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",450}]}.
    {call,2,{f,105}}. % act/2
    {move,{atom,ok},{x,0}}.
    {deallocate,0}.
    return.


{function, flush_wakes, 0, 211}.
  {label,210}.
    {line,[{location,"src/upgrades_nif.erl",453}]}.
    {func_info,{atom,upgrades_nif},{atom,flush_wakes},0}.
  {label,211}.
    {allocate,0,0}.
  {label,212}.
    {loop_rec,{f,214},{x,0}}.
    {test,is_eq_exact,{f,213},[{x,0},{literal,{'$otp_rs',wake}}]}.
    remove_message.
    {call_last,0,{f,211},0}. % flush_wakes/0
  {label,213}.
    {loop_rec_end,{f,212}}.
  {label,214}.
    timeout.
    {move,{atom,ok},{x,0}}.
    {deallocate,0}.
    return.


{function, cancel_all, 1, 216}.
  {label,215}.
    {line,[{location,"src/upgrades_nif.erl",457}]}.
    {func_info,{atom,upgrades_nif},{atom,cancel_all},1}.
  {label,216}.
    {gc_bif,map_size,{f,217},1,[{x,0}],{x,1}}.
    {test,is_eq_exact,
          {f,217},
          [{tr,{x,1},{t_integer,{0,288230376151711743}}},{integer,0}]}.
    {move,{atom,ok},{x,0}}.
    return.
  {label,217}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {line,[{location,"src/upgrades_nif.erl",459}]}.
    {call_ext,1,{extfunc,maps,keys,1}}.
    {call,1,{f,751}}. % '-cancel_all/1-lc$^0/1-0-'/1
    {move,{y,0},{x,1}}.
    {call_last,2,{f,219},1}. % cancel_all/2


{function, cancel_all, 2, 219}.
  {label,218}.
    {line,[{location,"src/upgrades_nif.erl",462}]}.
    {func_info,{atom,upgrades_nif},{atom,cancel_all},2}.
  {label,219}.
    {test,is_nonempty_list,{f,220},[{x,0}]}.
    {allocate,1,2}.
    {get_list,{x,0},{x,0},{y,0}}.
    {call,2,{f,222}}. % cancel/2
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,219},1}. % cancel_all/2
  {label,220}.
    {test,is_nil,{f,218},[{x,0}]}.
    {move,{atom,ok},{x,0}}.
    return.


{function, cancel, 2, 222}.
  {label,221}.
    {line,[{location,"src/upgrades_nif.erl",467}]}.
    {func_info,{atom,upgrades_nif},{atom,cancel},2}.
  {label,222}.
    {test,is_map,{f,234},[{x,1}]}.
    {get_map_elements,{f,233},{tr,{x,1},{t_map,any,any}},{list,[{x,0},{x,2}]}}.
    {test,is_tuple,{f,233},[{x,2}]}.
    {select_tuple_arity,{tr,{x,2},{t_tuple,0,false,#{}}},
                        {f,233},
                        {list,[2,{f,230},3,{f,223}]}}.
  {label,223}.
    {get_tuple_element,{x,2},0,{x,3}}.
    {get_tuple_element,{x,2},1,{x,4}}.
    {get_tuple_element,{x,2},2,{x,2}}.
    {select_val,{x,3},
                {f,233},
                {list,[{atom,apply},{f,229},{atom,call},{f,224}]}}.
  {label,224}.
    {allocate,4,5}.
    {move,{x,4},{y,0}}.
    {move,{x,2},{y,1}}.
    {move,{x,1},{y,2}}.
    {move,{x,0},{y,3}}.
    {move,{literal,[flush]},{x,1}}.
    {move,{x,4},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",473}]}.
    {call_ext,2,{extfunc,erlang,demonitor,2}}.
  {label,225}.
    {loop_rec,{f,227},{x,0}}.
    {test,is_tuple,{f,226},[{x,0}]}.
    {test,test_arity,{f,226},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {test,is_nonempty_list,{f,226},[{x,0}]}.
    {get_list,{x,0},{x,1},{x,0}}.
    {test,is_eq_exact,{f,226},[{x,1},{atom,alias}]}.
    {test,is_eq_exact,{f,226},[{x,0},{y,0}]}.
    remove_message.
    {jump,{f,228}}.
  {label,226}.
    {loop_rec_end,{f,225}}.
  {label,227}.
    timeout.
  {label,228}.
    {move,{y,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",475}]}.
    {call,1,{f,244}}. % stop_timer/1
    {test_heap,6,0}.
    {put_list,{y,1},nil,{x,0}}.
    {put_list,{y,0},{x,0},{x,0}}.
    {put_list,{y,3},{x,0},{x,0}}.
    {move,{y,2},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",476}]}.
    {call_ext_last,2,{extfunc,maps,without,2},4}.
  {label,229}.
    {allocate,4,5}.
    {move,{x,4},{y,0}}.
    {move,{x,2},{y,1}}.
    {move,{x,1},{y,2}}.
    {move,{x,0},{y,3}}.
    {move,{x,4},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",478}]}.
    {call,1,{f,236}}. % forget/1
    {move,{atom,kill},{x,1}}.
    {move,{y,0},{x,0}}.
    {trim,1,3}.
    {line,[{location,"src/upgrades_nif.erl",479}]}.
    {call_ext,2,{extfunc,erlang,exit,2}}.
    {move,{literal,[flush]},{x,1}}.
    {move,{y,0},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",480}]}.
    {call_ext,2,{extfunc,erlang,demonitor,2}}.
    {test_heap,4,0}.
    {put_list,{y,0},nil,{x,0}}.
    {put_list,{y,2},{x,0},{x,0}}.
    {move,{y,1},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",481}]}.
    {call_ext_last,2,{extfunc,maps,without,2},3}.
  {label,230}.
    {get_tuple_element,{x,2},0,{x,3}}.
    {select_val,{x,3},
                {f,233},
                {list,[{atom,'receive'},{f,232},{atom,sleep},{f,231}]}}.
  {label,231}.
    {allocate,3,3}.
    {move,{x,1},{y,1}}.
    {move,{x,0},{y,2}}.
    {get_tuple_element,{x,2},1,{y,0}}.
    {move,{y,0},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",470}]}.
    {call,1,{f,244}}. % stop_timer/1
    {test_heap,4,0}.
    {put_list,{y,0},nil,{x,0}}.
    {put_list,{y,2},{x,0},{x,0}}.
    {move,{y,1},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",471}]}.
    {call_ext_last,2,{extfunc,maps,without,2},3}.
  {label,232}.
    {call_only,2,{f,197}}. % over/2
  {label,233}.
    {move,{x,1},{x,0}}.
    return.
  {label,234}.
    {line,[{location,"src/upgrades_nif.erl",468}]}.
    {case_end,{x,1}}.


{function, forget, 1, 236}.
  {label,235}.
    {line,[{location,"src/upgrades_nif.erl",490}]}.
    {func_info,{atom,upgrades_nif},{atom,forget},1}.
  {label,236}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {line,[{location,"src/upgrades_nif.erl",491}]}.
    {call_ext,1,{extfunc,erlang,unlink,1}}.
  {label,237}.
    {loop_rec,{f,239},{x,0}}.
    {test,is_tagged_tuple,{f,238},[{x,0},3,{atom,'EXIT'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_eq_exact,{f,238},[{x,0},{y,0}]}.
    remove_message.
    {move,{atom,ok},{x,0}}.
    {deallocate,1}.
    return.
  {label,238}.
    {loop_rec_end,{f,237}}.
  {label,239}.
    timeout.
    {move,{atom,ok},{x,0}}.
    {deallocate,1}.
    return.


{function, not_receiving, 2, 241}.
  {label,240}.
    {line,[{location,"src/upgrades_nif.erl",495}]}.
    {func_info,{atom,upgrades_nif},{atom,not_receiving},2}.
  {label,241}.
    {test,is_map,{f,240},[{x,1}]}.
    {get_map_elements,{f,240},
                      {tr,{x,1},{t_map,any,any}},
                      {list,[{atom,'receive'},{x,2}]}}.
    {allocate,1,3}.
    {move,{x,1},{y,0}}.
    {move,{integer,1},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",496}]}.
    {call_ext,3,{extfunc,lists,keydelete,3}}.
    {test,is_nil,{f,242},[{x,0}]}.
    {move,{y,0},{x,1}}.
    {move,{atom,'receive'},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",497}]}.
    {call_ext_last,2,{extfunc,maps,remove,2},1}.
  {label,242}.
    {line,[{location,"src/upgrades_nif.erl",498}]}.
    {put_map_exact,{f,0},{y,0},{x,0},1,{list,[{atom,'receive'},{x,0}]}}.
    {deallocate,1}.
    return.


{function, stop_timer, 1, 244}.
  {label,243}.
    {line,[{location,"src/upgrades_nif.erl",502}]}.
    {func_info,{atom,upgrades_nif},{atom,stop_timer},1}.
  {label,244}.
    {test,is_eq_exact,{f,245},[{x,0},{atom,none}]}.
    {move,{atom,ok},{x,0}}.
    return.
  {label,245}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {line,[{location,"src/upgrades_nif.erl",504}]}.
    {call_ext,1,{extfunc,erlang,cancel_timer,1}}.
    {test,is_eq_exact,{f,249},[{x,0},{atom,false}]}.
  {label,246}.
    {loop_rec,{f,248},{x,0}}.
    {test,is_tagged_tuple,{f,247},[{x,0},3,{atom,timeout}]}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {get_tuple_element,{x,0},2,{x,0}}.
    {test,is_eq_exact,{f,247},[{x,0},{atom,'$otp_rs'}]}.
    {test,is_eq_exact,{f,247},[{x,1},{y,0}]}.
    remove_message.
    {move,{atom,ok},{x,0}}.
    {deallocate,1}.
    return.
  {label,247}.
    {loop_rec_end,{f,246}}.
  {label,248}.
    timeout.
    {move,{atom,ok},{x,0}}.
    {deallocate,1}.
    return.
  {label,249}.
    {move,{atom,ok},{x,0}}.
    {deallocate,1}.
    return.


{function, stacktrace, 1, 251}.
  {label,250}.
    {line,[{location,"src/upgrades_nif.erl",511}]}.
    {func_info,{atom,upgrades_nif},{atom,stacktrace},1}.
  {label,251}.
    {allocate,3,1}.
    {init_yregs,{list,[{y,0},{y,1}]}}.
    {move,{x,0},{y,2}}.
    {line,[{location,"src/upgrades_nif.erl",512}]}.
    {call_ext,1,{extfunc,lists,droplast,1}}.
    {call,1,{f,257}}. % above/1
    {swap,{y,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",513}]}.
    {call_ext,1,{extfunc,lists,last,1}}.
    {move,{x,0},{y,1}}.
    {test,is_tuple,{f,255},[{x,0}]}.
    {test,test_arity,{f,255},[{x,0},4]}.
    {bif,self,{f,0},[],{x,0}}.
    {move,{atom,current_stacktrace},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",514}]}.
    {call_ext,2,{extfunc,erlang,process_info,2}}.
    {test,is_tagged_tuple,{f,254},[{x,0},2,{atom,current_stacktrace}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",517}]}.
    {call,1,{f,746}}. % '-stacktrace/1-lc$^0/1-0-'/1
    {test,is_nonempty_list,{f,252},[{x,0}]}.
    {get_list,{x,0},{x,1},{x,2}}.
    {test,is_tuple,{f,252},[{x,1}]}.
    {test,test_arity,{f,252},[{x,1},4]}.
    {get_tuple_element,{y,1},0,{x,3}}.
    {get_tuple_element,{x,1},0,{x,4}}.
    {test,is_eq_exact,{f,252},[{x,4},{x,3}]}.
    {get_tuple_element,{x,1},1,{x,3}}.
    {get_tuple_element,{y,1},1,{x,4}}.
    {test,is_eq_exact,{f,252},[{x,3},{x,4}]}.
    {get_tuple_element,{x,1},2,{x,1}}.
    {get_tuple_element,{y,1},2,{x,3}}.
    {test,is_eq_exact,{f,252},[{x,1},{x,3}]}.
    {move,{x,2},{y,0}}.
    {jump,{f,253}}.
  {label,252}.
    {move,{x,0},{y,0}}.
  {label,253}.
    {move,{integer,4},{x,1}}.
    {move,{y,2},{x,0}}.
    {move,{y,0},{y,2}}.
    {trim,1,2}.
    {line,[{location,"src/upgrades_nif.erl",521}]}.
    {call_ext,2,{extfunc,lists,sublist,2}}.
    {test_heap,2,1}.
    {put_list,{y,0},{y,1},{x,1}}.
    {call_ext_last,2,{extfunc,erlang,'++',2},2}.
  {label,254}.
    {line,[{location,"src/upgrades_nif.erl",514}]}.
    {badmatch,{x,0}}.
  {label,255}.
    {line,[{location,"src/upgrades_nif.erl",513}]}.
    {badmatch,{y,1}}.


{function, above, 1, 257}.
  {label,256}.
    {line,[{location,"src/upgrades_nif.erl",525}]}.
    {func_info,{atom,upgrades_nif},{atom,above},1}.
  {label,257}.
    {test,is_nonempty_list,{f,258},[{x,0}]}.
    {get_list,{x,0},{x,1},{x,0}}.
    {test,is_tuple,{f,258},[{x,1}]}.
    {test,test_arity,{f,258},[{x,1},4]}.
    {get_tuple_element,{x,1},0,{x,2}}.
    {test,is_ne_exact,{f,258},[{x,2},{atom,upgrades_nif}]}.
    {allocate,1,2}.
    {move,{x,1},{y,0}}.
    {call,1,{f,257}}. % above/1
    {test_heap,2,1}.
    {put_list,{y,0},{x,0},{x,0}}.
    {deallocate,1}.
    return.
  {label,258}.
    {move,nil,{x,0}}.
    return.


{function, begin_function, 3, 260}.
  {label,259}.
    {line,[{location,"src/upgrades_nif.erl",529}]}.
    {func_info,{atom,upgrades_nif},{atom,begin_function},3}.
  {label,260}.
    {test,is_tagged_tuple,{f,259},[{x,1},4,{atom,apply}]}.
    {allocate,6,3}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{x,2},{y,3}}.
    {move,{x,1},{y,4}}.
    {move,{x,0},{y,5}}.
    {get_tuple_element,{x,1},1,{y,2}}.
    {get_tuple_element,{x,1},2,{y,1}}.
    {move,{y,1},{x,1}}.
    {move,{y,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",530}]}.
    {call,2,{f,274}}. % is_own/2
    {select_val,{x,0},
                {f,266},
                {list,[{atom,false},{f,261},{atom,true},{f,262}]}}.
  {label,261}.
    {get_tuple_element,{y,4},3,{y,0}}.
    {move,{y,0},{x,2}}.
    {move,{y,1},{x,1}}.
    {move,{y,2},{x,0}}.
    {call,3,{f,283}}. % is_own_socket/3
    {select_val,{x,0},
                {f,268},
                {list,[{atom,false},{f,263},{atom,true},{f,262}]}}.
  {label,262}.
    {move,{y,4},{x,0}}.
    {trim,6,0}.
    {line,[{location,"src/upgrades_nif.erl",531}]}.
    {call,1,{f,61}}. % perform/1
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,answered},{x,0}]}}.
    {deallocate,0}.
    return.
  {label,263}.
    {move,{y,0},{x,2}}.
    {move,{y,1},{x,1}}.
    {move,{y,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",533}]}.
    {call,3,{f,291}}. % calls_self/3
    {select_val,{x,0},
                {f,267},
                {list,[{atom,false},{f,265},{atom,true},{f,264}]}}.
  {label,264}.
    {test_heap,14,0}.
    {put_tuple2,{x,0},{list,[{y,2},{y,1},{y,0}]}}.
    {put_tuple2,{x,0},{list,[{atom,calling_self},{x,0}]}}.
    {put_tuple2,{x,0},{list,[{atom,exit},{x,0},nil]}}.
    {put_tuple2,{x,0},{list,[{atom,answered},{x,0}]}}.
    {deallocate,6}.
    return.
  {label,265}.
    {move,{y,3},{x,2}}.
    {move,{y,4},{x,1}}.
    {move,{y,5},{x,0}}.
    {call_last,3,{f,270},6}. % begin_beside/3
  {label,266}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,badarg},{x,0}]}}.
    {line,[{location,"src/upgrades_nif.erl",530}]}.
    {call_ext_last,1,{extfunc,erlang,error,1},6}.
  {label,267}.
    {line,[{location,"src/upgrades_nif.erl",533}]}.
    {case_end,{x,0}}.
  {label,268}.
    {line,[{location,"src/upgrades_nif.erl",530}]}.
    {case_end,{x,0}}.


{function, begin_beside, 3, 270}.
  {label,269}.
    {line,[{location,"src/upgrades_nif.erl",541}]}.
    {func_info,{atom,upgrades_nif},{atom,begin_beside},3}.
  {label,270}.
    {allocate_heap,2,4,3}.
    {move,{x,2},{y,0}}.
    {move,{x,0},{y,1}}.
    {bif,self,{f,0},[],{x,0}}.
    {put_list,{x,0},nil,{x,0}}.
    {put_list,{x,1},{x,0},{x,2}}.
    {move,{atom,beside},{x,1}}.
    {move,{literal,[link,monitor]},{x,3}}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",542}]}.
    {call_ext,4,{extfunc,erlang,spawn_opt,4}}.
    {test,is_tuple,{f,272},[{x,0}]}.
    {test,test_arity,{f,272},[{x,0},2]}.
    {test,is_map,{f,271},[{y,0}]}.
    {test_heap,7,1}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {put_tuple2,{x,1},{list,[{atom,apply},{x,1},{x,0}]}}.
    {put_tuple2,{x,2},{list,[{atom,applied},{y,1}]}}.
    {put_map_assoc,{f,0},{y,0},{x,1},3,{list,[{y,1},{x,1}]}}.
    {put_map_assoc,{f,0},{x,1},{x,0},3,{list,[{x,0},{x,2}]}}.
    {deallocate,2}.
    return.
  {label,271}.
    {test_heap,3,0}.
    {put_tuple2,{x,0},{list,[{atom,badmap},{y,0}]}}.
    {line,[{location,"src/upgrades_nif.erl",543}]}.
    {call_ext_last,1,{extfunc,erlang,error,1},2}.
  {label,272}.
    {line,[{location,"src/upgrades_nif.erl",542}]}.
    {badmatch,{x,0}}.


{function, is_own, 2, 274}.
  {label,273}.
    {line,[{location,"src/upgrades_nif.erl",548}]}.
    {func_info,{atom,upgrades_nif},{atom,is_own},2}.
  {label,274}.
    {select_val,{x,1},
                {f,275},
                {list,[{atom,controlling_process},
                       {f,280},
                       {atom,spawn_link},
                       {f,280},
                       {atom,spawn_monitor},
                       {f,280},
                       {atom,start_link},
                       {f,280},
                       {atom,start_monitor},
                       {f,280}]}}.
  {label,275}.
    {select_val,{x,0},
                {f,281},
                {list,[{atom,atomics},
                       {f,280},
                       {atom,counters},
                       {f,280},
                       {atom,erlang},
                       {f,280},
                       {atom,ets},
                       {f,280},
                       {atom,gen_event},
                       {f,279},
                       {atom,logger},
                       {f,278},
                       {atom,persistent_term},
                       {f,280},
                       {atom,rand},
                       {f,280},
                       {atom,timer},
                       {f,276}]}}.
  {label,276}.
    {test,is_eq_exact,{f,277},[{x,1},{atom,sleep}]}.
    {move,{atom,false},{x,0}}.
    return.
  {label,277}.
    {bif,'=/=',{f,0},[{x,1},{atom,tc}],{x,0}}.
    return.
  {label,278}.
    {move,{x,1},{x,0}}.
    {move,{literal,[set_process_metadata,update_process_metadata,
                    unset_process_metadata,get_process_metadata]},
          {x,1}}.
    {line,[{location,"src/upgrades_nif.erl",558}]}.
    {call_ext_only,2,{extfunc,lists,member,2}}.
  {label,279}.
    {test,is_ne_exact,{f,280},[{x,1},{atom,add_sup_handler}]}.
    {bif,'=:=',{f,0},[{x,1},{atom,swap_sup_handler}],{x,0}}.
    return.
  {label,280}.
    {move,{atom,true},{x,0}}.
    return.
  {label,281}.
    {test_heap,3,2}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1}]}}.
    {move,{literal,[{gen_tcp,listen},
                    {gen_udp,open},
                    {gen_sctp,open},
                    {ssl,listen},
                    {file,open},
                    {dets,open_file},
                    {dets,close},
                    {dets,safe_fixtable},
                    {disk_log,open},
                    {disk_log,close},
                    {pg,monitor},
                    {pg,monitor_scope},
                    {net_kernel,monitor_nodes}]},
          {x,1}}.
    {line,[{location,"src/upgrades_nif.erl",560}]}.
    {call_ext_only,2,{extfunc,lists,member,2}}.


{function, is_own_socket, 3, 283}.
  {label,282}.
    {line,[{location,"src/upgrades_nif.erl",569}]}.
    {func_info,{atom,upgrades_nif},{atom,is_own_socket},3}.
  {label,283}.
    {test,is_eq_exact,{f,287},[{x,0},{atom,socket}]}.
    {test,is_nonempty_list,{f,287},[{x,2}]}.
    {allocate,1,3}.
    {move,{x,1},{y,0}}.
    {move,{x,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",570}]}.
    {call_ext,1,{extfunc,lists,last,1}}.
    {swap,{y,0},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",571}]}.
    {call,1,{f,289}}. % waits_at_socket/1
    {select_val,{x,0},
                {f,286},
                {list,[{atom,false},{f,285},{atom,true},{f,284}]}}.
  {label,284}.
    {test,is_ne_exact,{f,285},[{y,0},{atom,nowait}]}.
    {bif,is_reference,{f,0},[{y,0}],{x,0}}.
    {deallocate,1}.
    return.
  {label,285}.
    {move,{atom,true},{x,0}}.
    {deallocate,1}.
    return.
  {label,286}.
    {move,{atom,badarg},{x,0}}.
    {call_ext_last,1,{extfunc,erlang,error,1},1}.
  {label,287}.
    {bif,'=:=',{f,0},[{x,0},{atom,socket}],{x,0}}.
    return.


{function, waits_at_socket, 1, 289}.
  {label,288}.
    {line,[{location,"src/upgrades_nif.erl",576}]}.
    {func_info,{atom,upgrades_nif},{atom,waits_at_socket},1}.
  {label,289}.
    {move,{literal,[accept,connect,recv,recvfrom,recvmsg,send,sendto,sendmsg,
                    sendfile]},
          {x,1}}.
    {line,[{location,"src/upgrades_nif.erl",577}]}.
    {call_ext_only,2,{extfunc,lists,member,2}}.


{function, calls_self, 3, 291}.
  {label,290}.
    {line,[{location,"src/upgrades_nif.erl",582}]}.
    {func_info,{atom,upgrades_nif},{atom,calls_self},3}.
  {label,291}.
    {test,is_nonempty_list,{f,294},[{x,2}]}.
    {allocate,2,3}.
    {move,{x,1},{y,1}}.
    {get_hd,{x,2},{y,0}}.
    {line,[{location,"src/upgrades_nif.erl",583}]}.
    {call,1,{f,296}}. % calls/1
    {move,{x,0},{x,1}}.
    {move,{y,1},{x,0}}.
    {init_yregs,{list,[{y,1}]}}.
    {call_ext,2,{extfunc,lists,member,2}}.
    {test,is_eq_exact,{f,293},[{x,0},{atom,true}]}.
    {'try',{y,1},{f,292}}.
    {move,{y,0},{x,0}}.
    {init_yregs,{list,[{y,0}]}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",584}]}.
    {call,1,{f,143}}. % process_of/1
    {try_end,{y,1}}.
    {bif,self,{f,0},[],{x,1}}.
    {bif,'=:=',{f,0},[{x,0},{x,1}],{x,0}}.
    {deallocate,2}.
    return.
  {label,292}.
    {try_case,{y,1}}.
    {move,{atom,false},{x,0}}.
    {deallocate,2}.
    return.
  {label,293}.
    {move,{atom,false},{x,0}}.
    {deallocate,2}.
    return.
  {label,294}.
    {test,is_nil,{f,290},[{x,2}]}.
    {move,{atom,false},{x,0}}.
    return.


{function, calls, 1, 296}.
  {label,295}.
    {line,[{location,"src/upgrades_nif.erl",590}]}.
    {func_info,{atom,upgrades_nif},{atom,calls},1}.
  {label,296}.
    {select_val,{x,0},
                {f,302},
                {list,[{atom,gen_event},
                       {f,301},
                       {atom,gen_server},
                       {f,300},
                       {atom,gen_statem},
                       {f,300},
                       {atom,proc_lib},
                       {f,299},
                       {atom,supervisor},
                       {f,298},
                       {atom,sys},
                       {f,297}]}}.
  {label,297}.
    {move,{literal,[get_state,get_status,replace_state,suspend,resume,
                    change_code,install,remove,log,log_to_file,statistics,
                    trace,no_debug,terminate]},
          {x,0}}.
    return.
  {label,298}.
    {move,{literal,[start_child,restart_child,terminate_child,delete_child,
                    get_childspec,which_children,count_children]},
          {x,0}}.
    return.
  {label,299}.
    {move,{literal,[stop]},{x,0}}.
    return.
  {label,300}.
    {move,{literal,[call,stop]},{x,0}}.
    return.
  {label,301}.
    {move,{literal,[call,sync_notify,add_handler,delete_handler,swap_handler,
                    which_handlers,stop]},
          {x,0}}.
    return.
  {label,302}.
    {move,nil,{x,0}}.
    return.


{function, beside, 2, 304}.
  {label,303}.
    {line,[{location,"src/upgrades_nif.erl",604}]}.
    {func_info,{atom,upgrades_nif},{atom,beside},2}.
  {label,304}.
    {allocate,1,2}.
    {move,{x,1},{y,0}}.
    {line,[{location,"src/upgrades_nif.erl",605}]}.
    {call,2,{f,306}}. % performed/2
    {swap,{y,0},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",606}]}.
    {call_ext,1,{extfunc,erlang,unlink,1}}.
    {test_heap,3,0}.
    {put_tuple2,{x,0},{list,[{atom,'$otp_rs'},{y,0}]}}.
    {line,[{location,"src/upgrades_nif.erl",607}]}.
    {call_ext_last,1,{extfunc,erlang,exit,1},1}.


{function, performed, 2, 306}.
  {label,305}.
    {line,[{location,"src/upgrades_nif.erl",610}]}.
    {func_info,{atom,upgrades_nif},{atom,performed},2}.
  {label,306}.
    {test,is_tuple,{f,305},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,305},
                        {list,[2,{f,312},4,{f,307}]}}.
  {label,307}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_eq_exact,{f,305},[{x,2},{atom,apply}]}.
    {allocate,4,2}.
    {init_yregs,{list,[{y,0},{y,1}]}}.
    {move,{x,1},{y,2}}.
    {move,{x,0},{y,3}}.
    {line,[{scope,[6]},{location,"src/upgrades_nif.erl",613}]}.
    {call,1,{f,61}}. % perform/1
    {move,{x,0},{y,1}}.
    {test,is_tagged_tuple,{f,311},[{x,0},2,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_tagged_tuple,{f,311},[{x,0},2,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {get_tuple_element,{y,3},1,{y,0}}.
    {move,{y,2},{x,2}}.
    {init_yregs,{list,[{y,2}]}}.
    {move,{y,0},{x,0}}.
    {line,[{scope,[6]},{location,"src/upgrades_nif.erl",617}]}.
    {call,3,{f,316}}. % giving/3
    {move,{x,0},{y,2}}.
    {test,is_tuple,{f,314},[{x,0}]}.
    {test,test_arity,{f,314},[{x,0},2]}.
    {get_tuple_element,{y,3},2,{x,1}}.
    {init_yregs,{list,[{y,3}]}}.
    {move,{y,0},{x,0}}.
    {line,[{scope,[6]},{location,"src/upgrades_nif.erl",618}]}.
    {call,2,{f,319}}. % opens_socket/2
    {select_val,{x,0},
                {f,310},
                {list,[{atom,false},{f,311},{atom,true},{f,308}]}}.
  {label,308}.
    {'try',{y,3},{f,309}}.
    {get_tuple_element,{y,2},0,{x,1}}.
    {get_tuple_element,{y,2},1,{x,2}}.
    {move,{y,0},{x,0}}.
    {init_yregs,{list,[{y,0},{y,2}]}}.
    {call_ext,3,{extfunc,erlang,apply,3}}.
    {try_end,{y,3}}.
    {jump,{f,311}}.
  {label,309}.
    {try_case,{y,3}}.
    {jump,{f,311}}.
  {label,310}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,badarg},{x,0}]}}.
    {call_ext_last,1,{extfunc,erlang,error,1},4}.
  {label,311}.
    {move,{y,1},{x,0}}.
    {deallocate,4}.
    return.
  {label,312}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_eq_exact,{f,305},[{x,2},{atom,in_process}]}.
    {allocate,3,1}.
    {init_yregs,{list,[{y,0},{y,1}]}}.
    {'try',{y,2},{f,313}}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {line,[{scope,[3]},{location,"src/upgrades_nif.erl",611}]}.
    {call,1,{f,459}}. % spawned/1
    {try_end,{y,2}}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,ok},{x,0}]}}.
    {deallocate,3}.
    return.
  {label,313}.
    {try_case,{y,2}}.
    {move,{x,1},{y,0}}.
    {move,{x,0},{y,1}}.
    {move,{x,2},{x,0}}.
    build_stacktrace.
    {test_heap,4,1}.
    {put_tuple2,{x,0},{list,[{y,1},{y,0},{x,0}]}}.
    {deallocate,3}.
    return.
  {label,314}.
    {line,[{scope,[6]},{location,"src/upgrades_nif.erl",617}]}.
    {badmatch,{y,2}}.


{function, giving, 3, 316}.
  {label,315}.
    {line,[{location,"src/upgrades_nif.erl",626}]}.
    {func_info,{atom,upgrades_nif},{atom,giving},3}.
  {label,316}.
    {test,is_eq_exact,{f,317},[{x,0},{atom,socket}]}.
    {test_heap,9,3}.
    {put_list,{x,2},nil,{x,0}}.
    {put_list,{literal,{otp,controlling_process}},{x,0},{x,0}}.
    {put_list,{x,1},{x,0},{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,setopt},{x,0}]}}.
    return.
  {label,317}.
    {test_heap,7,3}.
    {put_list,{x,2},nil,{x,0}}.
    {put_list,{x,1},{x,0},{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,controlling_process},{x,0}]}}.
    return.


{function, opens_socket, 2, 319}.
  {label,318}.
    {line,[{location,"src/upgrades_nif.erl",631}]}.
    {func_info,{atom,upgrades_nif},{atom,opens_socket},2}.
  {label,319}.
    {select_val,{x,0},
                {f,324},
                {list,[{atom,gen_tcp},
                       {f,322},
                       {atom,socket},
                       {f,321},
                       {atom,ssl},
                       {f,320}]}}.
  {label,320}.
    {move,{x,1},{x,0}}.
    {move,{literal,[connect,handshake,transport_accept]},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",633}]}.
    {call_ext_only,2,{extfunc,lists,member,2}}.
  {label,321}.
    {bif,'=:=',{f,0},[{x,1},{atom,accept}],{x,0}}.
    return.
  {label,322}.
    {test,is_eq_exact,{f,323},[{x,1},{atom,accept}]}.
    {move,{atom,true},{x,0}}.
    return.
  {label,323}.
    {bif,'=:=',{f,0},[{x,1},{atom,connect}],{x,0}}.
    return.
  {label,324}.
    {move,{atom,false},{x,0}}.
    return.


{function, kept, 0, 326}.
  {label,325}.
    {line,[{location,"src/upgrades_nif.erl",642}]}.
    {func_info,{atom,upgrades_nif},{atom,kept},0}.
  {label,326}.
    {allocate,0,0}.
    {move,{atom,'$otp_rs'},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",643}]}.
    {call_ext,1,{extfunc,erlang,erase,1}}.
    {test,is_eq_exact,{f,327},[{x,0},{atom,undefined}]}.
    {move,{literal,#{}},{x,0}}.
    {deallocate,0}.
    return.
  {label,327}.
    {deallocate,0}.
    return.


{function, keep, 1, 329}.
  {label,328}.
    {line,[{location,"src/upgrades_nif.erl",651}]}.
    {func_info,{atom,upgrades_nif},{atom,keep},1}.
  {label,329}.
    {test,is_tuple,{f,328},[{x,0}]}.
    {test,test_arity,{f,328},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_nil,{f,330},[{x,0}]}.
    {gc_bif,map_size,{f,330},2,[{x,1}],{x,2}}.
    {test,is_eq_exact,
          {f,330},
          [{tr,{x,2},{t_integer,{0,288230376151711743}}},{integer,0}]}.
    {move,{atom,ok},{x,0}}.
    return.
  {label,330}.
    {allocate,2,2}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{x,1},{y,1}}.
    {move,{x,0},{x,1}}.
    {move,nil,{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",653}]}.
    {call,2,{f,56}}. % in_order/2
    {call,1,{f,741}}. % '-keep/1-lc$^0/1-0-'/1
    {move,{x,0},{y,0}}.
    {line,[{location,"src/upgrades_nif.erl",654}]}.
    {call_ext,1,{extfunc,maps,from_list,1}}.
    {move,{x,0},{x,1}}.
    {move,{y,1},{x,0}}.
    {move,{y,0},{y,1}}.
    {trim,1,1}.
    {call_ext,2,{extfunc,maps,merge,2}}.
    {move,{x,0},{x,1}}.
    {move,{atom,'$otp_rs'},{x,0}}.
    {call_ext,2,{extfunc,erlang,put,2}}.
    {move,{y,0},{x,0}}.
    {trim,1,0}.
    {line,[{location,"src/upgrades_nif.erl",655}]}.
    {call,1,{f,736}}. % '-keep/1-lc$^1/1-1-'/1
    {move,{atom,ok},{x,0}}.
    {deallocate,0}.
    return.


{function, took, 2, 332}.
  {label,331}.
    {line,[{location,"src/upgrades_nif.erl",660}]}.
    {func_info,{atom,upgrades_nif},{atom,took},2}.
  {label,332}.
    {test,is_tuple,{f,346},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,341},
                        {list,[2,{f,338},4,{f,333}]}}.
  {label,333}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_eq_exact,{f,341},[{x,2},{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {test,is_eq_exact,{f,341},[{x,2},{atom,to}]}.
    {get_tuple_element,{x,0},2,{x,2}}.
    {test,is_eq_exact,{f,337},[{x,2},{integer,1}]}.
    {allocate,2,2}.
    {move,{x,1},{y,0}}.
    {move,{x,0},{y,1}}.
    {line,[{location,"src/upgrades_nif.erl",663}]}.
    {call_ext,1,{extfunc,otp_rs_states,is_kept,1}}.
    {select_val,{x,0},
                {f,336},
                {list,[{atom,false},{f,335},{atom,true},{f,334}]}}.
  {label,334}.
    {deallocate,2}.
    return.
  {label,335}.
    {call,0,{f,326}}. % kept/0
    {move,{y,0},{x,1}}.
    {move,{x,0},{x,2}}.
    {move,{y,1},{x,0}}.
    {call_last,3,{f,355},2}. % resume_tasks/3
  {label,336}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,badarg},{x,0}]}}.
    {call_ext_last,1,{extfunc,erlang,error,1},2}.
  {label,337}.
    {test,is_integer,{f,341},[{x,2}]}.
    {test,is_ge,{f,341},[{tr,{x,2},{t_integer,any}},{integer,0}]}.
    {allocate,2,2}.
    {move,{x,1},{y,0}}.
    {move,{x,0},{y,1}}.
    {line,[{location,"src/upgrades_nif.erl",665}]}.
    {call,0,{f,326}}. % kept/0
    {move,{y,0},{x,1}}.
    {move,{x,0},{x,2}}.
    {move,{y,1},{x,0}}.
    {call_last,3,{f,355},2}. % resume_tasks/3
  {label,338}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_eq_exact,{f,341},[{x,2},{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {select_val,{x,2},
                {f,340},
                {list,[{atom,tasks},{f,339},{atom,wake},{f,339}]}}.
  {label,339}.
    {allocate,2,2}.
    {move,{x,1},{y,0}}.
    {move,{x,0},{y,1}}.
    {line,[{location,"src/upgrades_nif.erl",661}]}.
    {call,0,{f,326}}. % kept/0
    {move,{y,0},{x,1}}.
    {move,{x,0},{x,2}}.
    {move,{y,1},{x,0}}.
    {call_last,3,{f,355},2}. % resume_tasks/3
  {label,340}.
    {test,is_reference,{f,341},[{x,2}]}.
    {allocate,0,3}.
    {swap,{x,1},{x,2}}.
    {swap,{x,0},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",668}]}.
    {call,3,{f,352}}. % took/3
    {move,{atom,true},{x,0}}.
    {deallocate,0}.
    return.
  {label,341}.
    {bif,tuple_size,{f,0},[{tr,{x,0},{t_tuple,0,false,#{}}}],{x,2}}.
    {test,is_lt,{f,342},[{integer,0},{tr,{x,2},{t_integer,{0,16777215}}}]}.
    {bif,element,{f,342},[{integer,1},{tr,{x,0},{t_tuple,0,false,#{}}}],{x,2}}.
    {test,is_eq_exact,{f,342},[{x,2},{atom,'$otp_rs'}]}.
    {move,{atom,true},{x,0}}.
    return.
  {label,342}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,346},
                        {list,[2,{f,345},3,{f,344},5,{f,343}]}}.
  {label,343}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_eq_exact,{f,346},[{x,2},{atom,'DOWN'}]}.
    {get_tuple_element,{x,0},2,{x,2}}.
    {test,is_eq_exact,{f,346},[{x,2},{atom,process}]}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {test,is_reference,{f,346},[{x,2}]}.
    {swap,{x,1},{x,2}}.
    {swap,{x,0},{x,1}}.
    {call_only,3,{f,352}}. % took/3
  {label,344}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_eq_exact,{f,346},[{x,2},{atom,timeout}]}.
    {get_tuple_element,{x,0},2,{x,2}}.
    {test,is_eq_exact,{f,346},[{x,2},{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {test,is_reference,{f,346},[{x,2}]}.
    {allocate,0,3}.
    {swap,{x,1},{x,2}}.
    {swap,{x,0},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",679}]}.
    {call,3,{f,352}}. % took/3
    {move,{atom,true},{x,0}}.
    {deallocate,0}.
    return.
  {label,345}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_nonempty_list,{f,346},[{x,2}]}.
    {get_list,{x,2},{x,3},{x,2}}.
    {test,is_eq_exact,{f,346},[{x,3},{atom,alias}]}.
    {test,is_reference,{f,346},[{x,2}]}.
    {swap,{x,1},{x,2}}.
    {swap,{x,0},{x,1}}.
    {call_only,3,{f,352}}. % took/3
  {label,346}.
    {bif,get,{f,0},[{atom,'$otp_rs'}],{x,2}}.
    {test,is_map,{f,347},[{x,2}]}.
    {get_map_elements,{f,347},
                      {tr,{x,2},{t_map,any,any}},
                      {list,[{atom,'receive'},{x,2}]}}.
    {swap,{x,1},{x,2}}.
    {call_only,3,{f,349}}. % received/3
  {label,347}.
    {move,{atom,false},{x,0}}.
    return.


{function, received, 3, 349}.
  {label,348}.
    {line,[{location,"src/upgrades_nif.erl",689}]}.
    {func_info,{atom,upgrades_nif},{atom,received},3}.
  {label,349}.
    {allocate,4,3}.
    {init_yregs,{list,[{y,0},{y,1}]}}.
    {move,{x,2},{y,2}}.
    {move,{x,0},{y,3}}.
    {line,[{location,"src/upgrades_nif.erl",690}]}.
    {call,2,{f,559}}. % receiver/2
    {move,{x,0},{y,1}}.
    {test,is_eq_exact,{f,350},[{x,0},{atom,none}]}.
    {move,{atom,false},{x,0}}.
    {deallocate,4}.
    return.
  {label,350}.
    {line,[{location,"src/upgrades_nif.erl",693}]}.
    {call,0,{f,326}}. % kept/0
    {move,{x,0},{y,0}}.
    {move,{y,1},{x,1}}.
    {swap,{x,0},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",694}]}.
    {call,2,{f,197}}. % over/2
    {test_heap,10,1}.
    {put_list,{y,3},nil,{x,1}}.
    {put_tuple2,{x,1},{list,[{atom,ok},{x,1}]}}.
    {put_tuple2,{x,1},{list,[{y,1},{x,1}]}}.
    {put_list,{x,1},nil,{x,2}}.
    {move,{x,0},{x,3}}.
    {move,{y,0},{x,4}}.
    {move,{y,2},{x,1}}.
    {move,{y,3},{x,0}}.
    {call_last,5,{f,358},4}. % tasks_resumed/5


{function, took, 3, 352}.
  {label,351}.
    {line,[{location,"src/upgrades_nif.erl",698}]}.
    {func_info,{atom,upgrades_nif},{atom,took},3}.
  {label,352}.
    {bif,get,{f,0},[{atom,'$otp_rs'}],{x,3}}.
    {test,is_map,{f,353},[{x,3}]}.
    {test,has_map_fields,{f,353},{x,3},{list,[{x,0}]}}.
    {allocate,2,3}.
    {move,{x,2},{y,0}}.
    {move,{x,1},{y,1}}.
    {line,[{location,"src/upgrades_nif.erl",700}]}.
    {call,0,{f,326}}. % kept/0
    {move,{y,0},{x,1}}.
    {move,{x,0},{x,2}}.
    {move,{y,1},{x,0}}.
    {call_last,3,{f,355},2}. % resume_tasks/3
  {label,353}.
    {move,{atom,false},{x,0}}.
    return.


{function, resume_tasks, 3, 355}.
  {label,354}.
    {line,[{location,"src/upgrades_nif.erl",705}]}.
    {func_info,{atom,upgrades_nif},{atom,resume_tasks},3}.
  {label,355}.
    {allocate,3,3}.
    {move,{x,2},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{x,0},{y,2}}.
    {move,{x,2},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",706}]}.
    {call,2,{f,175}}. % answer/2
    {test,is_tuple,{f,356},[{x,0}]}.
    {test,test_arity,{f,356},[{x,0},2]}.
    {test_heap,2,1}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {put_list,{x,1},nil,{x,2}}.
    {get_tuple_element,{x,0},0,{x,3}}.
    {move,{y,0},{x,4}}.
    {move,{y,1},{x,1}}.
    {move,{y,2},{x,0}}.
    {call_last,5,{f,358},3}. % tasks_resumed/5
  {label,356}.
    {badmatch,{x,0}}.


{function, tasks_resumed, 5, 358}.
  {label,357}.
    {line,[{location,"src/upgrades_nif.erl",711}]}.
    {func_info,{atom,upgrades_nif},{atom,tasks_resumed},5}.
  {label,358}.
    {allocate,5,5}.
    {move,{x,4},{y,0}}.
    {move,{x,3},{y,1}}.
    {move,{x,1},{y,2}}.
    {move,{x,0},{y,3}}.
    {'try',{y,4},{f,359}}.
    {move,{x,1},{x,0}}.
    {move,{x,2},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",712}]}.
    {call,2,{f,686}}. % resume_tasks/2
    {try_end,{y,4}}.
    {move,{y,1},{x,1}}.
    {trim,5,0}.
    {line,[{location,"src/upgrades_nif.erl",714}]}.
    {call,2,{f,58}}. % next/2
    {move,{atom,true},{x,0}}.
    {deallocate,0}.
    return.
  {label,359}.
    {try_case,{y,4}}.
    {test,is_eq_exact,
          {f,361},
          [{tr,{x,0},{t_atom,[error,exit,throw]}},{atom,error}]}.
    {test,is_eq_exact,{f,361},[{x,1},{atom,badarg}]}.
    {move,{y,0},{x,1}}.
    {move,{y,2},{y,4}}.
    {trim,3,2}.
    {move,{atom,'$otp_rs'},{x,0}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",718}]}.
    {call_ext,2,{extfunc,erlang,put,2}}.
    {move,{y,1},{x,1}}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",719}]}.
    {call_ext,2,{extfunc,otp_rs_upgrade,owner,2}}.
    {test,is_tagged_tuple,{f,360},[{x,0},2,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_ne_exact,{f,360},[{x,0},{atom,upgrades_nif}]}.
    {move,{x,0},{x,2}}.
    {move,{y,1},{x,1}}.
    {move,{atom,took},{x,3}}.
    {move,{y,0},{x,0}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",720}]}.
    {apply_last,2,2}.
  {label,360}.
    {move,{atom,badarg},{x,0}}.
    {line,[{scope,[0]},{location,"src/upgrades_nif.erl",721}]}.
    {call_ext_last,1,{extfunc,erlang,error,1},5}.
  {label,361}.
    {bif,raise,{f,0},[{x,2},{x,1}],{x,0}}.


{function, unexpected, 2, 363}.
  {label,362}.
    {line,[{location,"src/upgrades_nif.erl",727}]}.
    {func_info,{atom,upgrades_nif},{atom,unexpected},2}.
  {label,363}.
    {put_map_assoc,{f,0},
                   {literal,#{label => {gen_server,no_handle_info}}},
                   {x,0},
                   2,
                   {list,[{atom,message},{x,1},{atom,module},{x,0}]}}.
    {move,{literal,#{domain => [otp],
                     report_cb => fun gen_server:format_log/2}},
          {x,1}}.
    {line,[{location,"src/upgrades_nif.erl",728}]}.
    {call_ext_only,2,{extfunc,logger,warning,2}}.


{function, handled, 2, 365}.
  {label,364}.
    {line,[{location,"src/upgrades_nif.erl",742}]}.
    {func_info,{atom,upgrades_nif},{atom,handled},2}.
  {label,365}.
    {allocate,2,2}.
    {move,{x,1},{y,0}}.
    {move,{x,0},{y,1}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",743}]}.
    {call,1,{f,375}}. % actions/1
    {move,{atom,none},{x,1}}.
    {call,2,{f,387}}. % last_timeout/2
    {test,is_tuple,{f,366},[{x,0}]}.
    {test,test_arity,{f,367},[{x,0},2]}.
    {move,{x,0},{x,1}}.
    {init_yregs,{list,[{y,1}]}}.
    {move,{atom,'$otp_rs_event_timeout'},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",744}]}.
    {call_ext,2,{extfunc,erlang,put,2}}.
    {jump,{f,368}}.
  {label,366}.
    {test,is_eq_exact,{f,367},[{x,0},{atom,none}]}.
    {test,is_ne_exact,{f,368},[{y,1},{atom,enter}]}.
  {label,367}.
    {init_yregs,{list,[{y,1}]}}.
    {move,{atom,'$otp_rs_event_timeout'},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",746}]}.
    {call_ext,1,{extfunc,erlang,erase,1}}.
  {label,368}.
    {move,{y,0},{x,0}}.
    {deallocate,2}.
    return.


{function, undisturbed, 0, 370}.
  {label,369}.
    {line,[{location,"src/upgrades_nif.erl",752}]}.
    {func_info,{atom,upgrades_nif},{atom,undisturbed},0}.
  {label,370}.
    {bif,get,{f,0},[{atom,'$otp_rs_event_timeout'}],{x,0}}.
    {test,is_tuple,{f,372},[{x,0}]}.
    {test,test_arity,{f,373},[{x,0},2]}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {move,{atom,millisecond},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",756}]}.
    {call_ext,1,{extfunc,erlang,monotonic_time,1}}.
    {get_tuple_element,{y,0},0,{x,1}}.
    {get_tuple_element,{y,0},1,{x,2}}.
    {test,is_lt,{f,371},[{x,0},{x,1}]}.
    {test_heap,10,3}.
    {put_tuple2,{x,0},
                {list,[{atom,timeout},{x,1},{x,2},{literal,[{abs,true}]}]}}.
    {put_list,{x,0},nil,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,keep_state_and_data},{x,0}]}}.
    {deallocate,1}.
    return.
  {label,371}.
    {test_heap,9,3}.
    {put_tuple2,{x,0},{list,[{atom,timeout},{integer,0},{x,2}]}}.
    {put_list,{x,0},nil,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,keep_state_and_data},{x,0}]}}.
    {deallocate,1}.
    return.
  {label,372}.
    {test,is_eq_exact,{f,373},[{x,0},{atom,undefined}]}.
    {move,{atom,keep_state_and_data},{x,0}}.
    return.
  {label,373}.
    {line,[{location,"src/upgrades_nif.erl",753}]}.
    {case_end,{x,0}}.


{function, actions, 1, 375}.
  {label,374}.
    {line,[{location,"src/upgrades_nif.erl",764}]}.
    {func_info,{atom,upgrades_nif},{atom,actions},1}.
  {label,375}.
    {test,is_tuple,{f,382},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,382},
                        {list,[2,{f,380},3,{f,378},4,{f,376}]}}.
  {label,376}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {select_val,{x,1},
                {f,382},
                {list,[{atom,next_state},{f,377},{atom,ok},{f,377}]}}.
  {label,377}.
    {get_tuple_element,{x,0},3,{x,0}}.
    {call_only,1,{f,384}}. % listed/1
  {label,378}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {select_val,{x,1},
                {f,382},
                {list,[{atom,keep_state},
                       {f,379},
                       {atom,repeat_state},
                       {f,379}]}}.
  {label,379}.
    {get_tuple_element,{x,0},2,{x,0}}.
    {call_only,1,{f,384}}. % listed/1
  {label,380}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {select_val,{x,1},
                {f,382},
                {list,[{atom,keep_state_and_data},
                       {f,381},
                       {atom,repeat_state_and_data},
                       {f,381}]}}.
  {label,381}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {call_only,1,{f,384}}. % listed/1
  {label,382}.
    {move,nil,{x,0}}.
    return.


{function, listed, 1, 384}.
  {label,383}.
    {line,[{location,"src/upgrades_nif.erl",773}]}.
    {func_info,{atom,upgrades_nif},{atom,listed},1}.
  {label,384}.
    {test,is_list,{f,385},[{x,0}]}.
    return.
  {label,385}.
    {test_heap,2,1}.
    {put_list,{x,0},nil,{x,0}}.
    return.


{function, last_timeout, 2, 387}.
  {label,386}.
    {line,[{location,"src/upgrades_nif.erl",778}]}.
    {func_info,{atom,upgrades_nif},{atom,last_timeout},2}.
  {label,387}.
    {test,is_nonempty_list,{f,389},[{x,0}]}.
    {allocate,2,2}.
    {move,{x,1},{y,1}}.
    {get_list,{x,0},{x,0},{y,0}}.
    {line,[{location,"src/upgrades_nif.erl",779}]}.
    {call,1,{f,391}}. % event_timeout/1
    {test,is_eq_exact,{f,388},[{x,0},{atom,none}]}.
    {move,{y,1},{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,387},2}. % last_timeout/2
  {label,388}.
    {move,{x,0},{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,387},2}. % last_timeout/2
  {label,389}.
    {test,is_nil,{f,386},[{x,0}]}.
    {move,{x,1},{x,0}}.
    return.


{function, event_timeout, 1, 391}.
  {label,390}.
    {line,[{location,"src/upgrades_nif.erl",789}]}.
    {func_info,{atom,upgrades_nif},{atom,event_timeout},1}.
  {label,391}.
    {test,is_integer,{f,392},[{x,0}]}.
    {jump,{f,393}}.
  {label,392}.
    {test,is_eq_exact,{f,394},[{x,0},{atom,infinity}]}.
  {label,393}.
    {test_heap,4,1}.
    {put_tuple2,{x,0},{list,[{atom,timeout},{x,0},{x,0}]}}.
    {call_only,1,{f,391}}. % event_timeout/1
  {label,394}.
    {test,is_tuple,{f,400},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,400},
                        {list,[2,{f,398},3,{f,397},4,{f,395}]}}.
  {label,395}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},2,{x,2}}.
    {test,is_eq_exact,{f,400},[{x,1},{atom,timeout}]}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {test,is_integer,{f,399},[{x,1}]}.
    {test,is_ne_exact,{f,399},[{tr,{x,1},{t_integer,any}},{integer,0}]}.
    {allocate,2,3}.
    {move,{x,1},{y,0}}.
    {move,{x,2},{y,1}}.
    {get_tuple_element,{x,0},3,{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",792}]}.
    {call,1,{f,384}}. % listed/1
    {call_ext,1,{extfunc,lists,reverse,1}}.
    {move,{integer,1},{x,1}}.
    {move,{x,0},{x,2}}.
    {move,{atom,abs},{x,0}}.
    {call_ext,3,{extfunc,lists,keyfind,3}}.
    {test,is_eq_exact,
          {f,396},
          [{tr,{x,0},
               {t_union,{t_atom,[false]},
                        none,none,
                        {t_tuple,1,false,#{1 => {t_atom,[abs]}}},
                        none}},
           {literal,{abs,true}}]}.
    {test_heap,3,0}.
    {put_tuple2,{x,0},{list,[{y,0},{y,1}]}}.
    {deallocate,2}.
    return.
  {label,396}.
    {move,{atom,millisecond},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",794}]}.
    {call_ext,1,{extfunc,erlang,monotonic_time,1}}.
    {gc_bif,'+',{f,0},1,[{x,0},{tr,{y,0},{t_integer,any}}],{x,0}}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{x,0},{y,1}]}}.
    {deallocate,2}.
    return.
  {label,397}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_eq_exact,{f,400},[{x,1},{atom,timeout}]}.
    {test_heap,5,1}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {get_tuple_element,{x,0},2,{x,0}}.
    {put_tuple2,{x,0},{list,[{atom,timeout},{x,1},{x,0},nil]}}.
    {call_only,1,{f,391}}. % event_timeout/1
  {label,398}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_eq_exact,{f,400},[{x,1},{atom,timeout}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_eq_exact,{f,400},[{x,0},{atom,cancel}]}.
  {label,399}.
    {move,{atom,stopped},{x,0}}.
    return.
  {label,400}.
    {move,{atom,none},{x,0}}.
    return.


{function, forward, 4, 402}.
  {label,401}.
    {line,[{location,"src/upgrades_nif.erl",803}]}.
    {func_info,{atom,upgrades_nif},{atom,forward},4}.
  {label,402}.
    {line,[{location,"src/upgrades_nif.erl",804}]}.
    {gc_bif,length,{f,0},4,[{x,2}],{x,4}}.
    {allocate,4,5}.
    {move,{x,3},{y,0}}.
    {move,{x,2},{y,1}}.
    {move,{x,1},{y,2}}.
    {move,{x,0},{y,3}}.
    {move,{x,4},{x,2}}.
    {call,3,{f,670}}. % number/3
    {test,is_eq_exact,{f,403},[{x,0},{atom,none}]}.
    {move,{y,0},{x,3}}.
    {move,{y,1},{x,2}}.
    {move,{y,2},{x,1}}.
    {move,{y,3},{x,0}}.
    {call_last,4,{f,405},4}. % without/4
  {label,403}.
    {test_heap,2,1}.
    {put_list,{x,0},{y,1},{x,2}}.
    {move,{atom,callback},{x,1}}.
    {trim,4,0}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",806}]}.
    {call_ext,3,{extfunc,erlang,apply,3}}.
    {call_last,1,{f,25},0}. % after_first/1


{function, without, 4, 405}.
  {label,404}.
    {line,[{location,"src/upgrades_nif.erl",811}]}.
    {func_info,{atom,upgrades_nif},{atom,without},4}.
  {label,405}.
    {select_val,{x,1},
                {f,408},
                {list,[{atom,handle_info},{f,407},{atom,terminate},{f,406}]}}.
  {label,406}.
    {move,{atom,ok},{x,0}}.
    return.
  {label,407}.
    {test,is_nonempty_list,{f,408},[{x,2}]}.
    {get_list,{x,2},{x,4},{x,5}}.
    {test,is_nonempty_list,{f,408},[{x,5}]}.
    {get_tl,{x,5},{x,5}}.
    {test,is_nil,{f,408},[{x,5}]}.
    {allocate,1,5}.
    {move,{x,3},{y,0}}.
    {move,{x,4},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",812}]}.
    {call,2,{f,363}}. % unexpected/2
    {test_heap,3,0}.
    {put_tuple2,{x,0},{list,[{atom,noreply},{y,0}]}}.
    {deallocate,1}.
    return.
  {label,408}.
    {test_heap,7,3}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1},{x,2},nil]}}.
    {put_list,{x,0},nil,{x,2}}.
    {move,{atom,undef},{x,1}}.
    {move,{atom,error},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",817}]}.
    {call_ext_only,3,{extfunc,erlang,raise,3}}.


{function, shown, 1, 410}.
  {label,409}.
    {line,[{location,"src/upgrades_nif.erl",822}]}.
    {func_info,{atom,upgrades_nif},{atom,shown},1}.
  {label,410}.
    {allocate,1,1}.
    {move,{x,0},{y,0}}.
    {move,{x,0},{x,1}}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",823}]}.
    {call_ext,2,{extfunc,otp_rs_upgrade,owner,2}}.
    {test,is_tuple,{f,411},[{x,0}]}.
    {test,is_tagged_tuple,
          {f,412},
          [{tr,{x,0},{t_tuple,0,false,#{}}},2,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {move,{x,0},{x,1}}.
    {move,{atom,format_state},{x,2}}.
    {move,{y,0},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",824}]}.
    {apply_last,1,1}.
  {label,411}.
    {test,is_eq_exact,{f,412},[{x,0},{atom,none}]}.
    {move,{y,0},{x,0}}.
    {deallocate,1}.
    return.
  {label,412}.
    {line,[{location,"src/upgrades_nif.erl",823}]}.
    {case_end,{x,0}}.


{function, shown_status, 1, 414}.
  {label,413}.
    {line,[{location,"src/upgrades_nif.erl",831}]}.
    {func_info,{atom,upgrades_nif},{atom,shown_status},1}.
  {label,414}.
    {allocate,1,1}.
    {init_yregs,{list,[{y,0}]}}.
    {line,[{location,"src/upgrades_nif.erl",832}]}.
    {call_ext,1,{extfunc,maps,to_list,1}}.
    {call,1,{f,731}}. % '-shown_status/1-lc$^0/1-0-'/1
    {move,{x,0},{y,0}}.
    {line,[{location,"src/upgrades_nif.erl",833}]}.
    {call,1,{f,726}}. % '-shown_status/1-lc$^1/1-1-'/1
    {test,is_nil,{f,415},[{x,0}]}.
    {move,{y,0},{x,0}}.
    {trim,1,0}.
    {line,[{location,"src/upgrades_nif.erl",834}]}.
    {call,1,{f,721}}. % '-shown_status/1-lc$^2/1-3-'/1
    {call_ext_last,1,{extfunc,maps,from_list,1},0}.
  {label,415}.
    {move,{y,0},{x,0}}.
    {trim,1,0}.
    {line,[{location,"src/upgrades_nif.erl",835}]}.
    {call,1,{f,716}}. % '-shown_status/1-lc$^3/1-2-'/1
    {call_ext_last,1,{extfunc,maps,from_list,1},0}.


{function, hidden, 2, 417}.
  {label,416}.
    {line,[{location,"src/upgrades_nif.erl",839}]}.
    {func_info,{atom,upgrades_nif},{atom,hidden},2}.
  {label,417}.
    {select_val,{x,0},
                {f,420},
                {list,[{atom,log},
                       {f,419},
                       {atom,message},
                       {f,418},
                       {atom,postponed},
                       {f,419},
                       {atom,queue},
                       {f,419},
                       {atom,timeouts},
                       {f,419}]}}.
  {label,418}.
    {move,{atom,secret},{x,0}}.
    return.
  {label,419}.
    {move,nil,{x,0}}.
    return.
  {label,420}.
    {move,{x,1},{x,0}}.
    return.


{function, succeed, 3, 422}.
  {label,421}.
    {line,[{location,"src/upgrades_nif.erl",845}]}.
    {func_info,{atom,upgrades_nif},{atom,succeed},3}.
  {label,422}.
    {allocate,3,3}.
    {move,{x,2},{y,0}}.
    {move,{x,1},{y,1}}.
    {move,{x,0},{y,2}}.
    {line,[{location,"src/upgrades_nif.erl",846}]}.
    {call,2,{f,678}}. % fits/2
    {select_val,{x,0},
                {f,425},
                {list,[{atom,false},{f,424},{atom,true},{f,423}]}}.
  {label,423}.
    {move,{y,0},{x,1}}.
    {move,{y,2},{x,0}}.
    {call_last,2,{f,427},3}. % succeed/2
  {label,424}.
    {test_heap,6,0}.
    {put_tuple2,{x,0},{list,[{atom,not_a_state},{y,1}]}}.
    {put_tuple2,{x,0},{list,[{atom,error},{x,0}]}}.
    {deallocate,3}.
    return.
  {label,425}.
    {case_end,{x,0}}.


{function, succeed, 2, 427}.
  {label,426}.
    {line,[{location,"src/upgrades_nif.erl",854}]}.
    {func_info,{atom,upgrades_nif},{atom,succeed},2}.
  {label,427}.
    {allocate,3,2}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{x,1},{y,1}}.
    {move,{x,0},{y,2}}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",855}]}.
    {call_ext,2,{extfunc,otp_rs_upgrade,owner,2}}.
    {test,is_tuple,{f,430},[{x,0}]}.
    {test,is_tagged_tuple,
          {f,431},
          [{tr,{x,0},{t_tuple,0,false,#{}}},2,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_eq_exact,{f,428},[{x,0},{atom,upgrades_nif}]}.
    {test_heap,3,0}.
    {put_tuple2,{x,0},{list,[{atom,ok},{y,1}]}}.
    {deallocate,3}.
    return.
  {label,428}.
    {move,{x,0},{x,1}}.
    {move,{atom,export},{x,2}}.
    {move,{y,1},{x,0}}.
    {init_yregs,{list,[{y,1}]}}.
    {line,[{location,"src/upgrades_nif.erl",859}]}.
    {apply,1}.
    {test,is_tagged_tuple,{f,429},[{x,0},3,{atom,ok}]}.
    {get_tuple_element,{x,0},1,{y,1}}.
    {get_tuple_element,{x,0},2,{y,0}}.
    {move,{y,0},{x,2}}.
    {move,{y,1},{x,1}}.
    {move,{y,2},{x,0}}.
    {init_yregs,{list,[{y,2}]}}.
    {line,[{location,"src/upgrades_nif.erl",861}]}.
    {call,3,{f,676}}. % adopt/3
    {test,is_eq_exact,{f,429},[{x,0},{atom,changed}]}.
    {test_heap,4,0}.
    {put_tuple2,{x,0},{list,[{atom,convert},{y,1},{y,0}]}}.
    {deallocate,3}.
    return.
  {label,429}.
    {deallocate,3}.
    return.
  {label,430}.
    {test,is_eq_exact,{f,431},[{x,0},{atom,none}]}.
    {test_heap,4,0}.
    {put_tuple2,{x,0},{list,[{atom,convert},{literal,<<"term()">>},{y,1}]}}.
    {deallocate,3}.
    return.
  {label,431}.
    {line,[{location,"src/upgrades_nif.erl",855}]}.
    {case_end,{x,0}}.


{function, run, 3, 433}.
  {label,432}.
    {line,[{location,"src/upgrades_nif.erl",873}]}.
    {func_info,{atom,upgrades_nif},{atom,run},3}.
  {label,433}.
    {line,[{location,"src/upgrades_nif.erl",874}]}.
    {gc_bif,length,{f,0},3,[{x,2}],{x,3}}.
    {allocate,1,4}.
    {move,{x,2},{y,0}}.
    {move,{x,3},{x,2}}.
    {call,3,{f,670}}. % number/3
    {test,is_eq_exact,{f,434},[{x,0},{atom,none}]}.
    {deallocate,1}.
    return.
  {label,434}.
    {test_heap,2,1}.
    {put_list,{x,0},{y,0},{x,2}}.
    {move,{atom,callback},{x,1}}.
    {trim,1,0}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",876}]}.
    {call_ext,3,{extfunc,erlang,apply,3}}.
    {call,1,{f,25}}. % after_first/1
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,ok},{x,0}]}}.
    {deallocate,0}.
    return.


{function, at_once, 1, 436}.
  {label,435}.
    {line,[{location,"src/upgrades_nif.erl",881}]}.
    {func_info,{atom,upgrades_nif},{atom,at_once},1}.
  {label,436}.
    {test,is_tuple,{f,435},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,435},
                        {list,[2,{f,445},3,{f,438},4,{f,437}]}}.
  {label,437}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_eq_exact,{f,435},[{x,1},{atom,here}]}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {get_tuple_element,{x,0},2,{x,2}}.
    {get_tuple_element,{x,0},3,{x,0}}.
    {swap,{x,2},{x,1}}.
    {swap,{x,0},{x,2}}.
    {line,[{location,"src/upgrades_nif.erl",882}]}.
    {call_ext_only,3,{extfunc,erlang,apply,3}}.
  {label,438}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {get_tuple_element,{x,0},2,{x,3}}.
    {select_val,{x,1},
                {f,435},
                {list,[{atom,send_request},{f,443},{atom,spawn},{f,439}]}}.
  {label,439}.
    {select_val,{x,3},
                {f,435},
                {list,[{atom,link},
                       {f,442},
                       {atom,monitor},
                       {f,441},
                       {atom,nothing},
                       {f,440}]}}.
  {label,440}.
    {test_heap,2,3}.
    {put_list,{x,2},nil,{x,2}}.
    {move,{atom,spawned},{x,1}}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",901}]}.
    {call_ext_only,3,{extfunc,proc_lib,spawn,3}}.
  {label,441}.
    {allocate_heap,2,4,3}.
    {init_yregs,{list,[{y,0},{y,1}]}}.
    {bif,self,{f,0},[],{x,0}}.
    {put_list,{x,0},nil,{x,0}}.
    {put_list,{x,2},{x,0},{x,2}}.
    {move,{atom,spawned},{x,1}}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",906}]}.
    {call_ext,3,{extfunc,proc_lib,spawn,3}}.
    {move,{x,0},{y,1}}.
    {move,{x,0},{x,1}}.
    {move,{atom,process},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",907}]}.
    {call_ext,2,{extfunc,erlang,monitor,2}}.
    {test_heap,3,1}.
    {bif,self,{f,0},[],{x,1}}.
    {put_tuple2,{x,1},{list,[{atom,'$otp_rs'},{x,1}]}}.
    {move,{x,0},{y,0}}.
    {move,{y,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",908}]}.
    send.
    {test_heap,3,0}.
    {put_tuple2,{x,0},{list,[{y,1},{y,0}]}}.
    {deallocate,2}.
    return.
  {label,442}.
    {test_heap,2,3}.
    {put_list,{x,2},nil,{x,2}}.
    {move,{atom,spawned},{x,1}}.
    {move,{atom,upgrades_nif},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",903}]}.
    {call_ext_only,3,{extfunc,proc_lib,spawn_link,3}}.
  {label,443}.
    {allocate,2,4}.
    {move,{x,2},{y,0}}.
    {move,{x,3},{y,1}}.
    {move,{x,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",891}]}.
    {call,1,{f,143}}. % process_of/1
    {test,is_eq_exact,{f,444},[{x,0},{atom,undefined}]}.
    {move,{y,0},{x,0}}.
    {call_last,1,{f,469},2}. % nobody/1
  {label,444}.
    {move,{y,1},{x,1}}.
    {call_last,2,{f,471},2}. % request/2
  {label,445}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {select_val,{x,1},
                {f,435},
                {list,[{atom,cancel_timer},{f,450},{atom,monitor},{f,446}]}}.
  {label,446}.
    {test,is_tuple,{f,449},[{x,2}]}.
    {select_tuple_arity,{tr,{x,2},{t_tuple,0,false,#{}}},
                        {f,449},
                        {list,[2,{f,448},3,{f,447}]}}.
  {label,447}.
    {get_tuple_element,{x,2},0,{x,0}}.
    {test,is_eq_exact,{f,449},[{x,0},{atom,via}]}.
    {allocate,1,3}.
    {move,{x,2},{y,0}}.
    {move,{x,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",886}]}.
    {call,1,{f,143}}. % process_of/1
    {move,{y,0},{x,1}}.
    {call_last,2,{f,456},1}. % monitored/2
  {label,448}.
    {get_tuple_element,{x,2},0,{x,0}}.
    {test,is_eq_exact,{f,449},[{x,0},{atom,global}]}.
    {allocate,1,3}.
    {move,{x,2},{y,0}}.
    {move,{x,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",884}]}.
    {call,1,{f,143}}. % process_of/1
    {move,{y,0},{x,1}}.
    {call_last,2,{f,456},1}. % monitored/2
  {label,449}.
    {move,{x,2},{x,1}}.
    {move,{atom,process},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",889}]}.
    {call_ext_only,2,{extfunc,erlang,monitor,2}}.
  {label,450}.
    {allocate,1,3}.
    {move,{x,2},{y,0}}.
    {move,{x,2},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",896}]}.
    {call_ext,1,{extfunc,erlang,cancel_timer,1}}.
    {test,is_eq_exact,{f,454},[{x,0},{atom,false}]}.
  {label,451}.
    {loop_rec,{f,453},{x,0}}.
    {test,is_tagged_tuple,{f,452},[{x,0},3,{atom,timeout}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_eq_exact,{f,452},[{x,0},{y,0}]}.
    remove_message.
    {move,nil,{x,0}}.
    {deallocate,1}.
    return.
  {label,452}.
    {loop_rec_end,{f,451}}.
  {label,453}.
    timeout.
    {move,nil,{x,0}}.
    {deallocate,1}.
    return.
  {label,454}.
    {test_heap,2,1}.
    {put_list,{x,0},nil,{x,0}}.
    {deallocate,1}.
    return.


{function, monitored, 2, 456}.
  {label,455}.
    {line,[{location,"src/upgrades_nif.erl",913}]}.
    {func_info,{atom,upgrades_nif},{atom,monitored},2}.
  {label,456}.
    {test,is_eq_exact,{f,457},[{x,0},{atom,undefined}]}.
    {move,{x,1},{x,0}}.
    {call_only,1,{f,469}}. % nobody/1
  {label,457}.
    {move,{x,0},{x,1}}.
    {move,{atom,process},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",914}]}.
    {call_ext_only,2,{extfunc,erlang,monitor,2}}.


{function, spawned, 1, 459}.
  {label,458}.
    {line,[{location,"src/upgrades_nif.erl",918}]}.
    {func_info,{atom,upgrades_nif},{atom,spawned},1}.
  {label,459}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",919}]}.
    {call,1,{f,680}}. % start/1
    {move,{literal,#{}},{x,1}}.
    {call_last,2,{f,58},0}. % next/2


{function, spawned, 2, 461}.
  {label,460}.
    {line,[{location,"src/upgrades_nif.erl",922}]}.
    {func_info,{atom,upgrades_nif},{atom,spawned},2}.
  {label,461}.
    {allocate,4,2}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{x,1},{y,2}}.
    {move,{x,0},{y,3}}.
    {recv_marker_reserve,{y,1}}.
    {move,{atom,process},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",923}]}.
    {call_ext,2,{extfunc,erlang,monitor,2}}.
    {move,{x,0},{y,0}}.
    {recv_marker_bind,{y,1},{x,0}}.
  {label,462}.
    {loop_rec,{f,467},{x,0}}.
    {test,is_tuple,{f,466},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,466},
                        {list,[2,{f,464},5,{f,463}]}}.
  {label,463}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {get_tuple_element,{x,0},2,{x,3}}.
    {get_tuple_element,{x,0},3,{x,0}}.
    {test,is_eq_exact,{f,466},[{x,1},{atom,'DOWN'}]}.
    {test,is_eq_exact,{f,466},[{x,3},{atom,process}]}.
    {test,is_eq_exact,{f,466},[{x,2},{tr,{y,0},reference}]}.
    {jump,{f,465}}.
  {label,464}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_eq_exact,{f,466},[{x,1},{atom,'$otp_rs'}]}.
  {label,465}.
    {test,is_eq_exact,{f,466},[{x,0},{y,2}]}.
    remove_message.
    {move,{literal,[flush]},{x,1}}.
    {move,{y,0},{y,2}}.
    {trim,2,2}.
    {move,{y,0},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",928}]}.
    {call_ext,2,{extfunc,erlang,demonitor,2}}.
    {recv_marker_clear,{y,0}}.
    {move,{y,1},{x,0}}.
    {call_last,1,{f,459},2}. % spawned/1
  {label,466}.
    {loop_rec_end,{f,462}}.
  {label,467}.
    {wait,{f,462}}.


{function, nobody, 1, 469}.
  {label,468}.
    {line,[{location,"src/upgrades_nif.erl",933}]}.
    {func_info,{atom,upgrades_nif},{atom,nobody},1}.
  {label,469}.
    {allocate,2,1}.
    {init_yregs,{list,[{y,0}]}}.
    {move,{x,0},{y,1}}.
    {call_ext,0,{extfunc,erlang,make_ref,0}}.
    {bif,self,{f,0},[],{y,0}}.
    {swap,{y,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",935}]}.
    {call,1,{f,475}}. % object_of/1
    {test_heap,6,1}.
    {put_tuple2,{x,1},
                {list,[{atom,'DOWN'},
                       {y,1},
                       {atom,process},
                       {x,0},
                       {atom,noproc}]}}.
    {move,{y,0},{x,0}}.
    {trim,1,1}.
    send.
    {move,{y,0},{x,0}}.
    {deallocate,1}.
    return.


{function, request, 2, 471}.
  {label,470}.
    {line,[{location,"src/upgrades_nif.erl",940}]}.
    {func_info,{atom,upgrades_nif},{atom,request},2}.
  {label,471}.
    {allocate,3,2}.
    {move,{x,1},{y,1}}.
    {move,{x,0},{y,2}}.
    {recv_marker_reserve,{y,0}}.
    {move,{x,0},{x,1}}.
    {move,{literal,[{alias,reply_demonitor}]},{x,2}}.
    {move,{atom,process},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",941}]}.
    {call_ext,3,{extfunc,erlang,monitor,3}}.
    {recv_marker_bind,{y,0},{x,0}}.
    {move,{y,2},{x,1}}.
    {move,{x,0},{y,2}}.
    {move,{y,1},{x,2}}.
    {swap,{x,0},{x,1}}.
    {trim,2,1}.
    {line,[{location,"src/upgrades_nif.erl",942}]}.
    {call,3,{f,473}}. % ask/3
    {recv_marker_clear,{y,0}}.
    {move,{y,0},{x,0}}.
    {deallocate,1}.
    return.


{function, ask, 3, 473}.
  {label,472}.
    {line,[{location,"src/upgrades_nif.erl",947}]}.
    {func_info,{atom,upgrades_nif},{atom,ask},3}.
  {label,473}.
    {allocate_heap,0,9,3}.
    {bif,self,{f,0},[],{x,3}}.
    {put_list,{atom,alias},{x,1},{x,1}}.
    {put_tuple2,{x,1},{list,[{x,3},{x,1}]}}.
    {put_tuple2,{x,1},{list,[{atom,'$gen_call'},{x,1},{x,2}]}}.
    {move,{literal,[noconnect]},{x,2}}.
    {line,[{location,"src/upgrades_nif.erl",948}]}.
    {call_ext,3,{extfunc,erlang,send,3}}.
    {move,{atom,ok},{x,0}}.
    {deallocate,0}.
    return.


{function, object_of, 1, 475}.
  {label,474}.
    {line,[{location,"src/upgrades_nif.erl",953}]}.
    {func_info,{atom,upgrades_nif},{atom,object_of},1}.
  {label,475}.
    {test,is_tuple,{f,479},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,479},
                        {list,[2,{f,477},3,{f,476}]}}.
  {label,476}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_eq_exact,{f,479},[{x,1},{atom,via}]}.
    {test_heap,3,1}.
    {get_tuple_element,{x,0},2,{x,0}}.
    {bif,node,{f,0},[],{x,1}}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1}]}}.
    return.
  {label,477}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_eq_exact,{f,478},[{x,1},{atom,global}]}.
    {test_heap,3,1}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {bif,node,{f,0},[],{x,1}}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1}]}}.
    return.
  {label,478}.
    return.
  {label,479}.
    {test_heap,3,1}.
    {bif,node,{f,0},[],{x,1}}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1}]}}.
    return.


{function, take, 2, 481}.
  {label,480}.
    {line,[{location,"src/upgrades_nif.erl",982}]}.
    {func_info,{atom,upgrades_nif},{atom,take},2}.
  {label,481}.
    {test,is_tuple,{f,480},[{x,0}]}.
    {test,test_arity,{f,480},[{x,0},3]}.
    {allocate,4,2}.
    {move,{x,1},{y,3}}.
    {get_tuple_element,{x,0},0,{y,2}}.
    {get_tuple_element,{x,0},1,{y,1}}.
    {get_tuple_element,{x,0},2,{y,0}}.
  {label,482}.
    {loop_rec,{f,502},{x,0}}.
    {test,is_atom,{f,483},[{x,0}]}.
    {bif,is_map_key,{f,483},[{tr,{x,0},{t_atom,any}},{y,2}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,483}.
    {bif,element,{f,484},[{integer,1},{x,0}],{x,1}}.
    {bif,tuple_size,{f,0},[{tr,{x,0},{t_tuple,1,false,#{}}}],{x,2}}.
    {bif,map_get,{f,484},[{tr,{x,2},{t_integer,{1,16777215}}},{y,1}],{x,2}}.
    {bif,map_get,{f,484},[{x,1},{x,2}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,any}]}.
  {label,484}.
    {bif,element,{f,485},[{integer,2},{x,0}],{x,1}}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {bif,tuple_size,{f,0},[{tr,{x,0},{t_tuple,2,false,#{}}}],{x,3}}.
    {bif,map_get,{f,485},[{tr,{x,3},{t_integer,{2,16777215}}},{y,1}],{x,3}}.
    {bif,map_get,{f,485},[{x,2},{x,3}],{x,2}}.
    {bif,is_map_key,{f,485},[{x,1},{x,2}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,485}.
    {bif,tuple_size,{f,486},[{x,0}],{x,1}}.
    {bif,map_get,{f,486},[{tr,{x,1},{t_integer,{0,16777215}}},{y,1}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,any}]}.
  {label,486}.
    {bif,is_map_key,{f,487},[{atom,any},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,487}.
    {test,is_atom,{f,488},[{x,0}]}.
    {bif,is_map_key,{f,488},[{atom,atom},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,488}.
    {test,is_integer,{f,489},[{x,0}]}.
    {bif,is_map_key,{f,489},[{atom,integer},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,489}.
    {test,is_float,{f,490},[{x,0}]}.
    {bif,is_map_key,{f,490},[{atom,float},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,490}.
    {test,is_binary,{f,491},[{x,0}]}.
    {bif,is_map_key,{f,491},[{atom,binary},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,491}.
    {test,is_bitstr,{f,492},[{x,0}]}.
    {bif,is_map_key,{f,492},[{atom,bitstring},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,492}.
    {test,is_nil,{f,493},[{x,0}]}.
    {bif,is_map_key,{f,493},[{atom,nil},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,493}.
    {test,is_list,{f,494},[{x,0}]}.
    {test,is_ne_exact,{f,501},[{tr,{x,0},{t_list,any,any}},nil]}.
    {bif,is_map_key,{f,494},[{atom,list},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,494}.
    {test,is_tuple,{f,495},[{x,0}]}.
    {bif,is_map_key,{f,495},[{atom,tuple},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,495}.
    {test,is_map,{f,496},[{x,0}]}.
    {bif,is_map_key,{f,496},[{atom,map},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,496}.
    {test,is_pid,{f,497},[{x,0}]}.
    {bif,is_map_key,{f,497},[{atom,pid},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,497}.
    {test,is_port,{f,498},[{x,0}]}.
    {bif,is_map_key,{f,498},[{atom,port},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,498}.
    {test,is_reference,{f,499},[{x,0}]}.
    {bif,is_map_key,{f,499},[{atom,reference},{y,0}],{x,1}}.
    {test,is_ne_exact,{f,500},[{x,1},{atom,true}]}.
  {label,499}.
    {test,is_function,{f,501},[{x,0}]}.
    {bif,is_map_key,{f,501},[{atom,function},{y,0}],{x,1}}.
    {test,is_eq_exact,{f,501},[{x,1},{atom,true}]}.
  {label,500}.
    {test_heap,2,1}.
    remove_message.
    {put_list,{x,0},nil,{x,0}}.
    {deallocate,4}.
    return.
  {label,501}.
    {loop_rec_end,{f,482}}.
  {label,502}.
    {wait_timeout,{f,482},{y,3}}.
    timeout.
    {move,nil,{x,0}}.
    {deallocate,4}.
    return.


{function, selects, 2, 504}.
  {label,503}.
    {line,[{location,"src/upgrades_nif.erl",988}]}.
    {func_info,{atom,upgrades_nif},{atom,selects},2}.
  {label,504}.
    {test,is_tuple,{f,523},[{x,0}]}.
    {test,test_arity,{f,523},[{x,0},3]}.
    {test,is_atom,{f,505},[{x,1}]}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {bif,is_map_key,{f,505},[{tr,{x,1},{t_atom,any}},{x,2}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,505}.
    {get_tuple_element,{x,0},1,{x,2}}.
    {bif,element,{f,506},[{integer,1},{x,1}],{x,3}}.
    {bif,tuple_size,{f,0},[{tr,{x,1},{t_tuple,1,false,#{}}}],{x,4}}.
    {bif,map_get,{f,506},[{tr,{x,4},{t_integer,{1,16777215}}},{x,2}],{x,4}}.
    {bif,map_get,{f,506},[{x,3},{x,4}],{x,3}}.
    {test,is_ne_exact,{f,521},[{x,3},{atom,any}]}.
  {label,506}.
    {bif,element,{f,507},[{integer,2},{x,1}],{x,3}}.
    {bif,tuple_size,{f,0},[{tr,{x,1},{t_tuple,2,false,#{}}}],{x,4}}.
    {bif,map_get,{f,507},[{tr,{x,4},{t_integer,{2,16777215}}},{x,2}],{x,4}}.
    {get_tuple_element,{x,1},0,{x,5}}.
    {bif,map_get,{f,507},[{x,5},{x,4}],{x,4}}.
    {bif,is_map_key,{f,507},[{x,3},{x,4}],{x,3}}.
    {test,is_ne_exact,{f,521},[{x,3},{atom,true}]}.
  {label,507}.
    {bif,tuple_size,{f,508},[{x,1}],{x,3}}.
    {bif,map_get,{f,508},[{tr,{x,3},{t_integer,{0,16777215}}},{x,2}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,any}]}.
  {label,508}.
    {get_tuple_element,{x,0},2,{x,0}}.
    {bif,is_map_key,{f,509},[{atom,any},{x,0}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,509}.
    {test,is_atom,{f,510},[{x,1}]}.
    {bif,is_map_key,{f,510},[{atom,atom},{x,0}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,510}.
    {test,is_integer,{f,511},[{x,1}]}.
    {bif,is_map_key,{f,511},[{atom,integer},{x,0}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,511}.
    {test,is_float,{f,512},[{x,1}]}.
    {bif,is_map_key,{f,512},[{atom,float},{x,0}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,512}.
    {test,is_binary,{f,513},[{x,1}]}.
    {bif,is_map_key,{f,513},[{atom,binary},{x,0}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,513}.
    {test,is_bitstr,{f,514},[{x,1}]}.
    {bif,is_map_key,{f,514},[{atom,bitstring},{x,0}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,514}.
    {test,is_nil,{f,515},[{x,1}]}.
    {bif,is_map_key,{f,515},[{atom,nil},{x,0}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,515}.
    {test,is_list,{f,516},[{x,1}]}.
    {test,is_ne_exact,{f,523},[{tr,{x,1},{t_list,any,any}},nil]}.
    {bif,is_map_key,{f,516},[{atom,list},{x,0}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,516}.
    {test,is_tuple,{f,517},[{x,1}]}.
    {bif,is_map_key,{f,517},[{atom,tuple},{x,0}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,517}.
    {test,is_map,{f,518},[{x,1}]}.
    {bif,is_map_key,{f,518},[{atom,map},{x,0}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,518}.
    {test,is_pid,{f,519},[{x,1}]}.
    {bif,is_map_key,{f,519},[{atom,pid},{x,0}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,519}.
    {test,is_port,{f,520},[{x,1}]}.
    {bif,is_map_key,{f,520},[{atom,port},{x,0}],{x,2}}.
    {test,is_ne_exact,{f,521},[{x,2},{atom,true}]}.
  {label,520}.
    {test,is_reference,{f,522},[{x,1}]}.
    {bif,is_map_key,{f,522},[{atom,reference},{x,0}],{x,2}}.
    {test,is_eq_exact,{f,522},[{x,2},{atom,true}]}.
  {label,521}.
    {move,{atom,true},{x,0}}.
    return.
  {label,522}.
    {test,is_function,{f,523},[{x,1}]}.
    {bif,is_map_key,{f,523},[{atom,function},{x,0}],{x,0}}.
    return.
  {label,523}.
    {move,{atom,false},{x,0}}.
    return.


{function, await_messages, 3, 525}.
  {label,524}.
    {line,[{location,"src/upgrades_nif.erl",1001}]}.
    {func_info,{atom,upgrades_nif},{atom,await_messages},3}.
  {label,525}.
    {allocate,4,3}.
    {move,{x,2},{y,1}}.
    {move,{x,1},{y,2}}.
    {move,{x,0},{y,3}}.
    {recv_marker_reserve,{y,0}}.
    {call_ext,0,{extfunc,erlang,make_ref,0}}.
    {test_heap,4,1}.
    {put_tuple2,{x,1},{list,[{x,0},{y,3},{atom,searching}]}}.
    {recv_marker_bind,{y,0},{x,0}}.
    {move,{x,0},{y,0}}.
    {move,{atom,'$otp_rs_search'},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1003}]}.
    {call_ext,2,{extfunc,erlang,put,2}}.
    {move,{y,2},{x,1}}.
    {init_yregs,{list,[{y,2}]}}.
    {move,{literal,fun upgrades_nif:search/1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1004}]}.
    {call_ext,2,{extfunc,prim_eval,'receive',2}}.
    {move,{x,0},{y,2}}.
    {move,{atom,'$otp_rs_search'},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1005}]}.
    {call_ext,1,{extfunc,erlang,erase,1}}.
    {test,is_tuple,{f,540},[{x,0}]}.
    {test,test_arity,{f,540},[{x,0},3]}.
    {get_tuple_element,{x,0},2,{x,0}}.
    {test,is_eq_exact,{f,527},[{y,2},{atom,timeout}]}.
    {select_val,{x,0},
                {f,533},
                {list,[{atom,found},{f,528},{atom,searching},{f,526}]}}.
  {label,526}.
    {test_heap,3,0}.
    {recv_marker_clear,{y,0}}.
    {put_tuple2,{x,0},{list,[{y,3},{y,1}]}}.
    {deallocate,4}.
    return.
  {label,527}.
    {test,is_eq_exact,{f,533},[{x,0},{atom,found}]}.
  {label,528}.
    {test,is_eq_exact,{f,529},[{y,2},{tr,{y,0},reference}]}.
    {recv_marker_clear,{y,0}}.
    {move,{y,1},{x,1}}.
    {move,{y,3},{x,0}}.
    {call_last,2,{f,550},4}. % offered/2
  {label,529}.
    {test,is_eq_exact,{f,533},[{y,2},{atom,timeout}]}.
    {recv_marker_use,{y,0}}.
  {label,530}.
    {loop_rec,{f,532},{x,0}}.
    {test,is_eq_exact,{f,531},[{x,0},{tr,{y,0},reference}]}.
    {recv_marker_clear,{y,0}}.
    remove_message.
    {move,{y,1},{x,1}}.
    {move,{y,3},{x,0}}.
    {call_last,2,{f,550},4}. % offered/2
  {label,531}.
    {loop_rec_end,{f,530}}.
  {label,532}.
    {wait,{f,530}}.
  {label,533}.
    {select_val,{x,0},
                {f,539},
                {list,[{atom,found},{f,535},{atom,searching},{f,534}]}}.
  {label,534}.
    {recv_marker_clear,{y,0}}.
    {move,{y,1},{x,2}}.
    {move,{y,3},{x,1}}.
    {move,{y,2},{x,0}}.
    {call_last,3,{f,172},4}. % answered/3
  {label,535}.
    {recv_marker_use,{y,0}}.
  {label,536}.
    {loop_rec,{f,538},{x,0}}.
    {test,is_eq_exact,{f,537},[{x,0},{tr,{y,0},reference}]}.
    {recv_marker_clear,{y,0}}.
    remove_message.
    {move,{y,1},{x,2}}.
    {move,{y,3},{x,1}}.
    {move,{y,2},{x,0}}.
    {call_last,3,{f,172},4}. % answered/3
  {label,537}.
    {loop_rec_end,{f,536}}.
  {label,538}.
    {wait,{f,536}}.
  {label,539}.
    {test_heap,3,1}.
    {recv_marker_clear,{y,0}}.
    {put_tuple2,{x,0},{list,[{y,2},{x,0}]}}.
    {line,[{location,"src/upgrades_nif.erl",1006}]}.
    {case_end,{x,0}}.
  {label,540}.
    {recv_marker_clear,{y,0}}.
    {line,[{location,"src/upgrades_nif.erl",1005}]}.
    {badmatch,{x,0}}.


{function, search, 1, 542}.
  {label,541}.
    {line,[{location,"src/upgrades_nif.erl",1019}]}.
    {func_info,{atom,upgrades_nif},{atom,search},1}.
  {label,542}.
    {bif,get,{f,0},[{atom,'$otp_rs_search'}],{x,1}}.
    {test,is_tuple,{f,548},[{x,1}]}.
    {test,test_arity,{f,548},[{x,1},3]}.
    {get_tuple_element,{x,1},1,{x,2}}.
    {get_tuple_element,{x,1},2,{x,3}}.
    {test,is_map,{f,548},[{x,2}]}.
    {get_map_elements,{f,548},
                      {tr,{x,2},{t_map,any,any}},
                      {list,[{atom,'receive'},{x,4}]}}.
    {allocate,5,5}.
    {move,{x,4},{y,1}}.
    {move,{x,2},{y,2}}.
    {move,{x,3},{y,3}}.
    {move,{x,0},{y,4}}.
    {get_tuple_element,{x,1},0,{y,0}}.
    {test,is_ne_exact,{f,543},[{x,0},{y,0}]}.
    {move,{x,2},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",1021}]}.
    {call,2,{f,565}}. % is_answer/2
    {select_val,{x,0},
                {f,547},
                {list,[{atom,false},{f,544},{atom,true},{f,543}]}}.
  {label,543}.
    {move,{y,4},{x,0}}.
    {deallocate,5}.
    return.
  {label,544}.
    {test,is_ne_exact,{f,545},[{y,3},{atom,found}]}.
    {move,{y,1},{x,1}}.
    {move,{y,4},{x,0}}.
    {init_yregs,{list,[{y,1},{y,3},{y,4}]}}.
    {line,[{location,"src/upgrades_nif.erl",1025}]}.
    {call,2,{f,559}}. % receiver/2
    {test,is_eq_exact,{f,546},[{x,0},{atom,none}]}.
  {label,545}.
    {move,{atom,nomatch},{x,0}}.
    {deallocate,5}.
    return.
  {label,546}.
    {test_heap,4,0}.
    {put_tuple2,{x,1},{list,[{y,0},{y,2},{atom,found}]}}.
    {move,{y,0},{y,4}}.
    {trim,4,1}.
    {move,{atom,'$otp_rs_search'},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1028}]}.
    {call_ext,2,{extfunc,erlang,put,2}}.
    {bif,self,{f,0},[],{x,0}}.
    {move,{y,0},{x,1}}.
    {trim,1,0}.
    {line,[{location,"src/upgrades_nif.erl",1029}]}.
    send.
    {move,{atom,nomatch},{x,0}}.
    {deallocate,0}.
    return.
  {label,547}.
    {line,[{location,"src/upgrades_nif.erl",1021}]}.
    {case_end,{x,0}}.
  {label,548}.
    {line,[{location,"src/upgrades_nif.erl",1020}]}.
    {badmatch,{x,1}}.


{function, offered, 2, 550}.
  {label,549}.
    {line,[{location,"src/upgrades_nif.erl",1037}]}.
    {func_info,{atom,upgrades_nif},{atom,offered},2}.
  {label,550}.
    {allocate,4,2}.
    {init_yregs,{list,[{y,0},{y,1}]}}.
    {move,{x,1},{y,2}}.
    {move,{x,0},{y,3}}.
    {bif,self,{f,0},[],{x,0}}.
    {move,{atom,messages},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",1038}]}.
    {call_ext,2,{extfunc,erlang,process_info,2}}.
    {test,is_tagged_tuple,{f,552},[{x,0},2,{atom,messages}]}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {move,{y,3},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1039}]}.
    {call,2,{f,554}}. % first_for/2
    {test,is_tuple,{f,551},[{x,0}]}.
    {test,test_arity,{f,551},[{x,0},2]}.
    {get_tuple_element,{x,0},0,{y,1}}.
    {get_tuple_element,{x,0},1,{y,0}}.
    {move,{y,3},{x,1}}.
    {move,{y,0},{y,3}}.
    {trim,1,3}.
    {move,{y,0},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1040}]}.
    {call,2,{f,197}}. % over/2
    {test_heap,13,1}.
    {put_list,{y,2},nil,{x,1}}.
    {put_tuple2,{x,1},{list,[{atom,offer},{x,1}]}}.
    {put_tuple2,{x,1},{list,[{y,0},{x,1}]}}.
    {put_list,{x,1},{y,1},{x,1}}.
    {put_tuple2,{x,0},{list,[{x,0},{x,1}]}}.
    {deallocate,3}.
    return.
  {label,551}.
    {line,[{location,"src/upgrades_nif.erl",1039}]}.
    {badmatch,{x,0}}.
  {label,552}.
    {line,[{location,"src/upgrades_nif.erl",1038}]}.
    {badmatch,{x,0}}.


{function, first_for, 2, 554}.
  {label,553}.
    {line,[{location,"src/upgrades_nif.erl",1043}]}.
    {func_info,{atom,upgrades_nif},{atom,first_for},2}.
  {label,554}.
    {test,is_map,{f,553},[{x,0}]}.
    {get_map_elements,{f,553},
                      {tr,{x,0},{t_map,any,any}},
                      {list,[{atom,'receive'},{x,2}]}}.
    {test,is_nonempty_list,{f,553},[{x,1}]}.
    {allocate,4,3}.
    {move,{x,2},{y,2}}.
    {move,{x,0},{y,3}}.
    {get_list,{x,1},{y,1},{y,0}}.
    {move,{x,0},{x,1}}.
    {move,{y,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1044}]}.
    {call,2,{f,565}}. % is_answer/2
    {select_val,{x,0},
                {f,557},
                {list,[{atom,false},{f,555},{atom,true},{f,556}]}}.
  {label,555}.
    {move,{y,2},{x,1}}.
    {init_yregs,{list,[{y,2}]}}.
    {move,{y,1},{x,0}}.
    {call,2,{f,559}}. % receiver/2
    {test,is_integer,{f,556},[{x,0}]}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{x,0},{y,1}]}}.
    {deallocate,4}.
    return.
  {label,556}.
    {move,{y,0},{x,1}}.
    {move,{y,3},{x,0}}.
    {call_last,2,{f,554},4}. % first_for/2
  {label,557}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,badarg},{x,0}]}}.
    {call_ext_last,1,{extfunc,erlang,error,1},4}.


{function, receiver, 2, 559}.
  {label,558}.
    {line,[{location,"src/upgrades_nif.erl",1051}]}.
    {func_info,{atom,upgrades_nif},{atom,receiver},2}.
  {label,559}.
    {test,is_nonempty_list,{f,562},[{x,1}]}.
    {get_list,{x,1},{x,2},{x,3}}.
    {test,is_tuple,{f,558},[{x,2}]}.
    {test,test_arity,{f,558},[{x,2},2]}.
    {allocate,3,4}.
    {move,{x,3},{y,1}}.
    {move,{x,0},{y,2}}.
    {get_tuple_element,{x,2},0,{y,0}}.
    {get_tuple_element,{x,2},1,{x,0}}.
    {move,{y,2},{x,1}}.
    {line,[{location,"src/upgrades_nif.erl",1052}]}.
    {call,2,{f,504}}. % selects/2
    {select_val,{x,0},
                {f,563},
                {list,[{atom,false},{f,561},{atom,true},{f,560}]}}.
  {label,560}.
    {move,{y,0},{x,0}}.
    {deallocate,3}.
    return.
  {label,561}.
    {move,{y,1},{x,1}}.
    {move,{y,2},{x,0}}.
    {call_last,2,{f,559},3}. % receiver/2
  {label,562}.
    {test,is_nil,{f,558},[{x,1}]}.
    {move,{atom,none},{x,0}}.
    return.
  {label,563}.
    {case_end,{x,0}}.


{function, is_answer, 2, 565}.
  {label,564}.
    {line,[{location,"src/upgrades_nif.erl",1061}]}.
    {func_info,{atom,upgrades_nif},{atom,is_answer},2}.
  {label,565}.
    {test,is_tuple,{f,572},[{x,0}]}.
    {select_tuple_arity,{tr,{x,0},{t_tuple,0,false,#{}}},
                        {f,572},
                        {list,[2,{f,569},3,{f,568},4,{f,567},5,{f,566}]}}.
  {label,566}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_eq_exact,{f,572},[{x,2},{atom,'DOWN'}]}.
    {get_tuple_element,{x,0},2,{x,2}}.
    {test,is_eq_exact,{f,572},[{x,2},{atom,process}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_reference,{f,572},[{x,0}]}.
    {line,[{location,"src/upgrades_nif.erl",1062}]}.
    {bif,is_map_key,{f,0},[{tr,{x,0},reference},{x,1}],{x,0}}.
    return.
  {label,567}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {test,is_eq_exact,{f,572},[{x,1},{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,1}}.
    {test,is_eq_exact,{f,572},[{x,1},{atom,to}]}.
    {get_tuple_element,{x,0},2,{x,0}}.
    {test,is_integer,{f,572},[{x,0}]}.
    {bif,'>=',{f,0},[{tr,{x,0},{t_integer,any}},{integer,0}],{x,0}}.
    return.
  {label,568}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_eq_exact,{f,572},[{x,2},{atom,timeout}]}.
    {get_tuple_element,{x,0},2,{x,2}}.
    {test,is_eq_exact,{f,572},[{x,2},{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_reference,{f,572},[{x,0}]}.
    {line,[{location,"src/upgrades_nif.erl",1063}]}.
    {bif,is_map_key,{f,0},[{tr,{x,0},reference},{x,1}],{x,0}}.
    return.
  {label,569}.
    {get_tuple_element,{x,0},0,{x,2}}.
    {test,is_nonempty_list,{f,570},[{x,2}]}.
    {get_list,{x,2},{x,0},{x,2}}.
    {test,is_eq_exact,{f,572},[{x,0},{atom,alias}]}.
    {test,is_reference,{f,572},[{x,2}]}.
    {line,[{location,"src/upgrades_nif.erl",1061}]}.
    {bif,is_map_key,{f,0},[{tr,{x,2},reference},{x,1}],{x,0}}.
    return.
  {label,570}.
    {test,is_eq_exact,{f,572},[{x,2},{atom,'$otp_rs'}]}.
    {get_tuple_element,{x,0},1,{x,0}}.
    {test,is_eq_exact,{f,571},[{x,0},{atom,wake}]}.
    {move,{atom,true},{x,0}}.
    return.
  {label,571}.
    {test,is_reference,{f,572},[{x,0}]}.
    {line,[{location,"src/upgrades_nif.erl",1065}]}.
    {bif,is_map_key,{f,0},[{tr,{x,0},reference},{x,1}],{x,0}}.
    return.
  {label,572}.
    {move,{atom,false},{x,0}}.
    return.


{function, init, 1, 574}.
  {label,573}.
    {line,[{location,"src/upgrades_nif.erl",1070}]}.
    {func_info,{atom,upgrades_nif},{atom,init},1}.
  {label,574}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",1071}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,575},[{x,0}]}.
    {test,test_arity,{f,575},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {deallocate,0}.
    return.
  {label,575}.
    {badmatch,{x,0}}.


{function, init, 2, 577}.
  {label,576}.
    {line,[{location,"src/upgrades_nif.erl",1075}]}.
    {func_info,{atom,upgrades_nif},{atom,init},2}.
  {label,577}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1076}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,578},[{x,0}]}.
    {test,test_arity,{f,578},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,365},1}. % handled/2
  {label,578}.
    {badmatch,{x,0}}.


{function, handle_start, 1, 580}.
  {label,579}.
    {line,[{location,"src/upgrades_nif.erl",1080}]}.
    {func_info,{atom,upgrades_nif},{atom,handle_start},1}.
  {label,580}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",1081}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,581},[{x,0}]}.
    {test,test_arity,{f,581},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {deallocate,0}.
    return.
  {label,581}.
    {badmatch,{x,0}}.


{function, handle_start, 2, 583}.
  {label,582}.
    {line,[{location,"src/upgrades_nif.erl",1085}]}.
    {func_info,{atom,upgrades_nif},{atom,handle_start},2}.
  {label,583}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1086}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,584},[{x,0}]}.
    {test,test_arity,{f,584},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,365},1}. % handled/2
  {label,584}.
    {badmatch,{x,0}}.


{function, handle_call, 1, 586}.
  {label,585}.
    {line,[{location,"src/upgrades_nif.erl",1090}]}.
    {func_info,{atom,upgrades_nif},{atom,handle_call},1}.
  {label,586}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",1091}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,587},[{x,0}]}.
    {test,test_arity,{f,587},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {deallocate,0}.
    return.
  {label,587}.
    {badmatch,{x,0}}.


{function, handle_call, 2, 589}.
  {label,588}.
    {line,[{location,"src/upgrades_nif.erl",1095}]}.
    {func_info,{atom,upgrades_nif},{atom,handle_call},2}.
  {label,589}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1096}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,590},[{x,0}]}.
    {test,test_arity,{f,590},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,365},1}. % handled/2
  {label,590}.
    {badmatch,{x,0}}.


{function, handle_cast, 1, 592}.
  {label,591}.
    {line,[{location,"src/upgrades_nif.erl",1100}]}.
    {func_info,{atom,upgrades_nif},{atom,handle_cast},1}.
  {label,592}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",1101}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,593},[{x,0}]}.
    {test,test_arity,{f,593},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {deallocate,0}.
    return.
  {label,593}.
    {badmatch,{x,0}}.


{function, handle_cast, 2, 595}.
  {label,594}.
    {line,[{location,"src/upgrades_nif.erl",1105}]}.
    {func_info,{atom,upgrades_nif},{atom,handle_cast},2}.
  {label,595}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1106}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,596},[{x,0}]}.
    {test,test_arity,{f,596},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,365},1}. % handled/2
  {label,596}.
    {badmatch,{x,0}}.


{function, handle_info, 1, 598}.
  {label,597}.
    {line,[{location,"src/upgrades_nif.erl",1110}]}.
    {func_info,{atom,upgrades_nif},{atom,handle_info},1}.
  {label,598}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",1111}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,599},[{x,0}]}.
    {test,test_arity,{f,599},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {deallocate,0}.
    return.
  {label,599}.
    {badmatch,{x,0}}.


{function, handle_info, 2, 601}.
  {label,600}.
    {line,[{location,"src/upgrades_nif.erl",1115}]}.
    {func_info,{atom,upgrades_nif},{atom,handle_info},2}.
  {label,601}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1116}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,602},[{x,0}]}.
    {test,test_arity,{f,602},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,365},1}. % handled/2
  {label,602}.
    {badmatch,{x,0}}.


{function, handle_continue, 1, 604}.
  {label,603}.
    {line,[{location,"src/upgrades_nif.erl",1120}]}.
    {func_info,{atom,upgrades_nif},{atom,handle_continue},1}.
  {label,604}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",1121}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,605},[{x,0}]}.
    {test,test_arity,{f,605},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {deallocate,0}.
    return.
  {label,605}.
    {badmatch,{x,0}}.


{function, handle_continue, 2, 607}.
  {label,606}.
    {line,[{location,"src/upgrades_nif.erl",1125}]}.
    {func_info,{atom,upgrades_nif},{atom,handle_continue},2}.
  {label,607}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1126}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,608},[{x,0}]}.
    {test,test_arity,{f,608},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,365},1}. % handled/2
  {label,608}.
    {badmatch,{x,0}}.


{function, handle_event, 1, 610}.
  {label,609}.
    {line,[{location,"src/upgrades_nif.erl",1130}]}.
    {func_info,{atom,upgrades_nif},{atom,handle_event},1}.
  {label,610}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",1131}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,611},[{x,0}]}.
    {test,test_arity,{f,611},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {deallocate,0}.
    return.
  {label,611}.
    {badmatch,{x,0}}.


{function, handle_event, 2, 613}.
  {label,612}.
    {line,[{location,"src/upgrades_nif.erl",1135}]}.
    {func_info,{atom,upgrades_nif},{atom,handle_event},2}.
  {label,613}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1136}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,614},[{x,0}]}.
    {test,test_arity,{f,614},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,365},1}. % handled/2
  {label,614}.
    {badmatch,{x,0}}.


{function, terminate, 1, 616}.
  {label,615}.
    {line,[{location,"src/upgrades_nif.erl",1140}]}.
    {func_info,{atom,upgrades_nif},{atom,terminate},1}.
  {label,616}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",1141}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,617},[{x,0}]}.
    {test,test_arity,{f,617},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {deallocate,0}.
    return.
  {label,617}.
    {badmatch,{x,0}}.


{function, terminate, 2, 619}.
  {label,618}.
    {line,[{location,"src/upgrades_nif.erl",1145}]}.
    {func_info,{atom,upgrades_nif},{atom,terminate},2}.
  {label,619}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1146}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,620},[{x,0}]}.
    {test,test_arity,{f,620},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,365},1}. % handled/2
  {label,620}.
    {badmatch,{x,0}}.


{function, code_change, 1, 622}.
  {label,621}.
    {line,[{location,"src/upgrades_nif.erl",1150}]}.
    {func_info,{atom,upgrades_nif},{atom,code_change},1}.
  {label,622}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",1151}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,623},[{x,0}]}.
    {test,test_arity,{f,623},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {deallocate,0}.
    return.
  {label,623}.
    {badmatch,{x,0}}.


{function, code_change, 2, 625}.
  {label,624}.
    {line,[{location,"src/upgrades_nif.erl",1155}]}.
    {func_info,{atom,upgrades_nif},{atom,code_change},2}.
  {label,625}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1156}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,626},[{x,0}]}.
    {test,test_arity,{f,626},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,365},1}. % handled/2
  {label,626}.
    {badmatch,{x,0}}.


{function, waiting, 1, 628}.
  {label,627}.
    {line,[{location,"src/upgrades_nif.erl",1160}]}.
    {func_info,{atom,upgrades_nif},{atom,waiting},1}.
  {label,628}.
    {allocate,0,1}.
    {line,[{location,"src/upgrades_nif.erl",1161}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,629},[{x,0}]}.
    {test,test_arity,{f,629},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,0}}.
    {deallocate,0}.
    return.
  {label,629}.
    {badmatch,{x,0}}.


{function, waiting, 2, 631}.
  {label,630}.
    {line,[{location,"src/upgrades_nif.erl",1165}]}.
    {func_info,{atom,upgrades_nif},{atom,waiting},2}.
  {label,631}.
    {allocate,1,2}.
    {move,{x,0},{y,0}}.
    {move,{x,1},{x,0}}.
    {line,[{location,"src/upgrades_nif.erl",1166}]}.
    {call,1,{f,14}}. % continue/1
    {test,is_tuple,{f,632},[{x,0}]}.
    {test,test_arity,{f,632},[{x,0},1]}.
    {get_tuple_element,{x,0},0,{x,1}}.
    {move,{y,0},{x,0}}.
    {call_last,2,{f,365},1}. % handled/2
  {label,632}.
    {badmatch,{x,0}}.


{function, manifest, 0, 634}.
  {label,633}.
    {line,[{location,"src/upgrades_nif.erl",1170}]}.
    {func_info,{atom,upgrades_nif},{atom,manifest},0}.
  {label,634}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, environment, 2, 636}.
  {label,635}.
    {line,[{location,"src/upgrades_nif.erl",1173}]}.
    {func_info,{atom,upgrades_nif},{atom,environment},2}.
  {label,636}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, format_state, 1, 638}.
  {label,637}.
    {line,[{location,"src/upgrades_nif.erl",1176}]}.
    {func_info,{atom,upgrades_nif},{atom,format_state},1}.
  {label,638}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, state, 1, 640}.
  {label,639}.
    {line,[{location,"src/upgrades_nif.erl",1179}]}.
    {func_info,{atom,upgrades_nif},{atom,state},1}.
  {label,640}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, status, 1, 642}.
  {label,641}.
    {line,[{location,"src/upgrades_nif.erl",1182}]}.
    {func_info,{atom,upgrades_nif},{atom,status},1}.
  {label,642}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, long_callbacks, 1, 644}.
  {label,643}.
    {line,[{location,"src/upgrades_nif.erl",1185}]}.
    {func_info,{atom,upgrades_nif},{atom,long_callbacks},1}.
  {label,644}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, callbacks, 1, 646}.
  {label,645}.
    {line,[{location,"src/upgrades_nif.erl",1188}]}.
    {func_info,{atom,upgrades_nif},{atom,callbacks},1}.
  {label,646}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, backtrace, 1, 648}.
  {label,647}.
    {line,[{location,"src/upgrades_nif.erl",1191}]}.
    {func_info,{atom,upgrades_nif},{atom,backtrace},1}.
  {label,648}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, replace_state, 2, 650}.
  {label,649}.
    {line,[{location,"src/upgrades_nif.erl",1194}]}.
    {func_info,{atom,upgrades_nif},{atom,replace_state},2}.
  {label,650}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, long_callback, 1, 652}.
  {label,651}.
    {line,[{location,"src/upgrades_nif.erl",1197}]}.
    {func_info,{atom,upgrades_nif},{atom,long_callback},1}.
  {label,652}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, message_limit, 1, 654}.
  {label,653}.
    {line,[{location,"src/upgrades_nif.erl",1200}]}.
    {func_info,{atom,upgrades_nif},{atom,message_limit},1}.
  {label,654}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, follow, 2, 656}.
  {label,655}.
    {line,[{location,"src/upgrades_nif.erl",1203}]}.
    {func_info,{atom,upgrades_nif},{atom,follow},2}.
  {label,656}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, peers, 2, 658}.
  {label,657}.
    {line,[{location,"src/upgrades_nif.erl",1206}]}.
    {func_info,{atom,upgrades_nif},{atom,peers},2}.
  {label,658}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, taken, 0, 660}.
  {label,659}.
    {line,[{location,"src/upgrades_nif.erl",1209}]}.
    {func_info,{atom,upgrades_nif},{atom,taken},0}.
  {label,660}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, owns, 1, 662}.
  {label,661}.
    {line,[{location,"src/upgrades_nif.erl",1212}]}.
    {func_info,{atom,upgrades_nif},{atom,owns},1}.
  {label,662}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, users, 0, 664}.
  {label,663}.
    {line,[{location,"src/upgrades_nif.erl",1215}]}.
    {func_info,{atom,upgrades_nif},{atom,users},0}.
  {label,664}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, holders, 0, 666}.
  {label,665}.
    {line,[{location,"src/upgrades_nif.erl",1218}]}.
    {func_info,{atom,upgrades_nif},{atom,holders},0}.
  {label,666}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, module_of, 1, 668}.
  {label,667}.
    {line,[{location,"src/upgrades_nif.erl",1221}]}.
    {func_info,{atom,upgrades_nif},{atom,module_of},1}.
  {label,668}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, number, 3, 670}.
  {label,669}.
    {line,[{location,"src/upgrades_nif.erl",1224}]}.
    {func_info,{atom,upgrades_nif},{atom,number},3}.
  {label,670}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, states, 0, 672}.
  {label,671}.
    {line,[{location,"src/upgrades_nif.erl",1227}]}.
    {func_info,{atom,upgrades_nif},{atom,states},0}.
  {label,672}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, export, 1, 674}.
  {label,673}.
    {line,[{location,"src/upgrades_nif.erl",1230}]}.
    {func_info,{atom,upgrades_nif},{atom,export},1}.
  {label,674}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, adopt, 3, 676}.
  {label,675}.
    {line,[{location,"src/upgrades_nif.erl",1233}]}.
    {func_info,{atom,upgrades_nif},{atom,adopt},3}.
  {label,676}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, fits, 2, 678}.
  {label,677}.
    {line,[{location,"src/upgrades_nif.erl",1236}]}.
    {func_info,{atom,upgrades_nif},{atom,fits},2}.
  {label,678}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, start, 1, 680}.
  {label,679}.
    {line,[{location,"src/upgrades_nif.erl",1239}]}.
    {func_info,{atom,upgrades_nif},{atom,start},1}.
  {label,680}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, test, 1, 682}.
  {label,681}.
    {line,[{location,"src/upgrades_nif.erl",1242}]}.
    {func_info,{atom,upgrades_nif},{atom,test},1}.
  {label,682}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, resume, 2, 684}.
  {label,683}.
    {line,[{location,"src/upgrades_nif.erl",1245}]}.
    {func_info,{atom,upgrades_nif},{atom,resume},2}.
  {label,684}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, resume_tasks, 2, 686}.
  {label,685}.
    {line,[{location,"src/upgrades_nif.erl",1248}]}.
    {func_info,{atom,upgrades_nif},{atom,resume_tasks},2}.
  {label,686}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, resume_dirty_cpu, 2, 688}.
  {label,687}.
    {line,[{location,"src/upgrades_nif.erl",1251}]}.
    {func_info,{atom,upgrades_nif},{atom,resume_dirty_cpu},2}.
  {label,688}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, resume_dirty_io, 2, 690}.
  {label,689}.
    {line,[{location,"src/upgrades_nif.erl",1254}]}.
    {func_info,{atom,upgrades_nif},{atom,resume_dirty_io},2}.
  {label,690}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, callback, 1, 692}.
  {label,691}.
    {line,[{location,"src/upgrades_nif.erl",1257}]}.
    {func_info,{atom,upgrades_nif},{atom,callback},1}.
  {label,692}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, callback, 2, 694}.
  {label,693}.
    {line,[{location,"src/upgrades_nif.erl",1260}]}.
    {func_info,{atom,upgrades_nif},{atom,callback},2}.
  {label,694}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, callback, 3, 696}.
  {label,695}.
    {line,[{location,"src/upgrades_nif.erl",1263}]}.
    {func_info,{atom,upgrades_nif},{atom,callback},3}.
  {label,696}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, callback, 4, 698}.
  {label,697}.
    {line,[{location,"src/upgrades_nif.erl",1266}]}.
    {func_info,{atom,upgrades_nif},{atom,callback},4}.
  {label,698}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, callback, 5, 700}.
  {label,699}.
    {line,[{location,"src/upgrades_nif.erl",1269}]}.
    {func_info,{atom,upgrades_nif},{atom,callback},5}.
  {label,700}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, callback, 6, 702}.
  {label,701}.
    {line,[{location,"src/upgrades_nif.erl",1272}]}.
    {func_info,{atom,upgrades_nif},{atom,callback},6}.
  {label,702}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, callback, 7, 704}.
  {label,703}.
    {line,[{location,"src/upgrades_nif.erl",1275}]}.
    {func_info,{atom,upgrades_nif},{atom,callback},7}.
  {label,704}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, callback, 8, 706}.
  {label,705}.
    {line,[{location,"src/upgrades_nif.erl",1278}]}.
    {func_info,{atom,upgrades_nif},{atom,callback},8}.
  {label,706}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, callback, 9, 708}.
  {label,707}.
    {line,[{location,"src/upgrades_nif.erl",1281}]}.
    {func_info,{atom,upgrades_nif},{atom,callback},9}.
  {label,708}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, callback, 10, 710}.
  {label,709}.
    {line,[{location,"src/upgrades_nif.erl",1284}]}.
    {func_info,{atom,upgrades_nif},{atom,callback},10}.
  {label,710}.
    {move,{atom,not_loaded},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,nif_error,1}}.


{function, module_info, 0, 712}.
  {label,711}.
    {line,[]}.
    {func_info,{atom,upgrades_nif},{atom,module_info},0}.
  {label,712}.
    {move,{atom,upgrades_nif},{x,0}}.
    {call_ext_only,1,{extfunc,erlang,get_module_info,1}}.


{function, module_info, 1, 714}.
  {label,713}.
    {line,[]}.
    {func_info,{atom,upgrades_nif},{atom,module_info},1}.
  {label,714}.
    {move,{x,0},{x,1}}.
    {move,{atom,upgrades_nif},{x,0}}.
    {call_ext_only,2,{extfunc,erlang,get_module_info,2}}.


{function, '-shown_status/1-lc$^3/1-2-', 1, 716}.
  {label,715}.
    {line,[{location,"src/upgrades_nif.erl",835}]}.
    {func_info,{atom,upgrades_nif},{atom,'-shown_status/1-lc$^3/1-2-'},1}.
  {label,716}.
    {test,is_nonempty_list,{f,718},[{x,0}]}.
    {get_list,{x,0},{x,1},{x,0}}.
    {test,is_tuple,{f,717},[{x,1}]}.
    {test,test_arity,{f,717},[{x,1},3]}.
    {allocate,2,2}.
    {move,{x,0},{y,1}}.
    {get_tuple_element,{x,1},0,{y,0}}.
    {get_tuple_element,{x,1},1,{x,1}}.
    {move,{y,0},{x,0}}.
    {call,2,{f,417}}. % hidden/2
    {swap,{y,1},{x,0}}.
    {call,1,{f,716}}. % '-shown_status/1-lc$^3/1-2-'/1
    {test_heap,5,1}.
    {put_tuple2,{x,1},{list,[{y,0},{y,1}]}}.
    {put_list,{x,1},{x,0},{x,0}}.
    {deallocate,2}.
    return.
  {label,717}.
    {call_only,1,{f,716}}. % '-shown_status/1-lc$^3/1-2-'/1
  {label,718}.
    {test,is_nil,{f,719},[{x,0}]}.
    return.
  {label,719}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,bad_generator},{x,0}]}}.
    {call_ext_only,1,{extfunc,erlang,error,1}}.


{function, '-shown_status/1-lc$^2/1-3-', 1, 721}.
  {label,720}.
    {line,[{location,"src/upgrades_nif.erl",834}]}.
    {func_info,{atom,upgrades_nif},{atom,'-shown_status/1-lc$^2/1-3-'},1}.
  {label,721}.
    {test,is_nonempty_list,{f,723},[{x,0}]}.
    {get_list,{x,0},{x,1},{x,0}}.
    {test,is_tuple,{f,722},[{x,1}]}.
    {test,test_arity,{f,722},[{x,1},3]}.
    {allocate,1,2}.
    {move,{x,1},{y,0}}.
    {call,1,{f,721}}. % '-shown_status/1-lc$^2/1-3-'/1
    {test_heap,5,1}.
    {get_tuple_element,{y,0},0,{x,1}}.
    {get_tuple_element,{y,0},1,{x,2}}.
    {put_tuple2,{x,1},{list,[{x,1},{x,2}]}}.
    {put_list,{x,1},{x,0},{x,0}}.
    {deallocate,1}.
    return.
  {label,722}.
    {call_only,1,{f,721}}. % '-shown_status/1-lc$^2/1-3-'/1
  {label,723}.
    {test,is_nil,{f,724},[{x,0}]}.
    return.
  {label,724}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,bad_generator},{x,0}]}}.
    {call_ext_only,1,{extfunc,erlang,error,1}}.


{function, '-shown_status/1-lc$^1/1-1-', 1, 726}.
  {label,725}.
    {line,[{location,"src/upgrades_nif.erl",833}]}.
    {func_info,{atom,upgrades_nif},{atom,'-shown_status/1-lc$^1/1-1-'},1}.
  {label,726}.
    {test,is_nonempty_list,{f,728},[{x,0}]}.
    {get_list,{x,0},{x,1},{x,0}}.
    {test,is_tuple,{f,727},[{x,1}]}.
    {test,test_arity,{f,727},[{x,1},3]}.
    {get_tuple_element,{x,1},0,{x,2}}.
    {get_tuple_element,{x,1},1,{x,3}}.
    {test,is_eq_exact,{f,727},[{x,3},{atom,secret}]}.
    {get_tuple_element,{x,1},2,{x,1}}.
    {test,is_eq_exact,{f,727},[{x,1},{atom,true}]}.
    {allocate,1,3}.
    {move,{x,2},{y,0}}.
    {call,1,{f,726}}. % '-shown_status/1-lc$^1/1-1-'/1
    {test_heap,2,1}.
    {put_list,{y,0},{x,0},{x,0}}.
    {deallocate,1}.
    return.
  {label,727}.
    {call_only,1,{f,726}}. % '-shown_status/1-lc$^1/1-1-'/1
  {label,728}.
    {test,is_nil,{f,729},[{x,0}]}.
    return.
  {label,729}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,bad_generator},{x,0}]}}.
    {call_ext_only,1,{extfunc,erlang,error,1}}.


{function, '-shown_status/1-lc$^0/1-0-', 1, 731}.
  {label,730}.
    {line,[{location,"src/upgrades_nif.erl",832}]}.
    {func_info,{atom,upgrades_nif},{atom,'-shown_status/1-lc$^0/1-0-'},1}.
  {label,731}.
    {test,is_nonempty_list,{f,733},[{x,0}]}.
    {get_list,{x,0},{x,1},{x,0}}.
    {test,is_tuple,{f,732},[{x,1}]}.
    {test,test_arity,{f,732},[{x,1},2]}.
    {allocate,3,2}.
    {move,{x,0},{y,2}}.
    {get_tuple_element,{x,1},0,{y,1}}.
    {get_tuple_element,{x,1},1,{y,0}}.
    {move,{y,0},{x,0}}.
    {call,1,{f,410}}. % shown/1
    {bif,is_reference,{f,0},[{y,0}],{y,0}}.
    {swap,{y,2},{x,0}}.
    {call,1,{f,731}}. % '-shown_status/1-lc$^0/1-0-'/1
    {test_heap,6,1}.
    {put_tuple2,{x,1},{list,[{y,1},{y,2},{y,0}]}}.
    {put_list,{x,1},{x,0},{x,0}}.
    {deallocate,3}.
    return.
  {label,732}.
    {call_only,1,{f,731}}. % '-shown_status/1-lc$^0/1-0-'/1
  {label,733}.
    {test,is_nil,{f,734},[{x,0}]}.
    return.
  {label,734}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,bad_generator},{x,0}]}}.
    {call_ext_only,1,{extfunc,erlang,error,1}}.


{function, '-keep/1-lc$^1/1-1-', 1, 736}.
  {label,735}.
    {line,[{location,"src/upgrades_nif.erl",655}]}.
    {func_info,{atom,upgrades_nif},{atom,'-keep/1-lc$^1/1-1-'},1}.
  {label,736}.
    {test,is_nonempty_list,{f,738},[{x,0}]}.
    {get_list,{x,0},{x,1},{x,0}}.
    {test,is_tuple,{f,737},[{x,1}]}.
    {test,test_arity,{f,737},[{x,1},2]}.
    {allocate_heap,1,3,2}.
    {move,{x,0},{y,0}}.
    {get_tuple_element,{x,1},0,{x,0}}.
    {bif,self,{f,0},[],{x,1}}.
    {put_tuple2,{x,0},{list,[{atom,'$otp_rs'},{x,0}]}}.
    {swap,{x,0},{x,1}}.
    send.
    {move,{y,0},{x,0}}.
    {call_last,1,{f,736},1}. % '-keep/1-lc$^1/1-1-'/1
  {label,737}.
    {call_only,1,{f,736}}. % '-keep/1-lc$^1/1-1-'/1
  {label,738}.
    {test,is_nil,{f,739},[{x,0}]}.
    return.
  {label,739}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,bad_generator},{x,0}]}}.
    {call_ext_only,1,{extfunc,erlang,error,1}}.


{function, '-keep/1-lc$^0/1-0-', 1, 741}.
  {label,740}.
    {line,[{location,"src/upgrades_nif.erl",653}]}.
    {func_info,{atom,upgrades_nif},{atom,'-keep/1-lc$^0/1-0-'},1}.
  {label,741}.
    {test,is_nonempty_list,{f,743},[{x,0}]}.
    {get_list,{x,0},{x,1},{x,0}}.
    {test,is_tuple,{f,742},[{x,1}]}.
    {test,test_arity,{f,742},[{x,1},2]}.
    {allocate,2,2}.
    {move,{x,1},{y,0}}.
    {move,{x,0},{y,1}}.
    {call_ext,0,{extfunc,erlang,make_ref,0}}.
    {swap,{y,1},{x,0}}.
    {call,1,{f,741}}. % '-keep/1-lc$^0/1-0-'/1
    {test_heap,8,1}.
    {put_tuple2,{x,1},{list,[{atom,answered},{y,0}]}}.
    {put_tuple2,{x,1},{list,[{y,1},{x,1}]}}.
    {put_list,{x,1},{x,0},{x,0}}.
    {deallocate,2}.
    return.
  {label,742}.
    {call_only,1,{f,741}}. % '-keep/1-lc$^0/1-0-'/1
  {label,743}.
    {test,is_nil,{f,744},[{x,0}]}.
    return.
  {label,744}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,bad_generator},{x,0}]}}.
    {call_ext_only,1,{extfunc,erlang,error,1}}.


{function, '-stacktrace/1-lc$^0/1-0-', 1, 746}.
  {label,745}.
    {line,[{location,"src/upgrades_nif.erl",517}]}.
    {func_info,{atom,upgrades_nif},{atom,'-stacktrace/1-lc$^0/1-0-'},1}.
  {label,746}.
    {test,is_nonempty_list,{f,748},[{x,0}]}.
    {get_list,{x,0},{x,1},{x,0}}.
    {test,is_tuple,{f,747},[{x,1}]}.
    {test,test_arity,{f,747},[{x,1},4]}.
    {get_tuple_element,{x,1},0,{x,2}}.
    {test,is_ne_exact,{f,747},[{x,2},{atom,upgrades_nif}]}.
    {allocate,1,2}.
    {move,{x,1},{y,0}}.
    {call,1,{f,746}}. % '-stacktrace/1-lc$^0/1-0-'/1
    {test_heap,2,1}.
    {put_list,{y,0},{x,0},{x,0}}.
    {deallocate,1}.
    return.
  {label,747}.
    {call_only,1,{f,746}}. % '-stacktrace/1-lc$^0/1-0-'/1
  {label,748}.
    {test,is_nil,{f,749},[{x,0}]}.
    return.
  {label,749}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,bad_generator},{x,0}]}}.
    {call_ext_only,1,{extfunc,erlang,error,1}}.


{function, '-cancel_all/1-lc$^0/1-0-', 1, 751}.
  {label,750}.
    {line,[{location,"src/upgrades_nif.erl",459}]}.
    {func_info,{atom,upgrades_nif},{atom,'-cancel_all/1-lc$^0/1-0-'},1}.
  {label,751}.
    {test,is_nonempty_list,{f,753},[{x,0}]}.
    {get_list,{x,0},{x,1},{x,0}}.
    {test,is_integer,{f,752},[{x,1}]}.
    {allocate,1,2}.
    {move,{x,1},{y,0}}.
    {call,1,{f,751}}. % '-cancel_all/1-lc$^0/1-0-'/1
    {test_heap,2,1}.
    {put_list,{y,0},{x,0},{x,0}}.
    {deallocate,1}.
    return.
  {label,752}.
    {call_only,1,{f,751}}. % '-cancel_all/1-lc$^0/1-0-'/1
  {label,753}.
    {test,is_nil,{f,754},[{x,0}]}.
    return.
  {label,754}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,bad_generator},{x,0}]}}.
    {call_ext_only,1,{extfunc,erlang,error,1}}.


{function, '-end_all/2-lc$^0/1-0-', 1, 756}.
  {label,755}.
    {line,[{location,"src/upgrades_nif.erl",445}]}.
    {func_info,{atom,upgrades_nif},{atom,'-end_all/2-lc$^0/1-0-'},1}.
  {label,756}.
    {test,is_nonempty_list,{f,757},[{x,0}]}.
    {allocate,1,1}.
    {get_list,{x,0},{x,0},{y,0}}.
    {call,1,{f,208}}. % end_with/1
    {move,{y,0},{x,0}}.
    {call_last,1,{f,756},1}. % '-end_all/2-lc$^0/1-0-'/1
  {label,757}.
    {test,is_nil,{f,758},[{x,0}]}.
    return.
  {label,758}.
    {test_heap,3,1}.
    {put_tuple2,{x,0},{list,[{atom,bad_generator},{x,0}]}}.
    {call_ext_only,1,{extfunc,erlang,error,1}}.
