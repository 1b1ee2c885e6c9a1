✘ resty-lock × pause: owner-only-change is violated
  2 clients · ttl 4s · timeout 0s · expire-every 2s · 11 steps, and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends ADD job true 4 to nginx shared memory.
2. At 0ms nginx shared memory carries out the ADD job true 4 of A and answers OK. A's command
   creates the key job with "true", alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 3s.
4. At 2s A is stopped in the middle of what it does.
5. At 4.001s the key job, set by A, expires.
6. At 5s B starts. B tries to acquire the lock job. B sends ADD job true 4 to nginx shared memory.
7. At 5s A goes on, as if the last 3s had not passed.
8. At 5s A sends REPLACE job true 4 to nginx shared memory.
9. At 5s nginx shared memory carries out the ADD job true 4 of B and answers OK. B's command creates
   the key job with "true", alive until 9s.
10. At 5s nginx shared memory carries out the REPLACE job true 4 of A and answers OK. A's command
    overwrites the key job, set by B, with "true", alive until 9s.
11. At 5s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 5s a command of A changed the key that B had written; at 5s B was granted the lock all
          the same. (steps 10 and 11)
  code    algorithms/resty_lock.hpp:73 sends REPLACE job true 4 (step 10)
  code    algorithms/resty_lock.hpp:93 sends ADD job true 4 (step 11)
