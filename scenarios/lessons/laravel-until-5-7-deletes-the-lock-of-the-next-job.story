✘ laravel × none: owner-only-release is violated
  2 clients · ttl 4s · version 5.7 · 12 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1 to redis-1.
2. At 0ms redis-1 carries out the SETNX job 1 of A and answers 1. A's command creates the key job
   with "1", without an expiry.
3. At 0ms A gets its answer: 1. A sends EXPIRE job 4 to redis-1.
4. At 0ms redis-1 carries out the EXPIRE job 4 of A and answers 1. A's command changes the expiry of
   the key job, its own; it is now alive until 4s.
5. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 7s.
6. At 4.001s the key job, set by A, expires. B starts. B tries to acquire the lock job. B sends
   SETNX job 1 to redis-1.
7. At 5s redis-1 carries out the SETNX job 1 of B and answers 1. B's command creates the key job
   with "1", without an expiry.
8. At 5s B gets its answer: 1. B sends EXPIRE job 4 to redis-1.
9. At 5s redis-1 carries out the EXPIRE job 4 of B and answers 1. B's command changes the expiry of
   the key job, its own; it is now alive until 9s.
10. At 5s B gets its answer: 1. B believes that it holds the lock. B works under the lock for 4s.
11. At 7s A begins to release the lock and no longer believes that it holds it. A sends DEL job to
    redis-1.
12. At 7s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, set
    by B.

  why     At 7s a command of A removed the key of the lock that B was granted at 5s and still holds.
          (steps 10 and 12)
  code    algorithms/laravel.cpp:79 sends EXPIRE job 4 (step 10)
  code    algorithms/laravel.cpp:49 sends DEL job (step 12)
