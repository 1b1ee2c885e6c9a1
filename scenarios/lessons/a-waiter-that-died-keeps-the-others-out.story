✘ redisson-fair × crash: recovery is violated
  2 clients · ttl 6s · blocking no · thread-wait-time 5m · 80 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 3 job
   redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000 A1001:1 300000 1700000000000 to
   redis-1.
3. At 0ms redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
   redisson_lock_timeout:{job} 6000 A1001:1 300000 1700000000000 of A and answers nil. A's command
   creates the key job with "hash "A1001:1" "1"", alive until 6s. A's command changes the expiry of
   the key job, its own; it is now alive until 6s.
4. At 0ms A gets its answer: nil. A believes that it holds the lock. A works under the lock for 2s.
5. At 1s B starts. B tries to acquire the lock job.
6. At 1s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
   B1001:1 300000 1700000001000 to redis-1.
7. At 1s B crashes and forgets everything.
8. At 1s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
   redisson_lock_timeout:{job} 6000 B1001:1 300000 1700000001000 of B and answers 5000. an answer to
   B arrives, but nobody waits for it any more.
9. At 2s A begins to release the lock and no longer believes that it holds it. A sends EVAL script 5
   job redisson_lock_queue:{job} redisson_lock_timeout:{job} redisson_lock__channel:{job}
   redisson_unlock_latch:{job}:A1002 0 6000 A1001:1 1700000002000 PUBLISH 13500 to redis-1.
10. At 2s B starts. B tries to acquire the lock job. B sends EVAL script 3 job
    redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000 B1002:1 300000 1700000002000 to
    redis-1.
11. At 2s redis-1 carries out the EVAL script 5 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} redisson_lock__channel:{job} redisson_unlock_latch:{job}:A1002 0
    6000 A1001:1 1700000002000 PUBLISH 13500 of A and answers 1. A's command overwrites the key job,
    its own, with "", without an expiry. A's command removes the key job, its own.
12. At 2s A gets its answer: 1. A sends DEL redisson_unlock_latch:{job}:A1002 to redis-1. A reports
    that it has released the lock. A is finished.
13. At 2s redis-1 carries out the DEL redisson_unlock_latch:{job}:A1002 of A and answers 1. an
    answer to A arrives, but nobody waits for it any more.
14. At 2s the faults are over; a new client, C, now tries to get the lock within 19s. redis-1
    carries out the EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B1002:1 300000 1700000002000 of B and answers 304000.
15. At 2s C starts. C tries to acquire the lock job. C sends EVAL script 3 job
    redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000002000 to
    redis-1.
16. At 2s B gets its answer: 304000. B sends SUBSCRIBE redisson_lock__channel:{job}:B1002:1 to
    redis-1.
17. At 2s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000002000 of C and answers 1.
18. At 2s redis-1 carries out the SUBSCRIBE redisson_lock__channel:{job}:B1002:1 of B and answers
    [subscribe redisson_lock__channel:{job}:B1002:1 1].
19. At 2s C gets its answer: 1. C does not get the lock: "tryLock: false".
20. At 2s B gets its answer: [subscribe redisson_lock__channel:{job}:B1002:1 1]. B sends EVAL script
    3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000 B1002:1 300000 1700000002000 to
    redis-1.
21. At 2s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B1002:1 300000 1700000002000 of B and answers 304000.
22. At 2s B gets its answer: 304000.
23. At 3s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000003000 to redis-1.
24. At 3s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000003000 of C and answers 1.
25. At 3s C gets its answer: 1. C does not get the lock: "tryLock: false".
26. At 4s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000004000 to redis-1.
27. At 4s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000004000 of C and answers 1.
28. At 4s C gets its answer: 1. C does not get the lock: "tryLock: false".
29. At 5s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000005000 to redis-1.
30. At 5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000005000 of C and answers 1.
31. At 5s C gets its answer: 1. C does not get the lock: "tryLock: false".
32. At 6s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000006000 to redis-1.
33. At 6s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000006000 of C and answers 1.
34. At 6s C gets its answer: 1. C does not get the lock: "tryLock: false".
35. At 7s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000007000 to redis-1.
36. At 7s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000007000 of C and answers 1.
37. At 7s C gets its answer: 1. C does not get the lock: "tryLock: false".
38. At 8s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000008000 to redis-1.
39. At 8s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000008000 of C and answers 1.
40. At 8s C gets its answer: 1. C does not get the lock: "tryLock: false".
41. At 9s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000009000 to redis-1.
42. At 9s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000009000 of C and answers 1.
43. At 9s C gets its answer: 1. C does not get the lock: "tryLock: false".
44. At 10s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000010000 to redis-1.
45. At 10s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000010000 of C and answers 1.
46. At 10s C gets its answer: 1. C does not get the lock: "tryLock: false".
47. At 11s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000011000 to redis-1.
48. At 11s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000011000 of C and answers 1.
49. At 11s C gets its answer: 1. C does not get the lock: "tryLock: false".
50. At 12s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000012000 to redis-1.
51. At 12s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000012000 of C and answers 1.
52. At 12s C gets its answer: 1. C does not get the lock: "tryLock: false".
53. At 13s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000013000 to redis-1.
54. At 13s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000013000 of C and answers 1.
55. At 13s C gets its answer: 1. C does not get the lock: "tryLock: false".
56. At 14s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000014000 to redis-1.
57. At 14s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000014000 of C and answers 1.
58. At 14s C gets its answer: 1. C does not get the lock: "tryLock: false".
59. At 15s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000015000 to redis-1.
60. At 15s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000015000 of C and answers 1.
61. At 15s C gets its answer: 1. C does not get the lock: "tryLock: false".
62. At 16s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000016000 to redis-1.
63. At 16s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000016000 of C and answers 1.
64. At 16s C gets its answer: 1. C does not get the lock: "tryLock: false".
65. At 17s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000017000 to redis-1.
66. At 17s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000017000 of C and answers 1.
67. At 17s C gets its answer: 1. C does not get the lock: "tryLock: false".
68. At 18s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000018000 to redis-1.
69. At 18s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000018000 of C and answers 1.
70. At 18s C gets its answer: 1. C does not get the lock: "tryLock: false".
71. At 19s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000019000 to redis-1.
72. At 19s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000019000 of C and answers 1.
73. At 19s C gets its answer: 1. C does not get the lock: "tryLock: false".
74. At 20s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000020000 to redis-1.
75. At 20s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000020000 of C and answers 1.
76. At 20s C gets its answer: 1. C does not get the lock: "tryLock: false".
77. At 21s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000021000 to redis-1.
78. At 21s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C1001:1 300000 1700000021000 of C and answers 1.
79. At 21s C gets its answer: 1. C does not get the lock: "tryLock: false". C is finished.
80. At 21s the run is over.

  why     A new client, C, tried for 19s after the last fault and was not granted the lock: although
          no key stands in its way. (steps 14 and 80)
  code    algorithms/redisson_fair.cpp:116 sends EVAL script 3 job redisson_lock_queue:{job}
          redisson_lock_timeout:{job} 6000 B1002:1 300000 1700000002000 (step 14)
