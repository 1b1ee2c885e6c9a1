✘ redismutex × crash: recovery is violated
  2 clients · ttl 4s · blocking no · 93 steps

2. At 0ms A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
   script 2 job job:lock-intent A1 4000 to redis-1.
3. At 0ms B starts. B tries to acquire the lock job, to share it with other readers. B sends EVAL
   script 2 job job:lock-intent B1 4000 to redis-1.
4. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent A1 4000 of A and answers nil.
   A's command creates the key job with "set "A1"", alive until 4s. A's command changes the expiry
   of the key job, its own; it is now alive until 4s.
5. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent B1 4000 of B and answers nil.
   B's command overwrites the key job, set by A, with "set "A1" "B1"", alive until 4s. B's command
   changes the expiry of the key job, its own; it is now alive until 4s.
6. At 0ms A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
   for 1s.
7. At 0ms B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
   for 1s.
8. At 1s A crashes and forgets everything.
9. At 1s B begins to release the lock and no longer believes that it holds it. B sends EVAL script 1
   job B1 to redis-1.
10. At 1s redis-1 carries out the EVAL script 1 job B1 of B and answers 1. B's command overwrites
    the key job, its own, with "set "A1"", alive until 4s.
11. At 1s B gets its answer: 1. B reports that it has released the lock. B waits for 1s.
12. At 2s A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
    script 2 job job:lock-intent A2 4000 to redis-1.
13. At 2s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    job:lock-intent B2 4000 to redis-1.
14. At 2s redis-1 carries out the EVAL script 2 job job:lock-intent A2 4000 of A and answers nil.
    A's command overwrites the key job, set by B, with "set "A1" "A2"", alive until 6s. A's command
    changes the expiry of the key job, its own; it is now alive until 6s.
15. At 2s redis-1 carries out the EVAL script 2 job job:lock-intent B2 4000 of B and answers nil.
    B's command overwrites the key job, set by A, with "set "A1" "A2" "B2"", alive until 6s. B's
    command changes the expiry of the key job, its own; it is now alive until 6s.
16. At 2s A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
    for 1s.
17. At 2s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
18. At 3s A begins to release the lock and no longer believes that it holds it. A sends EVAL script
    1 job A2 to redis-1.
19. At 3s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B2 to redis-1.
20. At 3s redis-1 carries out the EVAL script 1 job A2 of A and answers 1. A's command overwrites
    the key job, set by B, with "set "A1" "B2"", alive until 6s.
21. At 3s redis-1 carries out the EVAL script 1 job B2 of B and answers 1. B's command overwrites
    the key job, set by A, with "set "A1"", alive until 6s.
22. At 3s A gets its answer: 1. A reports that it has released the lock. A is finished.
23. At 3s the faults are over; a new client, C, now tries to get the lock within 11s. B gets its
    answer: 1. B reports that it has released the lock. B waits for 1s.
24. At 3s C starts. C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1
    4000 0 to redis-1.
25. At 3s redis-1 carries out the EVAL script 2 job job:lock-intent C1 4000 0 of C and answers 3000.
26. At 3s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
27. At 4s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    job:lock-intent B3 4000 to redis-1.
28. At 4s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C2 4000 0 to
    redis-1.
29. At 4s redis-1 carries out the EVAL script 2 job job:lock-intent B3 4000 of B and answers nil.
    B's command overwrites the key job, its own, with "set "A1" "B3"", alive until 8s. B's command
    changes the expiry of the key job, its own; it is now alive until 8s.
30. At 4s redis-1 carries out the EVAL script 2 job job:lock-intent C2 4000 0 of C and answers 4000.
31. At 4s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
32. At 4s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
33. At 5s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B3 to redis-1.
34. At 5s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C3 4000 0 to
    redis-1.
35. At 5s redis-1 carries out the EVAL script 1 job B3 of B and answers 1. B's command overwrites
    the key job, its own, with "set "A1"", alive until 8s.
36. At 5s redis-1 carries out the EVAL script 2 job job:lock-intent C3 4000 0 of C and answers 3000.
37. At 5s B gets its answer: 1. B reports that it has released the lock. B waits for 1s.
38. At 5s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
39. At 6s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    job:lock-intent B4 4000 to redis-1.
40. At 6s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C4 4000 0 to
    redis-1.
41. At 6s redis-1 carries out the EVAL script 2 job job:lock-intent B4 4000 of B and answers nil.
    B's command overwrites the key job, its own, with "set "A1" "B4"", alive until 10s. B's command
    changes the expiry of the key job, its own; it is now alive until 10s.
42. At 6s redis-1 carries out the EVAL script 2 job job:lock-intent C4 4000 0 of C and answers 4000.
43. At 6s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
44. At 6s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
45. At 7s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B4 to redis-1.
46. At 7s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C5 4000 0 to
    redis-1.
