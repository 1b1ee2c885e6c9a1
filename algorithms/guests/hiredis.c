/* The lock of the Redis documentation on hiredis: cc -o hiredis_lock algorithms/guests/hiredis.c -lhiredis, then
   ./holdfast check --guest ./hiredis_lock */
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static const char* if_own =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

int main(void) {
  const char* ttl = getenv("HOLDFAST_TTL_MS") ? getenv("HOLDFAST_TTL_MS") : "4000";
  char line[256], key[200], token[33] = "";
  redisContext* server = NULL;
  for (ssize_t size; (size = read(0, line, sizeof line - 1)) > 0; fflush(stdout)) {
    line[size] = 0;
    if (server && server->err) redisFree(server), server = NULL;
    if (!server) server = redisConnect("127.0.0.1", 6379);
    redisReply* reply = NULL;
    if (sscanf(line, "acquire %199s", key) == 1) {
      unsigned char random[16];
      if (getrandom(random, sizeof random, 0) != sizeof random) return 1;
      for (int i = 0; i < 16; ++i) sprintf(token + 2 * i, "%02x", random[i]);
      reply = redisCommand(server, "SET %s %s NX PX %s", key, token, ttl);
      if (!reply) printf("failed %s\n", server->errstr);
      else if (reply->type == REDIS_REPLY_STATUS) printf("granted %s %s\n", token, ttl);
      else puts("refused");
    } else if (sscanf(line, "release %199s", key) == 1) {
      reply = redisCommand(server, "EVAL %s 1 %s %s", if_own, key, token);
      puts(!reply ? "unknown" : reply->integer == 1 ? "released" : "not-held");
    }
    if (reply) freeReplyObject(reply);
  }
}
