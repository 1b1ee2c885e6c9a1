✘ shedlock-jdbc × none: mutual-exclusion is violated
  2 clients · ttl 4s · clock database · 16 steps, and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends BEGIN to postgres-1.
2. At 0ms postgres-1 carries out the BEGIN of A and answers BEGIN.
3. At 0ms A gets its answer: BEGIN.
4. At 3s A sends INSERT job owner host-A until now()+4000ms "ON CONFLICT DO UPDATE" WHERE until <=
   now() to postgres-1.
5. At 3s postgres-1 carries out the INSERT job owner host-A until now()+4000ms "ON CONFLICT DO
   UPDATE" WHERE until <= now() of A and answers 1.
6. At 3s A gets its answer: 1. A sends COMMIT to postgres-1.
7. At 3s postgres-1 carries out the COMMIT of A and answers COMMIT. A's command creates the key job
   with "host-A 0", alive until 4s.
8. At 3.5s A gets its answer: COMMIT. A believes that it holds the lock. A works under the lock for
   1s.
9. At 4s the key job, set by A, expires. B starts. B tries to acquire the lock job. B sends BEGIN to
   postgres-1.
10. At 4s postgres-1 carries out the BEGIN of B and answers BEGIN.
11. At 4s B gets its answer: BEGIN.
12. At 4.5s B sends INSERT job owner host-B until now()+4000ms "ON CONFLICT DO UPDATE" WHERE until
    <= now() to postgres-1.
13. At 4.5s postgres-1 carries out the INSERT job owner host-B until now()+4000ms "ON CONFLICT DO
    UPDATE" WHERE until <= now() of B and answers 1.
14. At 4.5s B gets its answer: 1. B sends COMMIT to postgres-1.
15. At 4.5s postgres-1 carries out the COMMIT of B and answers COMMIT. B's command creates the key
    job with "host-B 0", alive until 8s.
16. At 4.5s B gets its answer: COMMIT. B believes that it holds the lock. B works under the lock for
    1s.

  why     At 4.5s B was granted the lock while A, granted at 3.5s, still believes that it holds it:
          A has neither released it nor noticed a loss; its key expired at 4s. (steps 8 and 16)
  code    algorithms/shedlock_jdbc.cpp:89 sends COMMIT (step 8)
