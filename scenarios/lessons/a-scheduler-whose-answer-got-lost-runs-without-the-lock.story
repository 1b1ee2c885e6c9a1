✘ redbeat × lost-reply: mutual-exclusion is violated
  3 clients · ttl 5s · blocking no · on-error ignored · 21 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 5000 NX to redis-1.
2. At 0ms redis-1 carries out the SET job A1 PX 5000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 5s.
3. At 0ms A gets its answer: OK. A sends EVAL "extend if mine" 1 job A1 5000 0 to redis-1.
4. At 0ms redis-1 carries out the EVAL "extend if mine" 1 job A1 5000 0 of A and answers 1. A's
   command changes the expiry of the key job, its own; it is now alive until 5s.
5. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 10s.
6. At 1s A sends EVAL "extend if mine" 1 job A1 5000 0 to redis-1.
7. At 1s redis-1 carries out the EVAL "extend if mine" 1 job A1 5000 0 of A and answers 1. A's
   command changes the expiry of the key job, its own; it is now alive until 6s.
8. At 1s A gets its answer: 1.
9. At 2s B starts. B tries to acquire the lock job. B sends SET job B1 PX 5000 NX to redis-1.
10. At 2s A sends EVAL "extend if mine" 1 job A1 5000 0 to redis-1.
11. At 2s redis-1 carries out the SET job B1 PX 5000 NX of B and answers nil.
12. At 2s the answer to the SET job B1 PX 5000 NX of B is lost on its way.
13. At 2s redis-1 carries out the EVAL "extend if mine" 1 job A1 5000 0 of A and answers 1. A's
    command changes the expiry of the key job, its own; it is now alive until 7s.
14. At 2s A gets its answer: 1.
15. At 3s A sends EVAL "extend if mine" 1 job A1 5000 0 to redis-1.
16. At 3s redis-1 carries out the EVAL "extend if mine" 1 job A1 5000 0 of A and answers 1. A's
    command changes the expiry of the key job, its own; it is now alive until 8s.
17. At 3s A gets its answer: 1.
18. At 4s A sends EVAL "extend if mine" 1 job A1 5000 0 to redis-1.
19. At 4s redis-1 carries out the EVAL "extend if mine" 1 job A1 5000 0 of A and answers 1. A's
    command changes the expiry of the key job, its own; it is now alive until 9s.
20. At 4s A gets its answer: 1.
21. At 5s B stops waiting for the answer to SET job B1 PX 5000 NX. B believes that it holds the
    lock. B works under the lock for 3s.

  why     At 5s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key still stands. (steps 5 and 21)
  code    algorithms/redbeat.cpp:108 sends EVAL "extend if mine" 1 job A1 5000 0 (step 5)
