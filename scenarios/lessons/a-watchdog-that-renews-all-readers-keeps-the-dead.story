✘ redisson-rw × crash: recovery is violated
  2 clients · ttl 6s · blocking no · read-watchdog all · 74 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
   script 2 job {job}:A.1:1:rwlock_timeout 6000 A.1:1 A.1:1:write to redis-1.
2. At 0ms B starts. B tries to acquire the lock job, to share it with other readers. B sends EVAL
   script 2 job {job}:B.1:1:rwlock_timeout 6000 B.1:1 B.1:1:write to redis-1.
3. At 0ms redis-1 carries out the EVAL script 2 job {job}:A.1:1:rwlock_timeout 6000 A.1:1
   A.1:1:write of A and answers nil. A's command creates the key job with "hash "A.1:1" "1" "mode"
   "read"", alive until 6s. A's command overwrites the key job, its own, with "hash "A.1:1" "1"
   "mode" "read"", alive until 6s. A's command changes the expiry of the key job, its own; it is now
   alive until 6s.
4. At 0ms redis-1 carries out the EVAL script 2 job {job}:B.1:1:rwlock_timeout 6000 B.1:1
   B.1:1:write of B and answers nil. B's command overwrites the key job, with "hash "A.1:1" "1"
   "B.1:1" "1" "mode" "read"", alive until 6s. B's command changes the expiry of the key job, set by
   A; it is now alive until 6s.
5. At 0ms A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
   for 1s.
6. At 0ms A crashes and forgets everything.
7. At 0ms B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
   for 3s.
8. At 1s A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
   script 2 job {job}:A.2:1:rwlock_timeout 6000 A.2:1 A.2:1:write to redis-1.
9. At 1s redis-1 carries out the EVAL script 2 job {job}:A.2:1:rwlock_timeout 6000 A.2:1 A.2:1:write
   of A and answers nil. A's command overwrites the key job, with "hash "A.1:1" "1" "A.2:1" "1"
   "B.1:1" "1" "mode" "read"", alive until 7s. A's command changes the expiry of the key job, its
   own; it is now alive until 7s. A's command changes the expiry of the key job, set by B; it is now
   alive until 7s.
10. At 1s A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
    for 1s.
11. At 2s B sends EVAL script 2 job {job} 6000 B.1:1 all to redis-1.
12. At 2s A begins to release the lock and no longer believes that it holds it. A sends EVAL script
    5 job redisson_rwlock:{job} {job}:A.2:1:rwlock_timeout {job} redisson_unlock_latch:{job}:A10001
    0 A.2:1 PUBLISH 16000 to redis-1.
13. At 2s redis-1 carries out the EVAL script 2 job {job} 6000 B.1:1 all of B and answers 1. B's
    command changes the expiry of the key job, set by A; it is now alive until 8s. B's command
    changes the expiry of the key job, set by A; it is now alive until 8s.
14. At 2s redis-1 carries out the EVAL script 5 job redisson_rwlock:{job} {job}:A.2:1:rwlock_timeout
    {job} redisson_unlock_latch:{job}:A10001 0 A.2:1 PUBLISH 16000 of A and answers 0. A's command
    overwrites the key job, its own, with "hash "A.1:1" "1" "B.1:1" "1" "mode" "read"", alive until
    8s. A's command overwrites the key job, with "hash "A.1:1" "1" "B.1:1" "1" "mode" "read"", alive
    until 8s. A's command changes the expiry of the key job, its own; it is now alive until 8s. A's
    command changes the expiry of the key job, set by B; it is now alive until 8s.
15. At 2s B gets its answer: 1.
16. At 2s A gets its answer: 0. A sends DEL redisson_unlock_latch:{job}:A10001 to redis-1. A reports
    that it has released the lock. A is finished.
17. At 2s redis-1 carries out the DEL redisson_unlock_latch:{job}:A10001 of A and answers 1. an
    answer to A arrives, but A no longer waits for it.
