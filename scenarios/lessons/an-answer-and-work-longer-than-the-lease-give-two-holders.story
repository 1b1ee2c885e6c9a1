✘ token × late-reply: mutual-exclusion is violated
  2 clients · ttl 4s · belief until-release · 10 steps, and 16 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 4000 NX to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SET job B1 PX 4000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 PX 4000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 4s.
4. At 0ms the answer to the SET job A1 PX 4000 NX of A will arrive late.
5. At 0ms redis-1 carries out the SET job B1 PX 4000 NX of B and answers nil.
6. At 0ms B gets its answer: nil. B does not get the lock: "lock already exists."
7. At 3.2s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
8. At 4.001s the key job, set by A, expires. B tries to acquire the lock job. B sends SET job B2 PX
   4000 NX to redis-1.
9. At 4.2s redis-1 carries out the SET job B2 PX 4000 NX of B and answers OK. B's command creates
   the key job with "B2", alive until 8.2s.
10. At 4.2s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 4.2s B was granted the lock while A, granted at 3.2s, still believes that it holds it:
          A has neither released it nor noticed a loss; its key expired at 4.001s. (steps 7 and 10)
  code    algorithms/token.cpp:24 sends SET job A1 PX 4000 NX (step 7)
