/**
 * What Redis does in one step, on its own clock, so that no two processes count apart and no clock of theirs
 * matters. Scripts name every key that they touch.
 */

/**
 * KEYS: the bucket. ARGV: capacity, milliseconds of a full refill. Answers 1 where a token was taken. A bucket that
 * would be full again is forgotten, because that says the same.
 */
export const TAKE_TOKEN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local capacity, period = tonumber(ARGV[1]), tonumber(ARGV[2])
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = math.min(capacity, tonumber(bucket[1]) or capacity)
local passed = math.max(0, now - (tonumber(bucket[2]) or now))
tokens = math.min(capacity, tokens + passed / period * capacity)
local took = 0
if tokens >= 1 then
  tokens = tokens - 1
  took = 1
end
redis.call('HSET', KEYS[1], 'tokens', string.format('%.9f', tokens), 'at', string.format('%.3f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - tokens) / capacity * period) + 1000)
return took`

/** KEYS: the places of a caller. ARGV: places there are, life of one in milliseconds, its name. Answers 1 where it was given. */
export const TAKE_PLACE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`

/**
 * KEYS: the places of a caller. ARGV: life in milliseconds, then the names of those that are still taken. They are
 * put back where Redis began anew.
 */
export const KEEP_PLACES = `
local time = redis.call('TIME')
local untilMs = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
for at = 2, #ARGV do redis.call('ZADD', KEYS[1], untilMs, ARGV[at]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1`

/**
 * KEYS: the thing, and since when Redis remembers. ARGV: its life in milliseconds, the time, the time from which on
 * it may have been used. Answers 1 where it was unused, and could not have been used before Redis began. A beginning
 * that is yet to come was written by a clock that was wrong.
 */
export const USE_ONCE = `
redis.call('SET', KEYS[2], ARGV[2], 'NX')
local fresh = redis.call('SET', KEYS[1], '1', 'PX', ARGV[1], 'NX')
local since = tonumber(redis.call('GET', KEYS[2]))
if since > tonumber(ARGV[2]) then redis.call('SET', KEYS[2], ARGV[2]) end
if not fresh or tonumber(ARGV[3]) < since then return 0 end
return 1`
