✘ spring-integration × late-request: owner-only-release is violated
  2 clients · ttl 4s · blocking no · 11 steps, and 5 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 locks:job A1 4000 to
   redis-1.
2. At 0ms redis-1 carries out the EVAL script 1 locks:job A1 4000 of A and answers 1. A's command
   creates the key locks:job with "A1", alive until 4s.
3. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 1s.
4. At 1s A begins to release the lock and no longer believes that it holds it. A sends EVAL "delete
   if mine" 1 locks:job A1 to redis-1.
5. At 1s the EVAL "delete if mine" 1 locks:job A1 of A will arrive late.
6. At 4s A stops waiting for the answer to EVAL "delete if mine" 1 locks:job A1. A cannot tell
   whether it has released the lock. A is finished.
7. At 4.001s the key locks:job, set by A, expires.
8. At 5s B starts. B tries to acquire the lock job. B sends EVAL script 1 locks:job A1 4000 to
   redis-1.
9. At 5s redis-1 carries out the EVAL script 1 locks:job A1 4000 of B and answers 1. B's command
   creates the key locks:job with "A1", alive until 9s.
10. At 5s redis-1 carries out the EVAL "delete if mine" 1 locks:job A1 of A and answers 1. A's
    command removes the key locks:job, set by B. an answer to A arrives, but A no longer waits for
    it.
11. At 5s B gets its answer: 1. B believes that it holds the lock. B works under the lock for 4s.

  why     At 5s a command of A removed the key that B had written; at 5s B was granted the lock all
          the same. (steps 10 and 11)
  code    algorithms/spring_integration.cpp:206 sends EVAL "delete if mine" 1 locks:job A1 (step 10)
  code    algorithms/spring_integration.cpp:154 sends EVAL script 1 locks:job A1 4000 (step 11)
