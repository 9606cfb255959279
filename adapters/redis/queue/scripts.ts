// The steps of a submission through Redis, in place of the scripts of the same names in BullMQ, on the same
// keys and with the same arguments, so that processes with BullMQ's own work beside these. They differ in two
// ways. They do what this queue needs and no more (no event stream, no priorities, no parents, no pause):
// 20 commands for a submission instead of 56. And those of the workers run in a Redis that is full: else no
// submission could leave it, and it would stay full (docs/operations.md).
import type { Redis } from 'ioredis';

/** They were written against this one. Another uses its own scripts, and the test of their cost says so. */
const BULLMQ_VERSION = '6.7.0';

/** Refused as a whole when Redis is full. */
const PRODUCER = '#!lua\n';
/** Allowed when Redis is full. Of Redis 7; others answer with an error of syntax. */
const WORKER = '#!lua flags=allow-oom\n';

const ADD = `${PRODUCER}
local args = cmsgpack.unpack(ARGV[1])
local id = args[2]
local job = args[1] .. id
if redis.call('EXISTS', job) == 1 then return id end
redis.call('HSET', job, 'name', args[3], 'data', ARGV[2], 'opts', cjson.encode(cmsgpack.unpack(ARGV[3])),
  'timestamp', args[4], 'delay', 0, 'priority', 0)
redis.call('LPUSH', KEYS[1], id)
redis.call('ZADD', KEYS[9], 0, '0')
return id`;

// Takes the next job, unless as many are active as BullMQ's global concurrency allows: then what ends one
// takes the next. The score of a job that is put off is its time, with 12 bits for the order within a
// millisecond. The marker wakes another worker, where more jobs wait.
const NEXT = `
local function wake(wait, marker)
  if redis.call('LLEN', wait) > 0 then redis.call('ZADD', marker, 0, '0') end
end
local function next_job(wait, active, delayed, meta, marker, prefix, now, packed)
  local due = (tonumber(now) + 1) * 0x1000 - 1
  local soonest = tonumber(redis.call('ZRANGE', delayed, 0, 0, 'WITHSCORES')[2])
  if soonest and soonest <= due then
    local ids = redis.call('ZRANGEBYSCORE', delayed, 0, due, 'LIMIT', 0, 1000)
    redis.call('LPUSH', wait, unpack(ids))
    redis.call('ZREM', delayed, unpack(ids))
    soonest = tonumber(redis.call('ZRANGE', delayed, 0, 0, 'WITHSCORES')[2])
  end
  local next_due = soonest and soonest / 0x1000 or 0
  local most = IS_BOUNDED and redis.call('HGET', meta, 'concurrency')
  if most and redis.call('LLEN', active) >= tonumber(most) then return { 0, 0, 0, next_due } end
  local id = redis.call('RPOPLPUSH', wait, active)
  if not id then return { 0, 0, 0, next_due } end
  local opts = cmsgpack.unpack(packed)
  redis.call('SET', prefix .. id .. ':lock', opts['token'], 'PX', opts['lockDuration'])
  local fields = redis.call('HGETALL', prefix .. id)
  fields[#fields + 1] = 'processedOn'
  fields[#fields + 1] = now
  wake(wait, marker)
  return { fields, id, 0, next_due }
end
`;

// Lets go of a job that this worker holds: 0, or why it does not hold it.
const RELEASE = `
local function release(job, active, id, token)
  if redis.call('EXISTS', job) == 0 then return -1 end
  local holder = redis.call('GET', job .. ':lock')
  if not holder then return -2 end
  if holder ~= token then return -6 end
  if redis.call('LREM', active, -1, id) == 0 then return -3 end
  return 0
end
`;

const MOVE_TO_ACTIVE = `${WORKER}${NEXT}
return next_job(KEYS[1], KEYS[2], KEYS[7], KEYS[9], KEYS[11], ARGV[1], ARGV[2], ARGV[3])`;

// Whether it succeeded or failed for good, the job goes: rejections are in the store.
const MOVE_TO_FINISHED = `${WORKER}${NEXT}
local job = KEYS[12]
local token = cmsgpack.unpack(ARGV[8])['token']
local holder = redis.call('GET', job .. ':lock')
if holder ~= token then
  if holder then return -6 end
  return redis.call('EXISTS', job) == 1 and -2 or -1
end
if redis.call('LREM', KEYS[2], -1, ARGV[1]) == 0 then return -3 end
redis.call('DEL', job, job .. ':lock')
if ARGV[6] ~= '1' then
  wake(KEYS[1], KEYS[14])
  return 0
end
return next_job(KEYS[1], KEYS[2], KEYS[7], KEYS[9], KEYS[14], ARGV[7], ARGV[2], ARGV[8])`;

