✘ redisson-fair × crash: recovery is violated
  2 clients · ttl 6s · blocking no · thread-wait-time 5m · 101 steps, and 5 in which only time
  passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 3 job
   redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000 A.1:1 300000 1700000000000 to redis-1.
2. At 500ms redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
   redisson_lock_timeout:{job} 6000 A.1:1 300000 1700000000000 of A and answers nil. A's command
   creates the key job with "hash "A.1:1" "1"", alive until 6.5s. A's command changes the expiry of
   the key job, its own; it is now alive until 6.5s.
3. At 1s B starts. B tries to acquire the lock job.
4. At 1s A gets its answer: nil. A believes that it holds the lock. A works under the lock for 2s.
5. At 1s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000 B.1:1
   300000 1700000001000 to redis-1.
6. At 1.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
   redisson_lock_timeout:{job} 6000 B.1:1 300000 1700000001000 of B and answers 5000.
7. At 2s B crashes and forgets everything.
8. At 3s A sends EVAL "extend if mine" 1 job 6000 A.1:1 to redis-1.
9. At 3s A begins to release the lock and no longer believes that it holds it. A sends EVAL script 5
   job redisson_lock_queue:{job} redisson_lock_timeout:{job} redisson_lock__channel:{job}
   redisson_unlock_latch:{job}:A10001 0 6000 A.1:1 1700000003000 PUBLISH 16000 to redis-1.
10. At 3.5s redis-1 carries out the EVAL "extend if mine" 1 job 6000 A.1:1 of A and answers 1. A's
    command changes the expiry of the key job, its own; it is now alive until 9.5s.
11. At 3.5s redis-1 carries out the EVAL script 5 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} redisson_lock__channel:{job} redisson_unlock_latch:{job}:A10001 0
    6000 A.1:1 1700000003000 PUBLISH 16000 of A and answers 1. A's command overwrites the key job,
    its own, with "", without an expiry. A's command removes the key job, its own.
12. At 4s B starts. B tries to acquire the lock job. B sends EVAL script 3 job
    redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000004000 to
    redis-1.
13. At 4s A gets its answer: 1. A sends DEL redisson_unlock_latch:{job}:A10001 to redis-1. A reports
    that it has released the lock. A is finished.
14. At 4.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000004000 of B and answers 302000.
15. At 4.5s redis-1 carries out the DEL redisson_unlock_latch:{job}:A10001 of A and answers 1. an
    answer to A arrives, but A no longer waits for it.
16. At 4.5s the faults are over; a new client, C, now tries to get the lock within 19s. C starts. C
    tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000004500 to redis-1.
17. At 5s B gets its answer: 302000. B sends SUBSCRIBE redisson_lock__channel:{job}:B.2:1 to
    redis-1.
18. At 5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000004500 of C and answers 1.
19. At 5.5s redis-1 carries out the SUBSCRIBE redisson_lock__channel:{job}:B.2:1 of B and answers
    [subscribe redisson_lock__channel:{job}:B.2:1 1].
20. At 5.5s C gets its answer: 1. C does not get the lock: "tryLock: false".
21. At 6s B gets its answer: [subscribe redisson_lock__channel:{job}:B.2:1 1]. B sends EVAL script 3
    job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000006000 to
    redis-1.
22. At 6.5s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000006500 to redis-1.
23. At 6.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000006000 of B and answers 0.
24. At 7s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000006500 of C and answers 1.
25. At 7s B gets its answer: 0.
26. At 7s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000 B.2:1
    300000 1700000007000 to redis-1.
27. At 7.5s C gets its answer: 1. C does not get the lock: "tryLock: false".
28. At 7.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000007000 of B and answers 0.
29. At 8s B gets its answer: 0.
30. At 8s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000 B.2:1
    300000 1700000008000 to redis-1.
31. At 8.5s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000008500 to redis-1.
32. At 8.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000008000 of B and answers 0.
33. At 9s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000008500 of C and answers 1.
34. At 9s B gets its answer: 0.
35. At 9s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000 B.2:1
    300000 1700000009000 to redis-1.
