✘ stackexchange-redis × none: owner-only-release is violated
  2 clients · ttl 4s · token machine · 16 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job WEB-1 EX 4 NX to redis-1.
2. At 0ms redis-1 carries out the SET job WEB-1 EX 4 NX of A and answers OK. A's command creates the
   key job with "WEB-1", alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 7s.
4. At 4.001s the key job, set by A, expires. B starts. B tries to acquire the lock job. B sends SET
   job WEB-1 EX 4 NX to redis-1.
5. At 5s redis-1 carries out the SET job WEB-1 EX 4 NX of B and answers OK. B's command creates the
   key job with "WEB-1", alive until 9s.
6. At 5s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 4s.
7. At 7s A begins to release the lock and no longer believes that it holds it. A sends WATCH job to
   redis-1.
8. At 7s redis-1 carries out the WATCH job of A and answers OK.
9. At 7s A gets its answer: OK. A sends GET job to redis-1.
10. At 7s redis-1 carries out the GET job of A and answers WEB-1.
11. At 7s A gets its answer: WEB-1. A sends MULTI to redis-1.
12. At 7s redis-1 carries out the MULTI of A and answers OK.
13. At 7s A gets its answer: OK. A sends UNLINK job to redis-1.
14. At 7s redis-1 carries out the UNLINK job of A and answers QUEUED.
15. At 7s A gets its answer: QUEUED. A sends EXEC to redis-1.
16. At 7s redis-1 carries out the EXEC of A and answers [1]. A's command removes the key job, set by
    B.

  why     At 7s a command of A removed the key of the lock that B was granted at 5s and still holds.
          (steps 6 and 16)
  code    algorithms/stackexchange_redis.cpp:32 sends SET job WEB-1 EX 4 NX (step 6)
  code    algorithms/stackexchange_redis.cpp:69 sends EXEC (step 16)
