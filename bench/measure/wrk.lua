-- One JSON line at the end: how many answers, how many of another status than expected, in how many microseconds.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init()
  bad = 0
  expected = tonumber(os.getenv('QINBOX_BENCH_STATUS'))
  wrk.method = os.getenv('QINBOX_BENCH_METHOD')
  wrk.body = os.getenv('QINBOX_BENCH_BODY')
  if wrk.body then wrk.headers['content-type'] = 'application/json' end
  requests, at = {}, 0
  for key in string.gmatch(os.getenv('QINBOX_BENCH_KEYS') or '', '%S+') do
    wrk.headers['x-api-key'] = key
    table.insert(requests, wrk.format())
  end
  if #requests == 0 then table.insert(requests, wrk.format()) end
end

-- One owner after the other.
function request()
  at = at % #requests + 1
  return requests[at]
end

function response(status)
  if status ~= expected then bad = bad + 1 end
end

function done(summary, latency)
  local wrong = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  for _, thread in ipairs(threads) do wrong = wrong + thread:get('bad') end
  io.write(string.format('{"requests":%d,"wrong":%d,"microseconds":%d}\n', summary.requests, wrong, summary.duration))
end
