✘ ticket × lost-reply: recovery is violated
  1 client · ttl 12s · timeout 0s · 16 steps, and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 4 job job:drawn job:done
   job:turn 12000 to redis-1.
2. At 1s redis-1 carries out the EVAL script 4 job job:drawn job:done job:turn 12000 of A and
   answers 1.
3. At 1s the answer to the EVAL script 4 job job:drawn job:done job:turn 12000 of A is lost on its
   way.
4. At 3s A stops waiting for the answer to EVAL script 4 job job:drawn job:done job:turn 12000. A
   fails to get the lock: "failed to draw a number: timeout". A is finished.
5. At 3s the faults are over; a new client, B, now tries to get the lock within 10s. B starts. B
   tries to acquire the lock job. B sends EVAL script 4 job job:drawn job:done job:turn 12000 to
   redis-1.
6. At 3s redis-1 carries out the EVAL script 4 job job:drawn job:done job:turn 12000 of B and
   answers 2.
7. At 3s B gets its answer: 2. B sends EVAL script 4 job job:drawn job:done job:turn 2 12000 to
   redis-1.
8. At 3s redis-1 carries out the EVAL script 4 job job:drawn job:done job:turn 2 12000 of B and
   answers 2.
9. At 3s B gets its answer: 2. B does not get the lock: "it is not my turn."
10. At 8s B tries to acquire the lock job. B sends EVAL script 4 job job:drawn job:done job:turn 2
    12000 to redis-1.
11. At 8s redis-1 carries out the EVAL script 4 job job:drawn job:done job:turn 2 12000 of B and
    answers 2.
12. At 8s B gets its answer: 2. B does not get the lock: "it is not my turn."
13. At 13s B tries to acquire the lock job. B sends EVAL script 4 job job:drawn job:done job:turn 2
    12000 to redis-1.
14. At 13s redis-1 carries out the EVAL script 4 job job:drawn job:done job:turn 2 12000 of B and
    answers 2.
15. At 13s B gets its answer: 2. B does not get the lock: "it is not my turn." B is finished.
16. At 13s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: although
          no key stands in its way. (steps 5 and 16)
  code    algorithms/ticket.cpp:57 sends EVAL script 4 job job:drawn job:done job:turn 12000 (step
          5)
  code    algorithms/ticket.cpp:62 sends EVAL script 4 job job:drawn job:done job:turn 2 12000 (step
          16)