36. At 9.5s C gets its answer: 1. C does not get the lock: "tryLock: false".
37. At 9.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000009000 of B and answers 0.
38. At 10s B gets its answer: 0.
39. At 10s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000010000 to redis-1.
40. At 10.5s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000010500 to redis-1.
41. At 10.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000010000 of B and answers 0.
42. At 11s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000010500 of C and answers 1.
43. At 11s B gets its answer: 0.
44. At 11s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000011000 to redis-1.
45. At 11.5s C gets its answer: 1. C does not get the lock: "tryLock: false".
46. At 11.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000011000 of B and answers 0.
47. At 12s B gets its answer: 0.
48. At 12s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000012000 to redis-1.
49. At 12.5s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000012500 to redis-1.
50. At 12.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000012000 of B and answers 0.
51. At 13s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000012500 of C and answers 1.
52. At 13s B gets its answer: 0.
53. At 13s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000013000 to redis-1.
54. At 13.5s C gets its answer: 1. C does not get the lock: "tryLock: false".
55. At 13.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000013000 of B and answers 0.
56. At 14s B gets its answer: 0.
57. At 14s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000014000 to redis-1.
58. At 14.5s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000014500 to redis-1.
59. At 14.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000014000 of B and answers 0.
60. At 15s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000014500 of C and answers 1.
61. At 15s B gets its answer: 0.
62. At 15s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000015000 to redis-1.
63. At 15.5s C gets its answer: 1. C does not get the lock: "tryLock: false".
64. At 15.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000015000 of B and answers 0.
65. At 16s B gets its answer: 0.
66. At 16s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000016000 to redis-1.
67. At 16.5s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000016500 to redis-1.
68. At 16.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000016000 of B and answers 0.
69. At 17s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000016500 of C and answers 1.
70. At 17s B gets its answer: 0.
71. At 17s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000017000 to redis-1.
72. At 17.5s C gets its answer: 1. C does not get the lock: "tryLock: false".
73. At 17.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000017000 of B and answers 0.
74. At 18s B gets its answer: 0.
75. At 18s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000018000 to redis-1.
76. At 18.5s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000018500 to redis-1.
77. At 18.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000018000 of B and answers 0.
78. At 19s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000018500 of C and answers 1.
79. At 19s B gets its answer: 0.
80. At 19s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000019000 to redis-1.
81. At 19.5s C gets its answer: 1. C does not get the lock: "tryLock: false".
82. At 19.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000019000 of B and answers 0.
83. At 20s B gets its answer: 0.
84. At 20s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000020000 to redis-1.
85. At 20.5s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000020500 to redis-1.
86. At 20.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000020000 of B and answers 0.
87. At 21s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000020500 of C and answers 1.
88. At 21s B gets its answer: 0.
89. At 21s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000021000 to redis-1.
90. At 21.5s C gets its answer: 1. C does not get the lock: "tryLock: false".
91. At 21.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000021000 of B and answers 0.
92. At 22s B gets its answer: 0.
93. At 22s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000022000 to redis-1.
94. At 22.5s C tries to acquire the lock job. C sends EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000022500 to redis-1.
95. At 22.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000022000 of B and answers 0.
96. At 23s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
    redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000022500 of C and answers 1.
97. At 23s B gets its answer: 0.
98. At 23s B sends EVAL script 3 job redisson_lock_queue:{job} redisson_lock_timeout:{job} 6000
    B.2:1 300000 1700000023000 to redis-1.
99. At 23.5s C gets its answer: 1. C does not get the lock: "tryLock: false".
100. At 23.5s redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
     redisson_lock_timeout:{job} 6000 B.2:1 300000 1700000023000 of B and answers 0.
101. At 23.5s the run is over.

  why     A new client, C, tried for 19s after the last fault and was not granted the lock: although
          no key stands in its way. (steps 16 and 101)
  code    algorithms/redisson_fair.cpp:131 sends EVAL script 3 job redisson_lock_queue:{job}
          redisson_lock_timeout:{job} 6000 C.1:1 300000 1700000004500 (step 16)
