✘ getset × late-request: owner-only-release is violated
  2 clients · ttl 10s · release if-unexpired · 14 steps, and 9 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000010000 to redis-1.
2. At 0ms redis-1 carries out the SETNX job 1700000010000 of A and answers 1. A's command creates
   the key job with "1700000010000", without an expiry.
3. At 0ms A gets its answer: 1. A believes that it holds the lock, until 10s. A works under the lock
   for 1s.
4. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends DEL job to redis-1.
5. At 1s the DEL job of A will arrive late.
6. At 4s A stops waiting for the answer to DEL job. A cannot tell whether it has released the lock.
   A is finished.
7. At 11s B starts. B tries to acquire the lock job. B sends SETNX job 1700000021000 to redis-1.
8. At 11s redis-1 carries out the SETNX job 1700000021000 of B and answers 0.
9. At 11s B gets its answer: 0. B sends GET job to redis-1.
10. At 11s redis-1 carries out the GET job of B and answers 1700000010000.
11. At 11s B gets its answer: 1700000010000. B sends GETSET job 1700000021000 to redis-1.
12. At 11s redis-1 carries out the GETSET job 1700000021000 of B and answers 1700000010000. B's
    command overwrites the key job, set by A, with "1700000021000", without an expiry.
13. At 11s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, set
    by B. an answer to A arrives, but A no longer waits for it.
14. At 11s B gets its answer: 1700000010000. B believes that it holds the lock, until 21s. B works
    under the lock for 1s.

  why     At 11s a command of A removed the key that B had written; at 11s B was granted the lock
          all the same. (steps 13 and 14)
  code    algorithms/getset.cpp:41 sends DEL job (step 13)
  code    algorithms/getset.cpp:32 sends GETSET job 1700000021000 (step 14)
