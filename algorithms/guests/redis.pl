# The lock of the Redis documentation on Perl's Redis module: ./holdfast check --guest 'perl algorithms/guests/redis.pl'
use strict;
use warnings;
use Redis;

my $release = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

sub serve {
  my $ttl = $ENV{HOLDFAST_TTL_MS} // 4000;
  my ($redis, $token);
  while (my $line = <STDIN>) {
    my ($word, $key) = split ' ', $line;
    my $answer = eval {
      $redis //= Redis->new(server => '127.0.0.1:6379');
      if ($word eq 'acquire') {
        my $mine = join '', map { sprintf '%02x', int rand 256 } 1 .. 16;
        return 'refused' unless $redis->set($key, $mine, 'NX', 'PX', $ttl);
        $token = $mine;
        return "granted $token $ttl";
      }
      return $redis->eval($release, 1, $key, $token) ? 'released' : 'not-held';
    };
    if (!defined $answer) {
      $answer = ($word eq 'acquire' ? 'failed ' : 'unknown ') . ($@ =~ s/\n.*//sr);
      undef $redis;
    }
    syswrite STDOUT, "$answer\n";
  }
}

# A run begins with a fork of this process, where everything is loaded already.
if ($ENV{HOLDFAST_GUEST}) {
  $SIG{CHLD} = 'IGNORE';
  syswrite STDOUT, "zygote\n";
  while (1) {
    sysread(STDIN, my $line, 4096) or exit;
    last if fork == 0;
  }
  srand;
}
serve();
