/**
 * Redis runs a script atomically, which makes a claim atomic over all nodes. Keys:
 *
 *     <prefix>office:<id>   hash   seat → member as JSON
 *     <prefix>ids:<id>      hash   connection id of a Computer → its seat in the office
 *     <prefix>seats:<node>  set    [office, seat] of every seat of a node, to remove them with the node
 *     <prefix>lease:<node>  text   exists while the node is alive
 *     <prefix>nodes         set    every registered node
 *
 * No script decodes all members of an office for one of them: that would block Redis in a large office.
 */

/**
 * KEYS office, seats of the claimant, connection ids of the office; ARGV seat, member, lease prefix, seat entry, mode.
 * The mode `reclaim` takes a seat back that this node had, but not if a newer connection has taken it over since. The
 * mode `agreed` requires that the other members have the same `single`; otherwise there is no holder. If another
 * Computer has the id of this one's connection as its name, or the reverse, it is the holder. → [claimed, holder,
 * holder's node is alive, seats taken]
 */
export const CLAIM = `
local me = cjson.decode(ARGV[2])
if ARGV[5] == 'agreed' then
  for _, other in ipairs(redis.call('HVALS', KEYS[1])) do
    local o = cjson.decode(other)
    local differs = o.sid ~= me.sid and (o.single == true) ~= (me.single == true)
    if differs and redis.call('EXISTS', ARGV[3] .. o.node) == 1 then return {0, false, 0} end
  end
end
if me.role == 'computer' then
  for _, seat in ipairs({'computer:' .. me.sid, redis.call('HGET', KEYS[3], me.name) or nil}) do
    local other = redis.call('HGET', KEYS[1], seat)
    local o = other and cjson.decode(other)
    local confusable = o and o.role == 'computer' and o.sid ~= me.sid and (o.name == me.sid or o.sid == me.name)
    if confusable and redis.call('EXISTS', ARGV[3] .. o.node) == 1 then return {0, other, 1} end
  end
end
local holder = redis.call('HGET', KEYS[1], ARGV[1])
local alive = 0
if holder then
  local h = cjson.decode(holder)
  alive = redis.call('EXISTS', ARGV[3] .. h.node)
  local same = h.sid == me.sid
  local known = h.subject == me.subject and (h.method == nil or h.method == me.method)
  if not same and ARGV[5] ~= 'reclaim' and h.name == me.name and known then
    local instance = h.instance ~= nil and h.instance == me.instance
    local superseded = instance and (me.attempt or math.huge) < (h.attempt or 0)
    same = not superseded and (me.takeover == 'subject' or instance)
  end
  if alive == 1 and not same then return {0, holder, 1} end
  redis.call('HDEL', KEYS[3], h.sid)
end
if me.role == 'computer' then redis.call('HSET', KEYS[3], me.sid, ARGV[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('SADD', KEYS[2], ARGV[4])
return {1, holder, alive, redis.call('HLEN', KEYS[1])}
`;

/**
 * KEYS office, seats, connection ids; ARGV seat, sid, seat entry. Frees the seat only if this connection still has it.
 * → whether the seat is free
 */
export const RELEASE = `
redis.call('SREM', KEYS[2], ARGV[3])
local holder = redis.call('HGET', KEYS[1], ARGV[1])
if holder and cjson.decode(holder).sid ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[2])
return 1
`;

/** KEYS office, nodes; ARGV lease prefix. → [every member, every node that is alive] */
export const MEMBERS = `
local alive = {}
for _, node in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  if redis.call('EXISTS', ARGV[1] .. node) == 1 then table.insert(alive, node) end
end
return {redis.call('HVALS', KEYS[1]), alive}
`;

/** KEYS office; ARGV lease prefix, seats. → the members with these seats whose nodes are alive */
export const HOLDERS = `
local holders = {}
for i = 2, #ARGV do
  local member = redis.call('HGET', KEYS[1], ARGV[i])
  if member and redis.call('EXISTS', ARGV[1] .. cjson.decode(member).node) == 1 then table.insert(holders, member) end
end
return holders
`;

/** KEYS lease, seats; ARGV milliseconds. Renews the lease of a node. → [whether there was one, number of seats] */
export const RENEW = `
local before = redis.call('SET', KEYS[1], '1', 'PX', ARGV[1], 'GET')
return {before and 1 or 0, redis.call('SCARD', KEYS[2])}
`;

/**
 * KEYS nodes, seats of the node, its lease; ARGV node, office prefix, prefix of connection ids. The first caller
 * removes the node, unless it has renewed its lease since the caller looked. → [its members, how many seats of the
 * office of each are still taken]
 */
export const REMOVE_NODE = `
if redis.call('EXISTS', KEYS[3]) == 1 then return {{}, {}} end
if redis.call('SREM', KEYS[1], ARGV[1]) == 0 then return {{}, {}} end
local members, sizes = {}, {}
for _, entry in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  local seat = cjson.decode(entry)
  local key = ARGV[2] .. seat[1]
  local holder = redis.call('HGET', key, seat[2])
  local member = holder and cjson.decode(holder)
  if member and member.node == ARGV[1] then
    redis.call('HDEL', key, seat[2])
    redis.call('HDEL', ARGV[3] .. seat[1], member.sid)
    table.insert(members, holder)
    table.insert(sizes, redis.call('HLEN', key))
  end
end
redis.call('DEL', KEYS[2])
return {members, sizes}
`;