47. At 7s redis-1 carries out the EVAL script 1 job B4 of B and answers 1. B's command overwrites
    the key job, its own, with "set "A1"", alive until 10s.
48. At 7s redis-1 carries out the EVAL script 2 job job:lock-intent C5 4000 0 of C and answers 3000.
49. At 7s B gets its answer: 1. B reports that it has released the lock. B waits for 1s.
50. At 7s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
51. At 8s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    job:lock-intent B5 4000 to redis-1.
52. At 8s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C6 4000 0 to
    redis-1.
53. At 8s redis-1 carries out the EVAL script 2 job job:lock-intent B5 4000 of B and answers nil.
    B's command overwrites the key job, its own, with "set "A1" "B5"", alive until 12s. B's command
    changes the expiry of the key job, its own; it is now alive until 12s.
54. At 8s redis-1 carries out the EVAL script 2 job job:lock-intent C6 4000 0 of C and answers 4000.
55. At 8s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
56. At 8s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
57. At 9s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B5 to redis-1.
58. At 9s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C7 4000 0 to
    redis-1.
59. At 9s redis-1 carries out the EVAL script 1 job B5 of B and answers 1. B's command overwrites
    the key job, its own, with "set "A1"", alive until 12s.
60. At 9s redis-1 carries out the EVAL script 2 job job:lock-intent C7 4000 0 of C and answers 3000.
61. At 9s B gets its answer: 1. B reports that it has released the lock. B waits for 1s.
62. At 9s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
63. At 10s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2
    job job:lock-intent B6 4000 to redis-1.
64. At 10s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C8 4000 0 to
    redis-1.
65. At 10s redis-1 carries out the EVAL script 2 job job:lock-intent B6 4000 of B and answers nil.
    B's command overwrites the key job, its own, with "set "A1" "B6"", alive until 14s. B's command
    changes the expiry of the key job, its own; it is now alive until 14s.
66. At 10s redis-1 carries out the EVAL script 2 job job:lock-intent C8 4000 0 of C and answers
    4000.
67. At 10s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
68. At 10s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
69. At 11s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B6 to redis-1.
70. At 11s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C9 4000 0 to
    redis-1.
71. At 11s redis-1 carries out the EVAL script 1 job B6 of B and answers 1. B's command overwrites
    the key job, its own, with "set "A1"", alive until 14s.
72. At 11s redis-1 carries out the EVAL script 2 job job:lock-intent C9 4000 0 of C and answers
    3000.
73. At 11s B gets its answer: 1. B reports that it has released the lock. B waits for 1s.
74. At 11s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
75. At 12s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2
    job job:lock-intent B7 4000 to redis-1.
76. At 12s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10 4000 0 to
    redis-1.
77. At 12s redis-1 carries out the EVAL script 2 job job:lock-intent B7 4000 of B and answers nil.
    B's command overwrites the key job, its own, with "set "A1" "B7"", alive until 16s. B's command
    changes the expiry of the key job, its own; it is now alive until 16s.
78. At 12s redis-1 carries out the EVAL script 2 job job:lock-intent C10 4000 0 of C and answers
    4000.
79. At 12s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
80. At 12s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
81. At 13s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B7 to redis-1.
82. At 13s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C11 4000 0 to
    redis-1.
83. At 13s redis-1 carries out the EVAL script 1 job B7 of B and answers 1. B's command overwrites
    the key job, its own, with "set "A1"", alive until 16s.
84. At 13s redis-1 carries out the EVAL script 2 job job:lock-intent C11 4000 0 of C and answers
    3000.
85. At 13s B gets its answer: 1. B reports that it has released the lock. B waits for 1s.
86. At 13s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
87. At 14s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2
    job job:lock-intent B8 4000 to redis-1.
88. At 14s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C12 4000 0 to
    redis-1.
89. At 14s redis-1 carries out the EVAL script 2 job job:lock-intent B8 4000 of B and answers nil.
    B's command overwrites the key job, its own, with "set "A1" "B8"", alive until 18s. B's command
    changes the expiry of the key job, its own; it is now alive until 18s.
90. At 14s redis-1 carries out the EVAL script 2 job job:lock-intent C12 4000 0 of C and answers
    4000.
91. At 14s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
92. At 14s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained". C is
    finished.
93. At 14s the run is over.

  why     A new client, C, tried for 11s after the last fault and was not granted the lock: the key
          that B wrote at 14s still stands and expires at 18s. (steps 89 and 93)
  code    algorithms/redismutex.cpp:56 sends EVAL script 2 job job:lock-intent B8 4000 (step 89)
