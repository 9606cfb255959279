// Counts one request in all windows or in none, in one step, by the clock of Redis alone.
import { createHash } from 'node:crypto';

// A window is a key whose time to live is the rest of the window. A key with more left than the window is
// long was written before the wall clock of Redis was set back; its window has ended. KEYS: one for each
// window. ARGV: limit and milliseconds of each. Answers 1 or 0, then for each window how many were used and
// how many milliseconds are left.
export const TAKE = `
local states, allowed = {}, 1
for i, key in ipairs(KEYS) do
  local used, length = tonumber(redis.call('GET', key) or 0), tonumber(ARGV[2 * i])
  local left = redis.call('PTTL', key)
  if left < 0 or left > length then used, left = 0, length end
  if used >= tonumber(ARGV[2 * i - 1]) then allowed = 0 end
  states[i] = { used, left }
end
local answer = { allowed }
for i, key in ipairs(KEYS) do
  local used, left = states[i][1], states[i][2]
  if allowed == 1 then
    used = used + 1
    if used == 1 then redis.call('SET', key, 1, 'PX', left) else redis.call('INCR', key) end
  end
  answer[2 * i], answer[2 * i + 1] = used, left
end
return answer`;

export const TAKE_SHA = createHash('sha1').update(TAKE).digest('hex');
