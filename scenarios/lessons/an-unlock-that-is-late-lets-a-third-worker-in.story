✘ resty-lock × pause: mutual-exclusion is violated
  3 clients · ttl 4s · timeout 0s · belief deadline-from-request · 16 steps, and 2 in which only
  time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends ADD job true 4 to nginx shared memory.
2. At 0ms nginx shared memory carries out the ADD job true 4 of A and answers OK. A's command
   creates the key job with "true", alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
4. At 1s A is stopped in the middle of what it does.
5. At 4s A sees its own deadline pass and no longer believes that it holds the lock.
6. At 4.001s the key job, set by A, expires.
7. At 5s B starts. B tries to acquire the lock job. B sends ADD job true 4 to nginx shared memory.
8. At 5s A goes on, as if the last 4s had not passed.
9. At 5s A begins to release the lock and no longer believes that it holds it. A sends DELETE job to
   nginx shared memory.
10. At 5s nginx shared memory carries out the ADD job true 4 of B and answers OK. B's command
    creates the key job with "true", alive until 9s.
11. At 5s nginx shared memory carries out the DELETE job of A and answers OK. A's command removes
    the key job, set by B.
12. At 5s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 3s.
13. At 5s A gets its answer: OK. A reports that it has released the lock. A is finished.
14. At 6s C starts. C tries to acquire the lock job. C sends ADD job true 4 to nginx shared memory.
15. At 6s nginx shared memory carries out the ADD job true 4 of C and answers OK. C's command
    creates the key job with "true", alive until 10s.
16. At 6s C gets its answer: OK. C believes that it holds the lock. C works under the lock for 1s.

  why     At 6s C was granted the lock while B, granted at 5s, still believes that it holds it: B
          has neither released it nor noticed a loss; its key was removed by A at 5s. (steps 12 and
          16)
  code    algorithms/resty_lock.hpp:65 sends DELETE job (step 11)
  code    algorithms/resty_lock.hpp:93 sends ADD job true 4 (step 12)
