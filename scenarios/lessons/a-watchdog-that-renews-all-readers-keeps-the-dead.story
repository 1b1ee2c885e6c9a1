✘ redisson-rw × crash: recovery is violated
  2 clients · ttl 6s · blocking no · read-watchdog all · 79 steps

2. At 0ms A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
   script 2 job {job}:A1001:1:rwlock_timeout 6000 A1001:1 A1001:1:write to redis-1.
3. At 0ms B starts. B tries to acquire the lock job, to share it with other readers. B sends EVAL
   script 2 job {job}:B1001:1:rwlock_timeout 6000 B1001:1 B1001:1:write to redis-1.
4. At 0ms redis-1 carries out the EVAL script 2 job {job}:A1001:1:rwlock_timeout 6000 A1001:1
   A1001:1:write of A and answers nil. A's command creates the key job with "hash "A1001:1" "1"
   "mode" "read"", alive until 6s. A's command overwrites the key job, its own, with "hash "A1001:1"
   "1" "mode" "read"", alive until 6s. A's command changes the expiry of the key job, its own; it is
   now alive until 6s.
5. At 0ms redis-1 carries out the EVAL script 2 job {job}:B1001:1:rwlock_timeout 6000 B1001:1
   B1001:1:write of B and answers nil. B's command overwrites the key job, set by A, with "hash
   "A1001:1" "1" "B1001:1" "1" "mode" "read"", alive until 6s. B's command changes the expiry of the
   key job, its own; it is now alive until 6s.
6. At 0ms A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
   for 1s.
7. At 0ms B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
   for 3s.
8. At 1s A crashes and forgets everything.
9. At 2s B sends EVAL script 2 job {job} 6000 B1001:1 all to redis-1.
10. At 2s A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
    script 2 job {job}:A1002:1:rwlock_timeout 6000 A1002:1 A1002:1:write to redis-1.
11. At 2s redis-1 carries out the EVAL script 2 job {job} 6000 B1001:1 all of B and answers 1. B's
    command changes the expiry of the key job, its own; it is now alive until 8s.
12. At 2s redis-1 carries out the EVAL script 2 job {job}:A1002:1:rwlock_timeout 6000 A1002:1
    A1002:1:write of A and answers nil. A's command overwrites the key job, set by B, with "hash
    "A1001:1" "1" "A1002:1" "1" "B1001:1" "1" "mode" "read"", alive until 8s. A's command changes
    the expiry of the key job, its own; it is now alive until 8s.
13. At 2s B gets its answer: 1.
14. At 2s A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
    for 1s.
15. At 3s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    5 job redisson_rwlock:{job} {job}:B1001:1:rwlock_timeout {job} redisson_unlock_latch:{job}:B1002
    0 B1001:1 PUBLISH 13500 to redis-1.
16. At 3s A begins to release the lock and no longer believes that it holds it. A sends EVAL script
    5 job redisson_rwlock:{job} {job}:A1002:1:rwlock_timeout {job} redisson_unlock_latch:{job}:A1003
    0 A1002:1 PUBLISH 13500 to redis-1.
17. At 3s redis-1 carries out the EVAL script 5 job redisson_rwlock:{job}
    {job}:B1001:1:rwlock_timeout {job} redisson_unlock_latch:{job}:B1002 0 B1001:1 PUBLISH 13500 of
    B and answers 0. B's command overwrites the key job, set by A, with "hash "A1001:1" "1"
    "A1002:1" "1" "mode" "read"", alive until 8s. B's command overwrites the key job, its own, with
    "hash "A1001:1" "1" "A1002:1" "1" "mode" "read"", alive until 8s. B's command changes the expiry
    of the key job, its own; it is now alive until 8s.
18. At 3s redis-1 carries out the EVAL script 5 job redisson_rwlock:{job}
    {job}:A1002:1:rwlock_timeout {job} redisson_unlock_latch:{job}:A1003 0 A1002:1 PUBLISH 13500 of
    A and answers 0. A's command overwrites the key job, set by B, with "hash "A1001:1" "1" "mode"
    "read"", alive until 8s. A's command overwrites the key job, its own, with "hash "A1001:1" "1"
    "mode" "read"", alive until 8s. A's command changes the expiry of the key job, its own; it is
    now alive until 8s.
