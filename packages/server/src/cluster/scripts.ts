import { ANONYMOUS } from '../access/identity.js';

/**
 * Redis runs each script alone, which is what makes a claim atomic over all nodes. Keys:
 *
 *     <prefix>office:<id>   hash   seat → occupant as JSON
 *     <prefix>seats:<node>  set    [office, seat] of every seat of a node, for whoever buries it
 *     <prefix>lease:<node>  text   there while the node lives
 *     <prefix>nodes         set    every node not yet buried
 */

/**
 * KEYS office, seats of the claimant; ARGV seat, occupant, lease prefix, seat entry, `again` to take back what one had
 * but not what its owner has taken elsewhere since. → [taken, holder, holder lives]
 */
export const CLAIM = `
local holder = redis.call('HGET', KEYS[1], ARGV[1])
local lives = 0
if holder then
  local h, me = cjson.decode(holder), cjson.decode(ARGV[2])
  lives = redis.call('EXISTS', ARGV[3] .. h.node)
  local same = h.sid == me.sid
  if not same and ARGV[5] ~= 'again' and h.name == me.name and h.subject == me.subject then
    same = h.subject ~= '${ANONYMOUS.subject}' or (h.instance ~= nil and h.instance == me.instance)
  end
  if lives == 1 and not same then return {0, holder, 1} end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('SADD', KEYS[2], ARGV[4])
return {1, holder, lives}
`;

/** KEYS office, seats; ARGV seat, sid, seat entry. Frees the seat only if it is still this socket's. */
export const RELEASE = `
redis.call('SREM', KEYS[2], ARGV[3])
local holder = redis.call('HGET', KEYS[1], ARGV[1])
if holder and cjson.decode(holder).sid == ARGV[2] then return redis.call('HDEL', KEYS[1], ARGV[1]) end
return 0
`;

/** KEYS office; ARGV lease prefix. → every occupant whose node lives */
export const OCCUPANTS = `
local living = {}
for _, occupant in ipairs(redis.call('HVALS', KEYS[1])) do
  if redis.call('EXISTS', ARGV[1] .. cjson.decode(occupant).node) == 1 then table.insert(living, occupant) end
end
return living
`;

/** KEYS nodes, seats of the dead; ARGV dead node, office prefix. Only one caller gets to bury it. → its occupants */
export const BURY = `
if redis.call('SREM', KEYS[1], ARGV[1]) == 0 then return {} end
local dead = {}
for _, entry in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  local seat = cjson.decode(entry)
  local key = ARGV[2] .. seat[1]
  local holder = redis.call('HGET', key, seat[2])
  if holder and cjson.decode(holder).node == ARGV[1] then
    redis.call('HDEL', key, seat[2])
    table.insert(dead, holder)
  end
end
redis.call('DEL', KEYS[2])
return dead
`;
