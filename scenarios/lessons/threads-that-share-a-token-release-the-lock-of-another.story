✘ redis-py × none: owner-only-release is violated
  2 clients · ttl 4s · blocking no · thread-local no · 8 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 4000 NX to redis-1.
2. At 0ms redis-1 carries out the SET job A1 PX 4000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 7s.
4. At 4.001s the key job, set by A, expires. B starts. B tries to acquire the lock job. B sends SET
   job B1 PX 4000 NX to redis-1.
5. At 5s redis-1 carries out the SET job B1 PX 4000 NX of B and answers OK. B's command creates the
   key job with "B1", alive until 9s.
6. At 5s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 4s.
7. At 7s A begins to release the lock and no longer believes that it holds it. A sends EVAL "delete
   if mine" 1 job B1 to redis-1.
8. At 7s redis-1 carries out the EVAL "delete if mine" 1 job B1 of A and answers 1. A's command
   removes the key job, set by B.

  why     At 7s a command of A removed the key of the lock that B was granted at 5s and still holds.
          (steps 6 and 8)
  code    algorithms/redis_py.cpp:42 sends SET job B1 PX 4000 NX (step 6)
  code    algorithms/redis_py.cpp:60 sends EVAL "delete if mine" 1 job B1 (step 8)
