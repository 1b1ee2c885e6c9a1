✘ token × pause: no-stale-write is violated
  2 clients · ttl 4s · belief deadline-from-request · 12 steps, and 3 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job.
2. At 0ms A sends SET job A1 PX 4000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 PX 4000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 4s.
4. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
5. At 1s A is stopped in the middle of what it does.
6. At 4s A sees its own deadline pass and no longer believes that it holds the lock.
7. At 4.001s the key job, set by A, expires.
8. At 5s B starts. B tries to acquire the lock job. B sends SET job B1 PX 4000 NX to redis-1.
9. At 5s A goes on, as if the last 4s had not passed.
10. At 5s redis-1 carries out the SET job B1 PX 4000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 9s.
11. At 5s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.
12. At 5s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends EVAL "delete if mine" 1 job A1 to redis-1.

  why     At 5s a write of A, granted at 0ms, reached the resource although B had been granted the
          lock at 5s. (steps 11 and 12)
  code    algorithms/token.cpp:24 sends SET job B1 PX 4000 NX (step 11)
  code    algorithms/token.cpp:36 sends EVAL "delete if mine" 1 job A1 (step 12)
