✘ getset × late-request: owner-only-release is violated
  2 clients · ttl 10s · release if-unexpired · 39 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000010000 to redis-1.
3. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job 1700000010000 to redis-1.
6. At 1s redis-1 carries out the SETNX job 1700000010000 of A and answers 1. A's command creates the
   key job with "1700000010000", without an expiry.
7. At 1s redis-1 carries out the SETNX job 1700000010000 of B and answers 0.
9. At 1.5s B gets its answer: 0. B sends GET job to redis-1.
11. At 2s A gets its answer: 1. A believes that it holds the lock, until 10s. A works under the lock
    for 1s.
13. At 2.5s redis-1 carries out the GET job of B and answers 1700000010000.
15. At 3s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends DEL job to redis-1.
16. At 3s the DEL job of A will arrive late.
18. At 3.5s B gets its answer: 1700000010000. B does not get the lock: "lock is not expired."
22. At 6s A stops waiting for the answer to DEL job. A cannot tell whether it has released the lock.
    A is finished.
24. At 6.5s B tries to acquire the lock job. B sends SETNX job 1700000016500 to redis-1.
27. At 7.5s redis-1 carries out the SETNX job 1700000016500 of B and answers 0.
30. At 8.5s B gets its answer: 0. B sends GET job to redis-1.
33. At 9.5s redis-1 carries out the GET job of B and answers 1700000010000.
36. At 10.5s B gets its answer: 1700000010000. B sends GETSET job 1700000016500 to redis-1.
37. At 10.5s redis-1 carries out the GETSET job 1700000016500 of B and answers 1700000010000. B's
    command overwrites the key job, set by A, with "1700000016500", without an expiry.
38. At 10.5s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job,
    set by B. an answer to A arrives, but nobody waits for it any more.
39. At 10.5s B gets its answer: 1700000010000. B believes that it holds the lock, until 16.5s. B
    works under the lock for 1s.

  why     At 10.5s a command of A removed the key that B had written; at 10.5s B was granted the
          lock all the same. (steps 38 and 39)
  code    algorithms/getset.cpp:41 sends DEL job (step 38)
  code    algorithms/getset.cpp:32 sends GETSET job 1700000016500 (step 39)
