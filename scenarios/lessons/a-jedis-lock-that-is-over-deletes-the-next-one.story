✘ jedis-lock × none: owner-only-release is violated
  2 clients · ttl 4s · blocking no · 12 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job A1:1700000004001 to redis-1.
2. At 0ms redis-1 carries out the SETNX job A1:1700000004001 of A and answers 1. A's command creates
   the key job with "A1:1700000004001", without an expiry.
3. At 0ms A gets its answer: 1. A believes that it holds the lock, until 4.001s. A works under the
   lock for 6s.
4. At 5s B starts. B tries to acquire the lock job. B sends SETNX job B1:1700000009001 to redis-1.
5. At 5s redis-1 carries out the SETNX job B1:1700000009001 of B and answers 0.
6. At 5s B gets its answer: 0. B sends GET job to redis-1.
7. At 5s redis-1 carries out the GET job of B and answers A1:1700000004001.
8. At 5s B gets its answer: A1:1700000004001. B sends GETSET job B1:1700000009001 to redis-1.
9. At 5s redis-1 carries out the GETSET job B1:1700000009001 of B and answers A1:1700000004001. B's
   command overwrites the key job, set by A, with "B1:1700000009001", without an expiry.
10. At 5s B gets its answer: A1:1700000004001. B believes that it holds the lock, until 9.001s. B
    works under the lock for 3s.
11. At 6s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends DEL job to redis-1.
12. At 6s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, set
    by B.

  why     At 6s a command of A removed the key of the lock that B was granted at 5s and still holds.
          (steps 10 and 12)
  code    algorithms/jedis_lock.cpp:66 sends GETSET job B1:1700000009001 (step 10)
  code    algorithms/jedis_lock.cpp:85 sends DEL job (step 12)
