// Terms for newcomers: general words of the field, and services that are not simulated.
#include <array>
#include <utility>

#include "reports/lessons.hpp"
#include "reports/terminal.hpp"

namespace holdfast::reports {
namespace {

constexpr std::array terms{
    Lesson{"lock", "What lets one client at a time do something, when clients run on several machines",
           "A client asks a server for the lock, works, and gives it back. The server remembers who has it, "
           "usually as a key that only the first client can create. Since a client may die while it holds "
           "the lock, the key ends by itself after a while: that is the lease, and most failures follow from "
           "it. `holdfast list locks` lists the locks.",
           "./holdfast explain token"},
    Lesson{"lease", "How long a grant lasts in the store: the time to live (TTL) of its key",
           "Without a lease, a client that dies blocks all others for ever. With one, a client that is "
           "paused or slow for longer than its lease goes on although the server has granted the lock to "
           "another client: it is not told. A longer lease makes that rarer, and makes others wait longer "
           "after a crash. `holdfast envelope` finds the longest pause that a lease survives.",
           "./holdfast envelope token --fault pause"},
    Lesson{"fence",
           "A number that grows with each grant, by which a resource refuses an old holder: the "
           "fencing token",
           "Each grant brings a number, and each write carries it. The resource remembers the largest number "
           "that it has seen and refuses smaller ones, so a client that was paused past its lease can no "
           "longer do harm. The resource must compare the numbers; the lock alone cannot do it.",
           "./holdfast check fenced --fault pause --property fenced-writes --fencing first-write"},
    Lesson{"token-value", "What the store keeps for a grant, different for each one",
           "A client writes a value that no other client uses into the key of the lock. Before it deletes "
           "the key, it compares the value. A lock that does not compare deletes the key of the next holder "
           "after its own lease is over. The lock called `token` does compare, and `set-nx-px` does not.",
           "./holdfast diff set-nx-px token --fault pause"},
    Lesson{
        "watchdog", "What renews the lease while a client works: a timer, a thread, a goroutine",
        "With it, a short lease is enough for long work, and a client that dies frees the lock soon. It is "
        "no protection from pauses: a process that is stopped renews nothing, and its lease ends while it "
        "believes that it holds the lock. A renewal must ask whose the key is, must not create it anew, and "
        "must tell its client when it fails; `token-watchdog`, `redisson` and `redis-semaphore` renew.",
        "./holdfast check token-watchdog --fault pause"},
    Lesson{
        "replica", "A copy of a Redis server that takes over when the server dies: Sentinel, Cluster",
        "Redis answers before its replicas have the write. So a replica that takes over may lack the key of "
        "a lock that was granted, and grants it again: that is the fault `failover`. WAIT lets a client ask "
        "how many replicas have its writes; `redisson` does so with --param servers=replicated, `token` "
        "with --param wait=once. In a Cluster the same happens in each shard; with the option --redis-config "
        "cluster-enabled=yes it refuses keys of two slots, and slots never move. A majority of independent "
        "servers (`redlock`) has no replicas.",
        "./holdfast check token --fault failover"},
    Lesson{"keyspace-notification",
           "A message that Redis sends when a key changes or expires, if told to do so",
           "Such messages are sent once, to those who listen then, and not when a lease ends but when the "
           "server notices that. A lock that waits for one alone may wait for ever. Redis as installed sends "
           "none: a lock says CONFIG SET itself, or the option --redis-config turns them on. A server that "
           "restarts has forgotten what CONFIG SET said.",
           "./holdfast check my_lock.lua --redis-config notify-keyspace-events=KEA"},
    Lesson{
        "semaphore", "A lock that several clients may hold at once, up to a limit",
        "The card of such a lock says for how many it is, and `mutual-exclusion` means that no more hold it. "
        "It is explored with one client more. What is said of the only holder, such as whose key a release "
        "deletes, is not asked. Its parts fail as those of locks do: a lease that ends under a paused client "
        "lets one more in than the limit says, and a place that a dead client took must come back. Here are "
        "`token-semaphore`, `redis-semaphore-two` and `redis-in-action`.",
        "./holdfast explain token-semaphore"},
    Lesson{"library", "A library that is not here: how to explore it all the same",
           "The locks of a few dozen libraries are written down here, line by line, with the commit they are "
           "from; `holdfast list locks` names them. Any other library can be explored as it is: write a "
           "driver of twenty lines that takes and gives back its lock, and give that program to `check`. Of "
           "the algorithm Redlock, there are `redlock` as its author describes it, and `redsync`, "
           "`node-redlock`, `redlock-rb`, `redlock-net`, `rslock`, `aioredlock`.",
           "./holdfast check --guest 'python3 my_lock.py'"},
    Lesson{
        "database-lock", "A lock of PostgreSQL, MySQL or another database; PostgreSQL is simulated",
        "An advisory lock (pg_advisory_lock, GET_LOCK) belongs to a session of the server. It has no lease: "
        "a client that is paused keeps it, and nobody else gets it, so `pause` does not break `pg-advisory`; "
        "but a client that is cut off blocks the others until the server notices, by default after hours. "
        "When the session ends (a broken connection, a restart, a failover), the lock is free at once, and "
        "its holder learns that with its next statement: until then two are at work. A lock of a "
        "transaction (`pg-advisory-xact`, `row-lock`) ends together with the work, if the work is in the "
        "same database: then nothing stale lands. The work of clients here is elsewhere. MySQL is not "
        "simulated, PostgreSQL is: `explain postgres`.",
        "./holdfast check pg-advisory --fault restart"},
    Lesson{
        "postgres", "A database as a store of locks: sessions, transactions, rows; simulated",
        "A session holds a lock (`pg-advisory`), or a transaction does (`pg-advisory-xact`, `row-lock`): no "
        "time ends it, so no `pause` breaks it, and nobody else gets it meanwhile. Or a row says until when "
        "it is held (`laravel-database`, `shedlock-jdbc`): that is a lease, and fails as leases do; by whose "
        "clock it is counted decides which clock breaks it. A server that restarts keeps what was committed, "
        "but no session and no open transaction: their locks are free at once, and the holder learns of that "
        "with its next statement. So it is with a replica that takes over, which may lack the last rows, "
        "too. Who waits for an advisory lock waits in a queue at the server. PostgreSQL is simulated by "
        "named "
        "statements, held to a real server line by line: advisory locks, transactions, one table, row locks. "
        "Not simulated: keepalives, savepoints, other isolation levels.",
        "./holdfast compare --stores --only 'pg-*,row-lock,laravel-database'"},
    Lesson{
        "session",
        "What a server keeps for a client as long as it has it: a connection, or a lease kept alive",
        "In PostgreSQL it is a connection: it ends when the client hangs up or dies, when the server "
        "restarts, "
        "when a replica takes over, or when the server ends it (`session-lost`). A pause does not end it, "
        "for "
        "nothing is counted. In etcd it is a lease that the client keeps alive: a long pause or cut ends it, "
        "and a restart does not. What a session held is free when it ends, and its client learns of that "
        "later, with its next statement or keep-alive: until then two may hold the lock.",
        "./holdfast explain session-lost"},
    Lesson{
        "pooler", "What shares a few sessions of a database among many clients",
        "A lock of a session belongs to the session, and not to the client. A pooler in transaction mode "
        "(PgBouncer, for one) hands a session to another client after each transaction: that client has the "
        "lock, too, and an unlock that reaches another session frees nothing. A lock of a transaction "
        "(`pg-advisory-xact`, `row-lock`) ends before the session is handed on, and a row with an end "
        "(`laravel-database`) belongs to no session. Each client has a session of its own here, unless the "
        "lock's parameter `pooler` says `transaction`: then two sessions are idle, and which of them is next "
        "is explored.",
        "./holdfast check pg-advisory --param pooler=transaction --fault none"},
    Lesson{
        "etcd", "A store that agrees before it answers: leases, revisions, watches; simulated",
        "Several members agree on each write before it is answered, so a restart or a new leader loses "
        "nothing: what `restart` and `failover` break on Redis they do not break here. A lease is granted "
        "for whole seconds, two at least, and kept alive by its client; its keys go when it is over, up to "
        "half a second late. It is counted by a steady clock, and a new leader begins all leases anew, so "
        "they become longer, never shorter. What `pause` and `partition` break does break here: a lease "
        "ends while its client does not run or cannot be heard, and the client learns of it too late. "
        "Every key knows the revision at which it was created; that number is a fencing token, if the "
        "resource compares it. Not simulated: stale reads, a leader that was replaced and does not know it "
        "yet, a majority that is gone.",
        "./holdfast check etcd-mutex --fault pause"},
    Lesson{
        "zookeeper", "A store of nodes, sessions and watches that agrees before it answers; simulated",
        "A client has a session, and its ephemeral nodes go when that ends, all at once. Every request "
        "begins "
        "the session anew; it ends when none came for its timeout, or up to a tick later, by a steady clock. "
        "A "
        "restart or a new leader begins all sessions anew, so `restart` and `failover` break no lock there; "
        "`pause`, `partition` and `session-lost` do. A client that is cut off hears of nothing: after two "
        "thirds of the timeout it knows that it is disconnected (SUSPENDED), and that its session has ended "
        "(LOST) it learns from the server alone, when it is connected again; Curator gives it up a timeout "
        "after SUSPENDED. Who stops at SUSPENDED stops in time, as long as nothing pauses it. A watch tells "
        "of one event. The number in the name of a node counts the children of its parent and begins anew "
        "with a new parent: it is no fencing token. Its czxid is one. Not simulated: data that changes, "
        "containers, members that lag, a leader that was replaced and does not know it yet.",
        "./holdfast check zk-recipe --fault pause"},
    Lesson{"consensus-service", "A lock of Consul or another service that agrees: not simulated here",
           "holdfast simulates Redis, PostgreSQL, etcd, ZooKeeper and the shared dictionary of nginx. All "
           "services that agree by consensus lose no acknowledged write when a server dies, as `etcd` and "
           "`zookeeper` do not. What `pause` breaks does break there: a session ends while its client is "
           "paused, "
           "exactly as a lease does. The remedy is the same: a number that grows (the revision of etcd, the "
           "zxid "
           "of ZooKeeper) and a resource that compares it.",
           "./holdfast explain fence"},
};

constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"\u2714", "holds"},
    {"\u25d0", "holds"},
    {"\u2718", "violated"},
    {"\u25cb", "sampled"},
    {"\u2205", "hollow"},
    {"?", "unknown"},
    {"\u00b7", "not-applicable"},
    {"distributed lock", "lock"},
    {"mutex", "lock"},
    {"ttl", "lease"},
    {"expiry", "lease"},
    {"timeout", "lease"},
    {"fencing", "fence"},
    {"fencing token", "fence"},
    {"fencing-token", "fence"},
    {"value", "token-value"},
    {"etcd-server", "etcd"},
    {"etcd v3", "etcd"},
    {"zab", "zookeeper"},
    {"znode", "zookeeper"},
    {"czxid", "zookeeper"},
    {"suspended", "zookeeper"},
    {"consul", "consensus-service"},
    {"chubby", "consensus-service"},
    {"raft", "consensus-service"},
    {"pg_advisory_lock", "database-lock"},
    {"advisory lock", "database-lock"},
    {"select for update", "database-lock"},
    {"get_lock", "database-lock"},
    {"postgresql", "postgres"},
    {"mysql", "database-lock"},
    {"mariadb", "database-lock"},
    {"sql", "database-lock"},
    {"database", "database-lock"},
    {"pgbouncer", "pooler"},
    {"connection pool", "pooler"},
    {"renewal", "watchdog"},
    {"renew", "watchdog"},
    {"extend", "watchdog"},
    {"heartbeat", "watchdog"},
    {"keepalive", "watchdog"},
    {"sentinel", "replica"},
    {"redis sentinel", "replica"},
    {"cluster", "replica"},
    {"redis cluster", "replica"},
    {"replication", "replica"},
    {"slave", "replica"},
    {"keyspace", "keyspace-notification"},
    {"keyspace notifications", "keyspace-notification"},
    {"notify-keyspace-events", "keyspace-notification"},
    {"pubsub", "keyspace-notification"},
    {"capacity", "semaphore"},
    {"redlock-py", "library"},
    {"pottery", "library"},
    {"quorum", "redlock"},
    {"majority", "redlock"},
    {"cluster mode", "replica"},
    {"hash slot", "replica"},
    {"wait", "replica"},
};

}  // namespace

std::span<const Lesson> term_lessons() { return terms; }

std::string_view usual_name(std::string_view name) {
  for (const auto& [other, usual] : other_names)
    if (name == other) return usual;
  const std::string plain = in_plain_letters(name);
  for (const auto& [other, usual] : other_names)
    if (!plain.empty() && in_plain_letters(other) == plain) return usual;
  return {};
}

std::vector<std::string_view> other_names_of(std::string_view id) {
  std::vector<std::string_view> names;
  for (const auto& [other, usual] : other_names)
    if (usual == id && !in_plain_letters(other).empty()) names.push_back(other);
  return names;
}

}  // namespace holdfast::reports
