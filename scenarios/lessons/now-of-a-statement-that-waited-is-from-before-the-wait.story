✘ shedlock-jdbc × none: mutual-exclusion is violated
  3 clients · ttl 4s · clock database · stays-open-for 3s · 29 steps, and 3 in which only time
  passes

1. At 0ms A starts. A tries to acquire the lock job. A sends BEGIN to postgres-1.
2. At 0ms postgres-1 carries out the BEGIN of A and answers BEGIN.
3. At 0ms A gets its answer: BEGIN. A sends INSERT job owner host-A until now()+4000ms "ON CONFLICT
   DO UPDATE" WHERE until <= now() to postgres-1.
4. At 0ms postgres-1 carries out the INSERT job owner host-A until now()+4000ms "ON CONFLICT DO
   UPDATE" WHERE until <= now() of A and answers 1.
5. At 0ms A gets its answer: 1. A sends COMMIT to postgres-1.
6. At 0ms postgres-1 carries out the COMMIT of A and answers COMMIT. A's command creates the key job
   with "host-A 0", alive until 4s.
7. At 0ms A gets its answer: COMMIT. A believes that it holds the lock. A begins to release the lock
   and no longer believes that it holds it. A sends BEGIN to postgres-1.
8. At 0ms postgres-1 carries out the BEGIN of A and answers BEGIN.
9. At 0ms A gets its answer: BEGIN. A sends UPDATE job SET over now() WHERE owner = host-A to
   postgres-1.
10. At 0ms postgres-1 carries out the UPDATE job SET over now() WHERE owner = host-A of A and
    answers 1.
11. At 0ms A gets its answer: 1.
12. At 1s B starts. B tries to acquire the lock job. B sends BEGIN to postgres-1.
13. At 1s postgres-1 carries out the BEGIN of B and answers BEGIN.
14. At 1s B gets its answer: BEGIN. B sends INSERT job owner host-B until now()+4000ms "ON CONFLICT
    DO UPDATE" WHERE until <= now() to postgres-1.
15. At 1s postgres-1 takes the INSERT job owner host-B until now()+4000ms "ON CONFLICT DO UPDATE"
    WHERE until <= now() of B, which has to wait for its answer.
16. At 3s A sends COMMIT to postgres-1.
17. At 3s postgres-1 carries out the COMMIT of A and answers COMMIT. A's command removes the key
    job, its own. postgres-1 answers the INSERT job owner host-B until now()+4000ms "ON CONFLICT DO
    UPDATE" WHERE until <= now() of B, which has waited for this: 1.
18. At 3s A gets its answer: COMMIT. A reports that it has released the lock. A is finished.
19. At 3s B gets its answer: 1. B sends COMMIT to postgres-1.
20. At 3s postgres-1 carries out the COMMIT of B and answers COMMIT. B's command creates the key job
    with "host-B 0", alive until 5s.
21. At 3s B gets its answer: COMMIT. B believes that it holds the lock. B works under the lock for
    3s.
22. At 5s the key job, set by B, expires.
23. At 5s C starts. C tries to acquire the lock job. C sends BEGIN to postgres-1.
24. At 5s postgres-1 carries out the BEGIN of C and answers BEGIN.
25. At 5s C gets its answer: BEGIN. C sends INSERT job owner host-C until now()+4000ms "ON CONFLICT
    DO UPDATE" WHERE until <= now() to postgres-1.
26. At 5s postgres-1 carries out the INSERT job owner host-C until now()+4000ms "ON CONFLICT DO
    UPDATE" WHERE until <= now() of C and answers 1.
27. At 5s C gets its answer: 1. C sends COMMIT to postgres-1.
28. At 5s postgres-1 carries out the COMMIT of C and answers COMMIT. C's command creates the key job
    with "host-C 0", alive until 9s.
29. At 5s C gets its answer: COMMIT. C believes that it holds the lock. C begins to release the lock
    and no longer believes that it holds it. C sends BEGIN to postgres-1.

  why     At 5s C was granted the lock while B, granted at 3s, still believes that it holds it: B
          has neither released it nor noticed a loss; its key expired at 5s. (steps 21 and 29)
  code    algorithms/shedlock_jdbc.cpp:89 sends COMMIT (step 21)
  code    algorithms/shedlock_jdbc.cpp:57 sends BEGIN (step 29)
