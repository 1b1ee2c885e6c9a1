✘ lua-setnx-expire × slow-section: owner-only-release is violated
  2 clients · ttl 4s · expire-unit repaired · zero-is refusal · 10 steps, and 3 in which only time
  passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless held" 1 job 1234 4 to
   redis-1.
2. At 0ms redis-1 carries out the EVAL "take unless held" 1 job 1234 4 of A and answers 1. A's
   command creates the key job with "1234", alive until 4s. A's command changes the expiry of the
   key job, its own; it is now alive until 4s.
3. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 1s.
4. At 1s the work of A under the lock will take too long.
5. At 4.001s the key job, set by A, expires.
6. At 5s B starts. B tries to acquire the lock job. B sends EVAL "take unless held" 1 job 1234 4 to
   redis-1.
7. At 5s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends DEL job to redis-1.
8. At 5s redis-1 carries out the EVAL "take unless held" 1 job 1234 4 of B and answers 1. B's
   command creates the key job with "1234", alive until 9s. B's command changes the expiry of the
   key job, its own; it is now alive until 9s.
9. At 5s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, set by
   B.
10. At 5s B gets its answer: 1. B believes that it holds the lock. B works under the lock for 1s.

  why     At 5s a command of A removed the key that B had written; at 5s B was granted the lock all
          the same. (steps 9 and 10)
  code    algorithms/lua_setnx_expire.cpp:47 sends DEL job (step 9)
  code    algorithms/lua_setnx_expire.cpp:37 sends EVAL "take unless held" 1 job 1234 4 (step 10)