18. At 2s the faults are over; a new client, C, now tries to get the lock within 11s. C starts. C
    tries to acquire the lock job. C sends EVAL script 1 job 6000 C.1:1:write to redis-1.
19. At 2s redis-1 carries out the EVAL script 1 job 6000 C.1:1:write of C and answers 6000.
20. At 2s C gets its answer: 6000. C does not get the lock: "tryLock: false".
21. At 3s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    5 job redisson_rwlock:{job} {job}:B.1:1:rwlock_timeout {job} redisson_unlock_latch:{job}:B10001
    0 B.1:1 PUBLISH 16000 to redis-1.
22. At 3s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C.1:1:write to redis-1.
23. At 3s redis-1 carries out the EVAL script 5 job redisson_rwlock:{job} {job}:B.1:1:rwlock_timeout
    {job} redisson_unlock_latch:{job}:B10001 0 B.1:1 PUBLISH 16000 of B and answers 0. B's command
    overwrites the key job, its own, with "hash "A.1:1" "1" "mode" "read"", alive until 8s. B's
    command overwrites the key job, with "hash "A.1:1" "1" "mode" "read"", alive until 8s. B's
    command changes the expiry of the key job, set by A; it is now alive until 8s.
24. At 3s redis-1 carries out the EVAL script 1 job 6000 C.1:1:write of C and answers 5000.
25. At 3s B gets its answer: 0. B sends DEL redisson_unlock_latch:{job}:B10001 to redis-1. B reports
    that it has released the lock. B waits for 2s.
26. At 3s C gets its answer: 5000. C does not get the lock: "tryLock: false".
27. At 3s redis-1 carries out the DEL redisson_unlock_latch:{job}:B10001 of B and answers 1. an
    answer to B arrives, but B no longer waits for it.
28. At 4s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C.1:1:write to redis-1.
29. At 4s redis-1 carries out the EVAL script 1 job 6000 C.1:1:write of C and answers 4000.
30. At 4s C gets its answer: 4000. C does not get the lock: "tryLock: false".
31. At 5s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    {job}:B.1:1:rwlock_timeout 6000 B.1:1 B.1:1:write to redis-1.
32. At 5s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C.1:1:write to redis-1.
33. At 5s redis-1 carries out the EVAL script 2 job {job}:B.1:1:rwlock_timeout 6000 B.1:1
    B.1:1:write of B and answers nil. B's command overwrites the key job, with "hash "A.1:1" "1"
    "B.1:1" "1" "mode" "read"", alive until 11s. B's command changes the expiry of the key job, set
    by A; it is now alive until 11s.
34. At 5s redis-1 carries out the EVAL script 1 job 6000 C.1:1:write of C and answers 6000.
35. At 5s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 3s.
36. At 5s C gets its answer: 6000. C does not get the lock: "tryLock: false".
37. At 6s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C.1:1:write to redis-1.
38. At 6s redis-1 carries out the EVAL script 1 job 6000 C.1:1:write of C and answers 5000.
39. At 6s C gets its answer: 5000. C does not get the lock: "tryLock: false".
40. At 7s B sends EVAL script 2 job {job} 6000 B.1:1 all to redis-1.
41. At 7s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C.1:1:write to redis-1.
42. At 7s redis-1 carries out the EVAL script 2 job {job} 6000 B.1:1 all of B and answers 1. B's
    command changes the expiry of the key job, set by A; it is now alive until 13s.
43. At 7s redis-1 carries out the EVAL script 1 job 6000 C.1:1:write of C and answers 6000.
44. At 7s B gets its answer: 1.
45. At 7s C gets its answer: 6000. C does not get the lock: "tryLock: false".
46. At 8s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    5 job redisson_rwlock:{job} {job}:B.1:1:rwlock_timeout {job} redisson_unlock_latch:{job}:B10002
    0 B.1:1 PUBLISH 16000 to redis-1.