19. At 3s B gets its answer: 0. B sends DEL redisson_unlock_latch:{job}:B1002 to redis-1. B reports
    that it has released the lock. B waits for 2s.
20. At 3s A gets its answer: 0. A sends DEL redisson_unlock_latch:{job}:A1003 to redis-1. A reports
    that it has released the lock. A is finished.
21. At 3s redis-1 carries out the DEL redisson_unlock_latch:{job}:B1002 of B and answers 1. an
    answer to B arrives, but nobody waits for it any more.
22. At 3s redis-1 carries out the DEL redisson_unlock_latch:{job}:A1003 of A and answers 1. an
    answer to A arrives, but nobody waits for it any more.
23. At 3s the faults are over; a new client, C, now tries to get the lock within 11s. C starts. C
    tries to acquire the lock job. C sends EVAL script 1 job 6000 C1001:1:write to redis-1.
24. At 3s redis-1 carries out the EVAL script 1 job 6000 C1001:1:write of C and answers 5000.
25. At 3s C gets its answer: 5000. C does not get the lock: "tryLock: false".
26. At 4s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C1001:1:write to redis-1.
27. At 4s redis-1 carries out the EVAL script 1 job 6000 C1001:1:write of C and answers 4000.
28. At 4s C gets its answer: 4000. C does not get the lock: "tryLock: false".
29. At 5s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    {job}:B1001:1:rwlock_timeout 6000 B1001:1 B1001:1:write to redis-1.
30. At 5s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C1001:1:write to redis-1.
31. At 5s redis-1 carries out the EVAL script 2 job {job}:B1001:1:rwlock_timeout 6000 B1001:1
    B1001:1:write of B and answers nil. B's command overwrites the key job, set by A, with "hash
    "A1001:1" "1" "B1001:1" "1" "mode" "read"", alive until 11s. B's command changes the expiry of
    the key job, its own; it is now alive until 11s.
32. At 5s redis-1 carries out the EVAL script 1 job 6000 C1001:1:write of C and answers 6000.
33. At 5s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 3s.
34. At 5s C gets its answer: 6000. C does not get the lock: "tryLock: false".
35. At 6s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C1001:1:write to redis-1.
36. At 6s redis-1 carries out the EVAL script 1 job 6000 C1001:1:write of C and answers 5000.
37. At 6s C gets its answer: 5000. C does not get the lock: "tryLock: false".
38. At 7s B sends EVAL script 2 job {job} 6000 B1001:1 all to redis-1.
39. At 7s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C1001:1:write to redis-1.
40. At 7s redis-1 carries out the EVAL script 2 job {job} 6000 B1001:1 all of B and answers 1. B's
    command changes the expiry of the key job, its own; it is now alive until 13s.
41. At 7s redis-1 carries out the EVAL script 1 job 6000 C1001:1:write of C and answers 6000.
42. At 7s B gets its answer: 1.
43. At 7s C gets its answer: 6000. C does not get the lock: "tryLock: false".
44. At 8s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    5 job redisson_rwlock:{job} {job}:B1001:1:rwlock_timeout {job} redisson_unlock_latch:{job}:B1003
    0 B1001:1 PUBLISH 13500 to redis-1.
45. At 8s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C1001:1:write to redis-1.
46. At 8s redis-1 carries out the EVAL script 5 job redisson_rwlock:{job}
    {job}:B1001:1:rwlock_timeout {job} redisson_unlock_latch:{job}:B1003 0 B1001:1 PUBLISH 13500 of
    B and answers 0. B's command overwrites the key job, its own, with "hash "A1001:1" "1" "mode"
    "read"", alive until 13s. B's command overwrites the key job, its own, with "hash "A1001:1" "1"
    "mode" "read"", alive until 13s. B's command changes the expiry of the key job, its own; it is
    now alive until 13s.
47. At 8s redis-1 carries out the EVAL script 1 job 6000 C1001:1:write of C and answers 5000.
48. At 8s B gets its answer: 0. B sends DEL redisson_unlock_latch:{job}:B1003 to redis-1. B reports
    that it has released the lock. B waits for 2s.
49. At 8s C gets its answer: 5000. C does not get the lock: "tryLock: false".
50. At 8s redis-1 carries out the DEL redisson_unlock_latch:{job}:B1003 of B and answers 1. an
    answer to B arrives, but nobody waits for it any more.
