# The lock of the Redis documentation in plain Perl, without a library and without a driver:
# ./holdfast check --guest 'perl algorithms/guests/plain.pl'
use strict;
use warnings;
use IO::Socket::INET;

my $ttl = $ENV{HOLDFAST_TTL_MS} // 4000;
my $release = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
my ($server, $token);

# The reply, '' for nil; undef: the connection is gone.
sub ask {
  $server //= IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 6379) or return;
  print $server '*', scalar @_, "\r\n", map { '$' . length($_) . "\r\n$_\r\n" } @_;
  my $reply = <$server>;
  undef $server unless defined $reply;
  return defined $reply ? $reply =~ /^\$-1/ ? '' : $reply =~ s/^[+:]|\r\n$//gr : undef;
}

sub acquire {
  my $mine = sprintf '%08x%08x', rand 2**32, rand 2**32;
  my $reply = ask('SET', $_[0], $mine, 'NX', 'PX', $ttl) // return 'failed';
  return 'refused' unless $reply;
  $token = $mine;
  return "granted $token $ttl";
}

sub release {
  my $reply = ask('EVAL', $release, 1, $_[0], $token) // return 'unknown';
  return $reply ? 'released' : 'not-held';
}

while (sysread STDIN, my $line, 4096) {
  my ($word, $key) = split ' ', $line;
  syswrite STDOUT, ($word eq 'acquire' ? acquire($key) : release($key)) . "\n";
}
