✘ laravel × none: release-frees is violated
  1 client · ttl 4s · serializer plain · 6 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job s:2:"A1"; EX 4 NX to redis-1.
2. At 0ms redis-1 carries out the SET job s:2:"A1"; EX 4 NX of A and answers OK. A's command creates
   the key job with "s:2:"A1";", alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
4. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVAL "delete if mine" 1 job A1 to redis-1.
5. At 1s redis-1 carries out the EVAL "delete if mine" 1 job A1 of A and answers 0.
6. At 1s A gets its answer: 0. A leaves what it wrote where it keeps the others out. A reports that
   the lock was no longer its own. A is finished.

  why     At 1s release() returned to A; but what it wrote at 0ms still stands and keeps the others
          out until 4s. (steps 2 and 6)
  code    algorithms/laravel.cpp:73 sends SET job s:2:"A1"; EX 4 NX (step 2)
  code    algorithms/laravel.cpp:53 sends EVAL "delete if mine" 1 job A1 (step 6)