51. At 9s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C1001:1:write to redis-1.
52. At 9s redis-1 carries out the EVAL script 1 job 6000 C1001:1:write of C and answers 4000.
53. At 9s C gets its answer: 4000. C does not get the lock: "tryLock: false".
54. At 10s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2
    job {job}:B1001:1:rwlock_timeout 6000 B1001:1 B1001:1:write to redis-1.
55. At 10s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C1001:1:write to redis-1.
56. At 10s redis-1 carries out the EVAL script 2 job {job}:B1001:1:rwlock_timeout 6000 B1001:1
    B1001:1:write of B and answers nil. B's command overwrites the key job, its own, with "hash
    "A1001:1" "1" "B1001:1" "1" "mode" "read"", alive until 16s. B's command changes the expiry of
    the key job, its own; it is now alive until 16s.
57. At 10s redis-1 carries out the EVAL script 1 job 6000 C1001:1:write of C and answers 6000.
58. At 10s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 3s.
59. At 10s C gets its answer: 6000. C does not get the lock: "tryLock: false".
60. At 11s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C1001:1:write to redis-1.
61. At 11s redis-1 carries out the EVAL script 1 job 6000 C1001:1:write of C and answers 5000.
62. At 11s C gets its answer: 5000. C does not get the lock: "tryLock: false".
63. At 12s B sends EVAL script 2 job {job} 6000 B1001:1 all to redis-1.
64. At 12s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C1001:1:write to redis-1.
65. At 12s redis-1 carries out the EVAL script 2 job {job} 6000 B1001:1 all of B and answers 1. B's
    command changes the expiry of the key job, its own; it is now alive until 18s.
66. At 12s redis-1 carries out the EVAL script 1 job 6000 C1001:1:write of C and answers 6000.
67. At 12s B gets its answer: 1.
68. At 12s C gets its answer: 6000. C does not get the lock: "tryLock: false".
69. At 13s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    5 job redisson_rwlock:{job} {job}:B1001:1:rwlock_timeout {job} redisson_unlock_latch:{job}:B1004
    0 B1001:1 PUBLISH 13500 to redis-1.
70. At 13s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C1001:1:write to redis-1.
71. At 13s redis-1 carries out the EVAL script 5 job redisson_rwlock:{job}
    {job}:B1001:1:rwlock_timeout {job} redisson_unlock_latch:{job}:B1004 0 B1001:1 PUBLISH 13500 of
    B and answers 0. B's command overwrites the key job, its own, with "hash "A1001:1" "1" "mode"
    "read"", alive until 18s. B's command overwrites the key job, its own, with "hash "A1001:1" "1"
    "mode" "read"", alive until 18s. B's command changes the expiry of the key job, its own; it is
    now alive until 18s.
72. At 13s redis-1 carries out the EVAL script 1 job 6000 C1001:1:write of C and answers 5000.
73. At 13s B gets its answer: 0. B sends DEL redisson_unlock_latch:{job}:B1004 to redis-1. B reports
    that it has released the lock. B waits for 2s.
74. At 13s C gets its answer: 5000. C does not get the lock: "tryLock: false".
75. At 13s redis-1 carries out the DEL redisson_unlock_latch:{job}:B1004 of B and answers 1. an
    answer to B arrives, but nobody waits for it any more.
76. At 14s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C1001:1:write to redis-1.
77. At 14s redis-1 carries out the EVAL script 1 job 6000 C1001:1:write of C and answers 4000.
78. At 14s C gets its answer: 4000. C does not get the lock: "tryLock: false". C is finished.
79. At 14s the run is over.

  why     A new client, C, tried for 11s after the last fault and was not granted the lock: the key
          that B wrote at 13s still stands and expires at 18s. (steps 71 and 79)
  code    algorithms/redisson_rw.cpp:149 sends EVAL script 5 job redisson_rwlock:{job}
          {job}:B1001:1:rwlock_timeout {job} redisson_unlock_latch:{job}:B1004 0 B1001:1 PUBLISH
          13500 (step 71)
  code    algorithms/redisson_rw.cpp:139 sends EVAL script 1 job 6000 C1001:1:write (step 79)
