✘ shedlock × slow-section: truthful-release is violated
  1 client · ttl 4s · safe-update true · 8 steps, and 3 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job
   ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 4000 NX to redis-1.
2. At 0ms redis-1 carries out the SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 4000 NX of A
   and answers OK. A's command creates the key job with "ADDED:2023-11-14T22:13:20.000Z@host-A:A1",
   alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
4. At 1s the work of A under the lock will take too long.
5. At 4.001s the key job, set by A, expires.
6. At 5s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVAL "delete if mine" 1 job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 to
   redis-1.
7. At 5s redis-1 carries out the EVAL "delete if mine" 1 job
   ADDED:2023-11-14T22:13:20.000Z@host-A:A1 of A and answers 0.
8. At 5s A gets its answer: 0. A reports that it has released the lock. A is finished.

  why     At 5s release() told A that it had held the lock until then; but its key expired at
          4.001s. (steps 5 and 8)
  code    algorithms/shedlock.cpp:57 sends SET job ADDED:2023-11-14T22:13:20.000Z@host-A:A1 PX 4000
          NX (step 5)
  code    algorithms/shedlock.cpp:70 sends EVAL "delete if mine" 1 job
          ADDED:2023-11-14T22:13:20.000Z@host-A:A1 (step 8)
