-- The environment of scripts: globals that they cannot change, and `redis`. This chunk is called with the functions of the server,
-- and returns the function that runs a script, the globals, and the function that runs a library's code.
local host = ...
local error, type, tostring, getmetatable, setmetatable = error, type, tostring, getmetatable, setmetatable
local rawset, pcall, xpcall, select, ipairs, pairs, unpack = rawset, pcall, xpcall, select, ipairs, pairs, unpack
local READONLY = "Attempt to modify a readonly table"

local is_protected = setmetatable({}, {__mode = "k"})
local function refuse() error(READONLY, 2) end
local function protected(content, index)
    local face = setmetatable({}, {__index = index or content, __newindex = refuse, __metatable = false})
    is_protected[face] = true
    return face
end

local globals = {}
for _, name in ipairs {
    "assert", "collectgarbage", "error", "getmetatable", "ipairs", "next", "pairs", "rawequal", "rawget", "select",
    "tonumber", "tostring", "type", "unpack", "xpcall", "_VERSION",
} do
    globals[name] = _G[name]
end

-- All code that scripts load is text and passes through `compile`. `load` first reads everything from its reader, because Lua's own
-- `load` runs the reader while it holds references that the garbage collector does not see.
local compile, concat = host.compile, _G.table.concat
globals.loadstring = host.loadstring
function globals.load(...)
    local reader, name = ...
    host.check_reader(...)
    local pieces = {}
    local done, why = pcall(function()
        for piece in reader do
            if type(piece) ~= "string" and type(piece) ~= "number" then error("reader function must return a string", 0) end
            if piece == "" then break end
            pieces[#pieces + 1] = piece
        end
    end)
    if not done then return nil, why end
    return compile(concat(pieces), name == nil and "=(load)" or name)
end

local strings, patterns = _G.string, host.patterns
local sub, step = strings.sub, patterns.step
strings.find, strings.match, strings.rep = patterns.find, patterns.match, patterns.rep

function strings.gmatch(...)
    local text, pattern = patterns.texts(...)
    local from = 1
    local function captures(first, last, ...)
        if first == nil then return nil end
        from = last < first and first + 1 or last + 1
        return ...
    end
    return function() return captures(step(text, pattern, from)) end
end
strings.gfind = strings.gmatch

-- Returns the replacement of a match, from a function or a table.
local function replacement(by, first, last, ...)
    if first == nil then return end
    if type(by) == "table" then return first, last, by[(...)] end
    return first, last, (by(...))
end

function strings.gsub(...)
    local text, pattern, by, most = ...
    if type(by) ~= "function" and type(by) ~= "table" then return patterns.gsub(...) end
    text, pattern, most = patterns.gsub(...)
    local is_anchored = sub(pattern, 1, 1) == "^"
    local pieces, count, from = {}, 0, 1
    while count < most do
        local first, last, new = replacement(by, step(text, pattern, from, true, type(by) == "table"))
        if first == nil then break end
        count = count + 1
        if not new then
            new = sub(text, first, last)
        elseif type(new) ~= "string" and type(new) ~= "number" then
            error("invalid replacement value (a " .. type(new) .. ")", 2)
        end
        pieces[#pieces + 1] = sub(text, from, first - 1)
        pieces[#pieces + 1] = new
        from = last + 1
        if last < first then
            if first > #text then break end
            pieces[#pieces + 1] = sub(text, first, first)
            from = first + 1
        end
        if is_anchored then break end
    end
    pieces[#pieces + 1] = sub(text, from)
    return concat(pieces), count
end

-- Comparing long texts takes long, but the check for killed scripts only counts Lua instructions.
local sort = _G.table.sort
function _G.table.sort(...)
    local list, is_less = ...
    if is_less == nil and type(list) == "table" and type(list[1]) == "string" then
        return sort(list, function(one, other) return one < other end)
    end
    return sort(...)
end

for _, name in ipairs {"string", "table", "math", "coroutine"} do
    globals[name] = protected(_G[name])
end
for name, library in pairs(host.libraries) do globals[name] = protected(library) end
-- The methods of strings are looked up here, so scripts must not change it.
getmetatable("").__index = globals.string
getmetatable("").__metatable = false

function globals.rawset(of, name, value)
    if is_protected[of] then error({err = "ERR " .. READONLY}) end
    return rawset(of, name, value)
end

function globals.setmetatable(of, meta)
    if is_protected[of] then error({err = "ERR " .. READONLY}) end
    return setmetatable(of, meta)
end

-- An error is a table here, but most scripts expect a text.
local function caught(done, ...)
    local why = ...
    if not done then
        if type(why) == "userdata" then return false, host.why(why) end
        if type(why) == "table" and why.err ~= nil then return false, why.err end
    end
    return done, ...
end
function globals.pcall(...) return caught(pcall(...)) end

-- The script's client sets these while the script runs.
local ask, resp

local redis = {
    LOG_DEBUG = 0, LOG_VERBOSE = 1, LOG_NOTICE = 2, LOG_WARNING = 3,
    REPL_NONE = 0, REPL_AOF = 1, REPL_SLAVE = 2, REPL_REPLICA = 2, REPL_ALL = 3,
    REDIS_VERSION = host.version, REDIS_VERSION_NUM = 0x0007000f,
}
globals.redis = protected(redis)

-- A Rust function, so that a tail call of it keeps the script's frame, whose line errors show. `nil` and a text is an error.
local function export(name, run) redis[name] = host.export(run) end

export("pcall", function(...) return ask(resp, ...) end)

export("call", function(...)
    local answer = ask(resp, ...)
    if type(answer) == "table" and answer.err ~= nil then return nil, answer.err end
    return answer
end)

export("acl_check_cmd", function(...)
    if select("#", ...) == 0 then
        return nil, "ERR Please specify at least one argument for this redis lib call"
    end
    local answer = ask(0, ...)
    if type(answer) == "table" then return nil, answer.err end
    return answer
end)

local function is_single_text(...)
    return select("#", ...) == 1 and type((...)) == "string"
end
local WRONG = "ERR wrong number or type of arguments"

export("status_reply", function(...)
    if not is_single_text(...) then return {err = WRONG} end
    return {ok = (...)}
end)

export("error_reply", function(...)
    if not is_single_text(...) then return {err = WRONG} end
    local text = ...
    if text:sub(1, 1) == "-" then text = text:sub(2) end
    if not text:find(" ", 1, true) then text = "ERR " .. text end
    return {err = text}
end)

export("sha1hex", function(...)
    if select("#", ...) ~= 1 then return nil, "ERR wrong number of arguments" end
    return host.sha1hex((...))
end)

export("log", function(...)
    if select("#", ...) < 2 then return nil, "ERR redis.log() requires two arguments or more." end
    local level = ...
    if type(level) ~= "number" then return nil, "ERR First argument must be a number (log level)." end
    if level < 0 or level > 3 then return nil, "ERR Invalid debug level." end
    if level >= 2 then host.log(globals.table.concat({select(2, ...)}, " ")) end
end)

export("setresp", function(...)
    if select("#", ...) ~= 1 then return nil, "ERR redis.setresp() requires one argument." end
    local version = ...
    if version ~= 2 and version ~= 3 then return nil, "ERR RESP version must be 2 or 3." end
    resp = version
end)

if not host.is_for_functions then
    export("replicate_commands", function() return true end)
    export("breakpoint", function() return false end)
    export("debug", function() end)
end

export("set_repl", function(...)
    if select("#", ...) ~= 1 then return nil, "ERR redis.set_repl() requires two arguments." end
    local flags = ...
    if type(flags) ~= "number" or flags < 0 or flags > 3 then
        return nil, "ERR Invalid replication flags. Please use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE."
    end
end)

-- While the code of a library runs, this is the list of the functions that it has registered, and the code has only a few globals.
local loading
local of_loading = {}

local function strict(content)
    return function(_, name)
        local value = (loading and content == globals and of_loading or content)[name]
        if value == nil then
            error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 2)
        end
        return value
    end
end
local face = protected(globals, strict(globals))
globals._G = face

local function described(why)
    if type(why) == "userdata" then
        why = {err = host.why(why, true)}
    elseif type(why) ~= "table" then
        why = {err = "ERR " .. tostring(why)}
    end
    why.line = host.line()
    return why
end

-- Adds a function to the list. Returns nil and the error if it is refused.
local function register(function_)
    if not strings.find(function_.name, "^[%w_]+$") then
        return nil, "ERR Library names can only contain letters, numbers, or underscores(_) and must be at least one character long"
    end
    for _, other in ipairs(loading) do
        if other.name == function_.name then return nil, "ERR Function already exists in the library" end
    end
    loading[#loading + 1] = function_
end

local FLAGS = {["no-writes"] = 1, ["allow-oom"] = 1, ["allow-stale"] = 1, ["no-cluster"] = 1, ["allow-cross-slot-keys"] = 1}

local function is_text(value) return type(value) == "string" or type(value) == "number" end

-- Reads the flags of a function. Returns nil if one of them is unknown.
local function flags(list)
    local all = {}
    for _, flag in ipairs(list) do
        flag = is_text(flag) and strings.lower(flag)
        if not FLAGS[flag] then return nil end
        all[#all + 1] = flag
    end
    return all
end

-- The named arguments of `redis.register_function`: their place, a check, the error, and a conversion.
local NAMED = {
    function_name = {"name", is_text, "function_name argument given to redis.register_function must be a string", tostring},
    description = {"description", is_text, "description argument given to redis.register_function must be a string", tostring},
    callback = {
        "callback", function(it) return type(it) == "function" end,
        "callback argument given to redis.register_function must be a function",
    },
    flags = {
        "flags", function(it) return type(it) == "table" end,
        "flags argument to redis.register_function must be a table representing function flags", flags,
    },
}

local function register_named(arguments)
    local function_ = {flags = {}}
    for key, value in pairs(arguments) do
        if not is_text(key) then return nil, "ERR named argument key given to redis.register_function is not a string" end
        local named = NAMED[strings.lower(key)]
        if not named then return nil, "ERR unknown argument given to redis.register_function" end
        local place, is_right, why, convert = unpack(named)
        if not is_right(value) then return nil, "ERR " .. why end
        if convert then value = convert(value) end
        if value == nil then return nil, "ERR unknown flag given" end
        function_[place] = value
    end
    if not function_.name then return nil, "ERR redis.register_function must get a function name argument" end
    if not function_.callback then return nil, "ERR redis.register_function must get a callback argument" end
    return register(function_)
end

local function register_function(...)
    if not loading then return nil, "ERR redis.register_function can only be called on FUNCTION LOAD command" end
    local count, name, callback = select("#", ...), ...
    if count < 1 or count > 2 then return nil, "ERR wrong number of arguments to redis.register_function" end
    if count == 1 and type(name) == "table" then return register_named(name) end
    if count == 1 then
        return nil, "ERR calling redis.register_function with a single argument is only applicable to Lua table "
            .. "(representing named arguments)."
    end
    if not is_text(name) then return nil, "ERR first argument to redis.register_function must be a string" end
    if type(callback) ~= "function" then
        return nil, "ERR second argument to redis.register_function must be a function"
    end
    return register {name = tostring(name), callback = callback, flags = {}}
end

local redis_of_loading = {register_function = host.export(register_function)}
for name, value in pairs(redis) do
    if name == "log" or type(value) ~= "function" and not strings.find(name, "^REPL_") then redis_of_loading[name] = value end
end
of_loading.redis = protected(redis_of_loading, strict(redis_of_loading))

-- Runs the code of a library. Returns the registered functions, or nil and the error.
local function load_library(chunk)
    loading = {}
    local done, result = xpcall(chunk, described)
    local registered = loading
    loading = nil
    if not done then return nil, result.err end
    return registered
end

local function run(script, asks, keys, arguments)
    ask, resp = asks, 2
    local call = script
    if host.is_for_functions then
        call = function() return script(keys, arguments) end
    else
        globals.KEYS, globals.ARGV = keys, arguments
    end
    local done, result = xpcall(call, described)
    ask, globals.KEYS, globals.ARGV = nil, nil, nil
    return done, result, resp
end
return run, face, load_library
