✘ shedlock × slow-section: owner-only-release is violated
  2 clients · ttl 4s · 15 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SET job
   ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 4000 NX to redis-1.
3. At 0ms B starts. B tries to acquire the lock job. B sends SET job
   ADDED:2023-11-14T22:13:20.000Z@host-B:B1 PX 4000 NX to redis-1.
4. At 0ms redis-1 carries out the SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 4000 NX of A
   and answers OK. A's command creates the key job with "ADDED:2023-11-14T22:13:20.000Z@host-A:A1",
   alive until 4s.
5. At 0ms redis-1 carries out the SET job ADDED:2023-11-14T22:13:20.000Z@host-B:B1 PX 4000 NX of B
   and answers nil.
6. At 0ms A gets its answer: OK. A believes that it holds the lock. The work of A under the lock
   will take too long. A works under the lock for 9s.
8. At 1s B gets its answer: nil. B does not get the lock: "Not executing 'job'. It's locked."
9. At 4.001s the key job, set by A, expires. B tries to acquire the lock job. B sends SET job
   ADDED:2023-11-14T22:13:26.000Z@host-B:B2 PX 4000 NX to redis-1.
11. At 7s redis-1 carries out the SET job ADDED:2023-11-14T22:13:26.000Z@host-B:B2 PX 4000 NX of B
    and answers OK. B's command creates the key job with "ADDED:2023-11-14T22:13:26.000Z@host-B:B2",
    alive until 11s.
13. At 8s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.
14. At 9s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends DEL job to redis-1.
15. At 9s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, set
    by B.

  why     At 9s a command of A removed the key of the lock that B was granted at 8s and still holds.
          (steps 13 and 15)
  code    algorithms/shedlock.cpp:48 sends SET job ADDED:2023-11-14T22:13:26.000Z@host-B:B2 PX 4000
          NX (step 13)
  code    algorithms/shedlock.cpp:61 sends DEL job (step 15)
