✘ shedlock × late-request: owner-only-change is violated
  2 clients · ttl 4s · lock-at-least-for 3s · 10 steps, and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job
   ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 4000 NX to redis-1.
2. At 0ms redis-1 carries out the SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 4000 NX of A
   and answers OK. A's command creates the key job with "ADDED:2023-11-14T22:13:20.000Z@host-A:A1",
   alive until 4s.
3. At 1s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
4. At 2s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 1000 XX to redis-1.
5. At 2s the SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 1000 XX of A will arrive late.
6. At 4.001s the key job, set by A, expires.
7. At 5s B starts. B tries to acquire the lock job. B sends SET job
   ADDED:2023-11-14T22:13:25.000Z@host-B:B1 PX 4000 NX to redis-1.
8. At 5s redis-1 carries out the SET job ADDED:2023-11-14T22:13:25.000Z@host-B:B1 PX 4000 NX of B
   and answers OK. B's command creates the key job with "ADDED:2023-11-14T22:13:25.000Z@host-B:B1",
   alive until 9s.
9. At 5s redis-1 carries out the SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 1000 XX of A
   and answers OK. A's command overwrites the key job, set by B, with
   "ADDED:2023-11-14T22:13:20.000Z@host-A:A1", alive until 6s.
10. At 5s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 5s a command of A changed the key that B had written; at 5s B was granted the lock all
          the same. (steps 9 and 10)
  code    algorithms/shedlock.cpp:70 sends SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 1000
          XX (step 9)
  code    algorithms/shedlock.cpp:57 sends SET job ADDED:2023-11-14T22:13:25.000Z@host-B:B1 PX 4000
          NX (step 10)
