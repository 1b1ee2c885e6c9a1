# The lock that many programs in Ruby make of the redis gem: ./holdfast check --guest 'ruby algorithms/guests/redis_rb.rb'
require 'redis'
require 'securerandom'

RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end"

def serve
  ttl = ENV.fetch('HOLDFAST_TTL_MS', '4000').to_i
  redis = Redis.new(host: '127.0.0.1', port: 6379, reconnect_attempts: 0)
  token = nil
  while (line = $stdin.gets)
    word, key = line.split
    begin
      if word == 'acquire'
        mine = SecureRandom.hex(16)
        answer = redis.set(key, mine, nx: true, px: ttl) ? "granted #{token = mine} #{ttl}" : 'refused'
      else
        answer = redis.eval(RELEASE, keys: [key], argv: [token]) == 1 ? 'released' : 'not-held'
      end
    rescue Redis::BaseError => e
      answer = "#{word == 'acquire' ? 'failed' : 'unknown'} #{e.class}"
    end
    $stdout.syswrite("#{answer}\n")
  end
end

# A run begins with a fork of this process, where everything is loaded already.
if ENV['HOLDFAST_GUEST']
  trap('CHLD', 'IGNORE')
  $stdout.syswrite("zygote\n")
  exit! unless loop { break false unless $stdin.gets; break true unless fork }
  srand
end
serve
