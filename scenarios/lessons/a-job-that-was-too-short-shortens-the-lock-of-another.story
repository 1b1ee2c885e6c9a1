✘ shedlock × late-request: owner-only-change is violated
  2 clients · ttl 4s · lock-at-least-for 3s · 17 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SET job
   ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 4000 NX to redis-1.
3. At 0ms B starts. B tries to acquire the lock job. B sends SET job
   ADDED:2023-11-14T22:13:20.000Z@host-B:B1 PX 4000 NX to redis-1.
4. At 0ms redis-1 carries out the SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 4000 NX of A
   and answers OK. A's command creates the key job with "ADDED:2023-11-14T22:13:20.000Z@host-A:A1",
   alive until 4s.
5. At 0ms redis-1 carries out the SET job ADDED:2023-11-14T22:13:20.000Z@host-B:B1 PX 4000 NX of B
   and answers nil.
7. At 1s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
8. At 1s B gets its answer: nil. B does not get the lock: "Not executing 'job'. It's locked."
9. At 2s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 1000 XX to redis-1.
10. At 2s the SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 1000 XX of A will arrive late.
13. At 4s B tries to acquire the lock job. B sends SET job ADDED:2023-11-14T22:13:24.000Z@host-B:B2
    PX 4000 NX to redis-1.
14. At 4.001s the key job, set by A, expires.
15. At 5s redis-1 carries out the SET job ADDED:2023-11-14T22:13:24.000Z@host-B:B2 PX 4000 NX of B
    and answers OK. B's command creates the key job with "ADDED:2023-11-14T22:13:24.000Z@host-B:B2",
    alive until 9s.
16. At 5s redis-1 carries out the SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 1000 XX of A
    and answers OK. A's command overwrites the key job, set by B, with
    "ADDED:2023-11-14T22:13:20.000Z@host-A:A1", alive until 6s.
17. At 5s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 5s a command of A changed the key that B had written; at 5s B was granted the lock all
          the same. (steps 16 and 17)
  code    algorithms/shedlock.cpp:61 sends SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 1000
          XX (step 16)
  code    algorithms/shedlock.cpp:48 sends SET job ADDED:2023-11-14T22:13:24.000Z@host-B:B2 PX 4000
          NX (step 17)
