✘ shedlock × slow-section: truthful-release is violated
  1 client · ttl 4s · safe-update true · 11 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SET job
   ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 4000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 4000 NX of A
   and answers OK. A's command creates the key job with "ADDED:2023-11-14T22:13:20.000Z@host-A:A1",
   alive until 4s.
4. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
5. At 1s the work of A under the lock will take too long.
8. At 4.001s the key job, set by A, expires.
9. At 5s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVAL script 1 job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 to redis-1.
10. At 5s redis-1 carries out the EVAL script 1 job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 of A
    and answers 0.
11. At 5s A gets its answer: 0. A reports that it has released the lock. A is finished.

  why     At 5s release() told A that it had held the lock until then; but its key expired at
          4.001s. (steps 8 and 11)
  code    algorithms/shedlock.cpp:48 sends SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 4000
          NX (step 8)
  code    algorithms/shedlock.cpp:61 sends EVAL script 1 job
          ADDED:2023-11-14T22:13:20.000Z@host-A:A1 (step 11)
