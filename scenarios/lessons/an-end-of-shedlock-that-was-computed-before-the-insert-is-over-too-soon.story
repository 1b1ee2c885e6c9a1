✘ shedlock-jdbc × none: mutual-exclusion is violated
  3 clients · ttl 4s · 13 steps, and 7 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends INSERT job owner host-A until
   1700000004000 "ON CONFLICT DO UPDATE" WHERE until <= 1700000000000 to postgres-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends INSERT job owner host-B until
   1700000004000 "ON CONFLICT DO UPDATE" WHERE until <= 1700000000000 to postgres-1.
3. At 1s postgres-1 carries out the INSERT job owner host-A until 1700000004000 "ON CONFLICT DO
   UPDATE" WHERE until <= 1700000000000 of A and answers 1. A's command creates the key job with
   "host-A 0 1700000004000", without an expiry.
4. At 1s postgres-1 carries out the INSERT job owner host-B until 1700000004000 "ON CONFLICT DO
   UPDATE" WHERE until <= 1700000000000 of B and answers 0.
5. At 2s A gets its answer: 1. A believes that it holds the lock, until 3.999999s. A begins to
   release the lock and no longer believes that it holds it. A sends UPDATE job SET over
   1700000002000 WHERE owner = host-A to postgres-1.
6. At 2s B gets its answer: 0. B sends UPDATE job SET owner host-B until 1700000004000 WHERE until
   <= 1700000002000 to postgres-1.
7. At 3s postgres-1 carries out the UPDATE job SET over 1700000002000 WHERE owner = host-A of A and
   answers 1. A's command removes the key job, its own.
8. At 3s postgres-1 carries out the UPDATE job SET owner host-B until 1700000004000 WHERE until <=
   1700000002000 of B and answers 1. B's command creates the key job with "host-B 0 1700000004000",
   without an expiry.
9. At 3s A gets its answer: 1. A reports that it has released the lock. A is finished.
10. At 3s B gets its answer: 1. B believes that it holds the lock, until 3.999999s. B works under
    the lock for 1s.
11. At 4s C starts. C tries to acquire the lock job. C sends INSERT job owner host-C until
    1700000008000 "ON CONFLICT DO UPDATE" WHERE until <= 1700000004000 to postgres-1.
12. At 4s postgres-1 carries out the INSERT job owner host-C until 1700000008000 "ON CONFLICT DO
    UPDATE" WHERE until <= 1700000004000 of C and answers 1. C's command overwrites the key job, set
    by B, with "host-C 0 1700000008000", without an expiry.
13. At 4s C gets its answer: 1. C believes that it holds the lock, until 7.999999s. C begins to
    release the lock and no longer believes that it holds it. C sends UPDATE job SET over
    1700000004000 WHERE owner = host-C to postgres-1.

  why     At 4s C was granted the lock while B, granted at 3s, still believes that it holds it: B
          has neither released it nor noticed a loss; its key was overwritten by C at 4s. (steps 10
          and 13)
  code    algorithms/shedlock_jdbc.cpp:42 sends UPDATE job SET owner host-B until 1700000004000
          WHERE until <= 1700000002000 (step 10)
  code    algorithms/shedlock_jdbc.cpp:34 sends INSERT job owner host-C until 1700000008000 "ON
          CONFLICT DO UPDATE" WHERE until <= 1700000004000 (step 12)
  code    algorithms/shedlock_jdbc.cpp:66 sends UPDATE job SET over 1700000004000 WHERE owner =
          host-C (step 13)
