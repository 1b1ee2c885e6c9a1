✘ resty-lock × none: owner-only-release is violated
  2 clients · ttl 4s · timeout 0s · unlock forgotten · collect-after 4s · 9 steps, and 1 in which
  only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends ADD job true 4 to nginx shared memory.
2. At 0ms nginx shared memory carries out the ADD job true 4 of A and answers OK. A's command
   creates the key job with "true", alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
4. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A leaves what it wrote where it keeps the others out. A cannot tell whether it has
   released the lock. A is finished.
5. At 4.001s the key job, set by A, expires. B starts. B tries to acquire the lock job. B sends ADD
   job true 4 to nginx shared memory.
6. At 5s A sends DELETE job to nginx shared memory.
7. At 5s nginx shared memory carries out the ADD job true 4 of B and answers OK. B's command creates
   the key job with "true", alive until 9s.
8. At 5s nginx shared memory carries out the DELETE job of A and answers OK. A's command removes the
   key job, set by B.
9. At 5s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 5s a command of A removed the key that B had written; at 5s B was granted the lock all
          the same. (steps 8 and 9)
  code    algorithms/resty_lock.hpp:81 sends DELETE job (step 8)
  code    algorithms/resty_lock.hpp:93 sends ADD job true 4 (step 9)
