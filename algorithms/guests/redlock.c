// Redlock of C, by sockets alone: SET NX PX to HOLDFAST_NODES servers at once, a lease that is as long as time
// has left of it, and an EVAL to all if fewer than a majority said OK in time.
// cc -o redlock algorithms/guests/redlock.c && ./holdfast check --guest ./redlock --param nodes=1
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SERVERS_MAX 9
static int servers, sockets[SERVERS_MAX];
static char token[33];
static const char* const release_script =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

static long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void send_to(int server, int count, const char* const* words) {
  char text[1024];
  int size = snprintf(text, sizeof text, "*%d\r\n", count);
  for (int i = 0; i < count; ++i)
    size += snprintf(text + size, sizeof text - size, "$%zu\r\n%s\r\n", strlen(words[i]), words[i]);
  if (sockets[server] < 0) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(6379 + server)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockets[server] = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(sockets[server], (struct sockaddr*)&to, sizeof to) != 0) return;
  }
  if (write(sockets[server], text, size) < 0) perror("write");
}

// Waits for a reply of each server. `lost`: of how many there is none. Returns of how many it begins so.
static int count_replies(const char* good, int* lost) {
  struct pollfd waits[SERVERS_MAX];
  int found = 0;
  for (int i = 0; i < servers; ++i) waits[i] = (struct pollfd){.fd = sockets[i], .events = POLLIN};
  for (int left = servers; left > 0;) {
    poll(waits, servers, -1);
    for (int i = 0; i < servers; ++i) {
      if (waits[i].fd < 0 || waits[i].revents == 0) continue;
      char reply[256] = "";
      const ssize_t size = read(sockets[i], reply, sizeof reply - 1);
      if (size <= 0) {
        close(sockets[i]);
        sockets[i] = -1;
        ++*lost;
      }
      found += size > 0 && strncmp(reply, good, strlen(good)) == 0;
      waits[i].fd = -1;
      --left;
    }
  }
  return found;
}

static int release(const char* key, int* lost) {
  for (int i = 0; i < servers; ++i) send_to(i, 5, (const char*[]){"EVAL", release_script, "1", key, token});
  return count_replies(":1", lost);
}

static void acquire(const char* key, const char* ttl) {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) < 0) exit(1);
  for (int i = 0; i < 16; ++i) sprintf(token + 2 * i, "%02x", bytes[i]);
  const long long begin = now_ms();
  for (int i = 0; i < servers; ++i) send_to(i, 6, (const char*[]){"SET", key, token, "NX", "PX", ttl});
  int lost = 0;
  const int granted = count_replies("+OK", &lost);
  const long long drift = atoll(ttl) / 100 + 2, left = atoll(ttl) - (now_ms() - begin) - drift;
  if (2 * granted > servers && left > 0) {
    printf("granted %s %lld\n", token, left);
    return;
  }
  release(key, &lost);
  printf(lost > 0 ? "failed lost\n" : "refused taken\n");
}

int main(void) {
  char word[32], key[256];
  const char* const nodes = getenv("HOLDFAST_NODES");
  servers = nodes ? atoi(nodes) : 1;
  for (int i = 0; i < servers; ++i) sockets[i] = -1;
  setvbuf(stdout, NULL, _IOLBF, 0);
  while (scanf("%31s %255s", word, key) == 2) {
    int lost = 0;
    if (strcmp(word, "acquire") == 0) acquire(key, getenv("HOLDFAST_TTL_MS"));
    else printf(2 * release(key, &lost) > servers ? "released\n" : lost > 0 ? "unknown lost\n" : "not-held\n");
  }
}
