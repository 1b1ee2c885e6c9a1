✘ python-redis-lock × none: owner-only-release is violated
  2 clients · ttl 0s · reset at-start · 9 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 2 job lock-signal:job 1000
   to redis-1.
2. At 0ms redis-1 carries out the EVAL script 2 job lock-signal:job 1000 of A and answers 0.
3. At 0ms A gets its answer: 0. A sends GET job to redis-1.
4. At 0ms redis-1 carries out the GET job of A and answers nil.
5. At 0ms A gets its answer: nil. A sends SET job A1 NX to redis-1.
6. At 0ms redis-1 carries out the SET job A1 NX of A and answers OK. A's command creates the key job
   with "A1", without an expiry.
7. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 4s.
8. At 2s B starts. B tries to acquire the lock job. B sends EVAL script 2 job lock-signal:job 1000
   to redis-1.
9. At 2s redis-1 carries out the EVAL script 2 job lock-signal:job 1000 of B and answers 1. B's
   command removes the key job, set by A.

  why     At 2s a command of B removed the key of the lock that A was granted at 0ms and still
          holds. (steps 7 and 9)
  code    algorithms/python_redis_lock.cpp:75 sends SET job A1 NX (step 7)
  code    algorithms/python_redis_lock.cpp:62 sends EVAL script 2 job lock-signal:job 1000 (step 9)