47. At 8s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C.1:1:write to redis-1.
48. At 8s redis-1 carries out the EVAL script 5 job redisson_rwlock:{job} {job}:B.1:1:rwlock_timeout
    {job} redisson_unlock_latch:{job}:B10002 0 B.1:1 PUBLISH 16000 of B and answers 0. B's command
    overwrites the key job, its own, with "hash "A.1:1" "1" "mode" "read"", alive until 13s. B's
    command overwrites the key job, with "hash "A.1:1" "1" "mode" "read"", alive until 13s. B's
    command changes the expiry of the key job, set by A; it is now alive until 13s.
49. At 8s redis-1 carries out the EVAL script 1 job 6000 C.1:1:write of C and answers 5000.
50. At 8s B gets its answer: 0. B sends DEL redisson_unlock_latch:{job}:B10002 to redis-1. B reports
    that it has released the lock. B waits for 2s.
51. At 8s C gets its answer: 5000. C does not get the lock: "tryLock: false".
52. At 8s redis-1 carries out the DEL redisson_unlock_latch:{job}:B10002 of B and answers 1. an
    answer to B arrives, but B no longer waits for it.
53. At 9s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C.1:1:write to redis-1.
54. At 9s redis-1 carries out the EVAL script 1 job 6000 C.1:1:write of C and answers 4000.
55. At 9s C gets its answer: 4000. C does not get the lock: "tryLock: false".
56. At 10s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2
    job {job}:B.1:1:rwlock_timeout 6000 B.1:1 B.1:1:write to redis-1.
57. At 10s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C.1:1:write to redis-1.
58. At 10s redis-1 carries out the EVAL script 2 job {job}:B.1:1:rwlock_timeout 6000 B.1:1
    B.1:1:write of B and answers nil. B's command overwrites the key job, with "hash "A.1:1" "1"
    "B.1:1" "1" "mode" "read"", alive until 16s. B's command changes the expiry of the key job, set
    by A; it is now alive until 16s.
59. At 10s redis-1 carries out the EVAL script 1 job 6000 C.1:1:write of C and answers 6000.
60. At 10s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 3s.
61. At 10s C gets its answer: 6000. C does not get the lock: "tryLock: false".
62. At 11s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C.1:1:write to redis-1.
63. At 11s redis-1 carries out the EVAL script 1 job 6000 C.1:1:write of C and answers 5000.
64. At 11s C gets its answer: 5000. C does not get the lock: "tryLock: false".
65. At 12s B sends EVAL script 2 job {job} 6000 B.1:1 all to redis-1.
66. At 12s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C.1:1:write to redis-1.
67. At 12s redis-1 carries out the EVAL script 2 job {job} 6000 B.1:1 all of B and answers 1. B's
    command changes the expiry of the key job, set by A; it is now alive until 18s.
68. At 12s redis-1 carries out the EVAL script 1 job 6000 C.1:1:write of C and answers 6000.
69. At 12s B gets its answer: 1.
70. At 12s C gets its answer: 6000. C does not get the lock: "tryLock: false".
71. At 13s C tries to acquire the lock job. C sends EVAL script 1 job 6000 C.1:1:write to redis-1.
72. At 13s redis-1 carries out the EVAL script 1 job 6000 C.1:1:write of C and answers 5000.
73. At 13s C gets its answer: 5000. C does not get the lock: "tryLock: false". C is finished.
74. At 13s the run is over.

  why     A new client, C, tried for 11s after the last fault and was not granted the lock: the key
          that B wrote at 10s still stands and expires at 18s. (steps 58 and 74)
  code    algorithms/redisson_rw.cpp:150 sends EVAL script 2 job {job}:B.1:1:rwlock_timeout 6000
          B.1:1 B.1:1:write (step 58)
  code    algorithms/redisson_rw.cpp:153 sends EVAL script 1 job 6000 C.1:1:write (step 74)