const MOVE_TO_DELAYED = `${WORKER}${NEXT}${RELEASE}
local job, id, delay = KEYS[5], ARGV[3], tonumber(ARGV[5])
local released = release(job, KEYS[2], id, ARGV[4])
if released < 0 then return released end
redis.call('DEL', job .. ':lock')
if ARGV[7] and #ARGV[7] > 0 then redis.call('HSET', job, unpack(cmsgpack.unpack(ARGV[7]))) end
if ARGV[6] == '0' then redis.call('HINCRBY', job, 'atm', 1) end
local from = (tonumber(ARGV[2]) + delay) * 0x1000
local to = from + 0x1000 - 1
local latest = tonumber(redis.call('ZREVRANGEBYSCORE', KEYS[4], to, from, 'WITHSCORES', 'LIMIT', 0, 1)[2])
redis.call('ZADD', KEYS[4], latest and math.min(latest + 1, to) or from, id)
if ARGV[8] == '1' then
  local taken = next_job(KEYS[9], KEYS[2], KEYS[4], KEYS[7], KEYS[1], ARGV[1], ARGV[2], ARGV[9])
  if type(taken[1]) == 'table' then return taken end
else
  wake(KEYS[9], KEYS[1])
end
local soonest = redis.call('ZRANGE', KEYS[4], 0, 0, 'WITHSCORES')[2]
if soonest then redis.call('ZADD', KEYS[1], tonumber(soonest) / 0x1000, '1') end
return 0`;

const MOVE_BACK_TO_WAIT = `${WORKER}${RELEASE}
local released = release(ARGV[3], KEYS[1], ARGV[1], ARGV[2])
if released < 0 then return released end
redis.call('DEL', ARGV[3] .. ':lock')
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[8], 0, '0')
return 0`;

const EXTEND_LOCKS = `${WORKER}
local tokens, ids, lost = cmsgpack.unpack(ARGV[2]), cmsgpack.unpack(ARGV[3]), {}
for index, id in ipairs(ids) do
  local lock = ARGV[1] .. id .. ':lock'
  if redis.call('GET', lock) == tokens[index] then
    redis.call('PEXPIRE', lock, ARGV[4])
    redis.call('SREM', KEYS[1], id)
  else
    lost[#lost + 1] = id
  end
end
return lost`;

// A job that was active at the last check as well and has no lock has lost its worker.
const MOVE_STALLED_TO_WAIT = `${WORKER}
if not redis.call('SET', KEYS[4], ARGV[3], 'PX', ARGV[4], 'NX') then return {} end
local stalled = {}
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local job = ARGV[2] .. id
  if redis.call('EXISTS', job .. ':lock') == 0 and redis.call('LREM', KEYS[3], 1, id) > 0 then
    if redis.call('EXISTS', job) == 1 then
      redis.call('HINCRBY', job, 'stc', 1)
      redis.call('RPUSH', KEYS[2], id)
      redis.call('ZADD', KEYS[7], 0, '0')
      stalled[#stalled + 1] = id
    end
  end
end
redis.call('DEL', KEYS[1])
local active = redis.call('LRANGE', KEYS[3], 0, -1)
for from = 1, #active, 1000 do
  redis.call('SADD', KEYS[1], unpack(active, from, math.min(from + 999, #active)))
end
return stalled`;

const SCRIPTS: Readonly<Record<string, [lua: string, keys: number]>> = {
  addStandardJob: [ADD, 9],
  moveToActive: [MOVE_TO_ACTIVE, 11],
  moveToFinished: [MOVE_TO_FINISHED, 14],
  moveToDelayed: [MOVE_TO_DELAYED, 11],
  moveJobFromActiveToWait: [MOVE_BACK_TO_WAIT, 9],
  extendLocks: [EXTEND_LOCKS, 1],
  moveStalledJobsToWait: [MOVE_STALLED_TO_WAIT, 9],
};

/**
 * Defines them before BullMQ sees the connection: it leaves a command alone that is there already.
 * `isBounded`: there is a bound over all processes. Looking for it costs two commands a submission.
 */
export function defineScripts(redis: Redis, isBounded: boolean): void {
  for (const [name, [script, numberOfKeys]] of Object.entries(SCRIPTS)) {
    const lua = script.replace('IS_BOUNDED', String(isBounded));
    redis.defineCommand(`${name}:${BULLMQ_VERSION}`, { lua, numberOfKeys });
  }
}
