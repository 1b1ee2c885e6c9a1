✘ redismutex × crash: recovery is violated
  2 clients · ttl 4s · blocking no · 83 steps

2. At 0ms A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
   script 2 job job:lock-intent A1001 4000 to redis-1.
3. At 0ms B starts. B tries to acquire the lock job, to share it with other readers. B sends EVAL
   script 2 job job:lock-intent B1001 4000 to redis-1.
4. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent A1001 4000 of A and answers nil.
   A's command creates the key job with "set "A1001"", alive until 4s. A's command changes the
   expiry of the key job, its own; it is now alive until 4s.
5. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent B1001 4000 of B and answers nil.
   B's command overwrites the key job, set by A, with "set "A1001" "B1001"", alive until 4s. B's
   command changes the expiry of the key job, its own; it is now alive until 4s.
6. At 0ms A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
   for 1s.
7. At 0ms B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
   for 1s.
9. At 1s A begins to release the lock and no longer believes that it holds it. A sends EVAL script 1
   job A1001 to redis-1.
10. At 1s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B1001 to redis-1.
11. At 1s redis-1 carries out the EVAL script 1 job A1001 of A and answers 1. A's command overwrites
    the key job, set by B, with "set "B1001"", alive until 4s.
12. At 1s A gets its answer: 1. A reports that it has released the lock. A is finished.
13. At 1s the faults are over; a new client, C, now tries to get the lock within 11s. C starts. C
    tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1001 4000 0 to
    redis-1.
14. At 1s redis-1 carries out the EVAL script 2 job job:lock-intent C1001 4000 0 of C and answers
    3000.
15. At 1s redis-1 carries out the EVAL script 1 job B1001 of B and answers 0. B's command removes
    the key job, set by A.
16. At 1s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
17. At 1s B gets its answer: 0. B cannot tell whether it has released the lock. B waits for 1s.
18. At 2s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1002 4000 0 to
    redis-1.
19. At 2s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    job:lock-intent B1002 4000 to redis-1.
20. At 2s redis-1 carries out the EVAL script 2 job job:lock-intent B1002 4000 of B and answers nil.
    B's command creates the key job with "set "B1002"", alive until 6s. B's command changes the
    expiry of the key job, its own; it is now alive until 6s.
21. At 2s redis-1 carries out the EVAL script 2 job job:lock-intent C1002 4000 0 of C and answers
    4000.
22. At 2s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
23. At 2s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
24. At 3s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B1002 to redis-1.
25. At 3s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1003 4000 0 to
    redis-1.
26. At 3s redis-1 carries out the EVAL script 2 job job:lock-intent C1003 4000 0 of C and answers
    3000.
27. At 3s redis-1 carries out the EVAL script 1 job B1002 of B and answers 0. B's command removes
    the key job, its own.
28. At 3s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
29. At 3s B gets its answer: 0. B cannot tell whether it has released the lock. B waits for 1s.
30. At 4s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1004 4000 0 to
    redis-1.
31. At 4s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    job:lock-intent B1003 4000 to redis-1.
32. At 4s redis-1 carries out the EVAL script 2 job job:lock-intent B1003 4000 of B and answers nil.
    B's command creates the key job with "set "B1003"", alive until 8s. B's command changes the
    expiry of the key job, its own; it is now alive until 8s.
33. At 4s redis-1 carries out the EVAL script 2 job job:lock-intent C1004 4000 0 of C and answers
    4000.
34. At 4s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
35. At 4s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
36. At 5s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B1003 to redis-1.
37. At 5s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1005 4000 0 to
    redis-1.
38. At 5s redis-1 carries out the EVAL script 2 job job:lock-intent C1005 4000 0 of C and answers
    3000.
39. At 5s redis-1 carries out the EVAL script 1 job B1003 of B and answers 0. B's command removes
    the key job, its own.
40. At 5s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
41. At 5s B gets its answer: 0. B cannot tell whether it has released the lock. B waits for 1s.
42. At 6s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1006 4000 0 to
    redis-1.
43. At 6s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    job:lock-intent B1004 4000 to redis-1.
44. At 6s redis-1 carries out the EVAL script 2 job job:lock-intent B1004 4000 of B and answers nil.
    B's command creates the key job with "set "B1004"", alive until 10s. B's command changes the
    expiry of the key job, its own; it is now alive until 10s.
45. At 6s redis-1 carries out the EVAL script 2 job job:lock-intent C1006 4000 0 of C and answers
    4000.
46. At 6s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
47. At 6s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
48. At 7s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B1004 to redis-1.
49. At 7s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1007 4000 0 to
    redis-1.
50. At 7s redis-1 carries out the EVAL script 2 job job:lock-intent C1007 4000 0 of C and answers
    3000.
51. At 7s redis-1 carries out the EVAL script 1 job B1004 of B and answers 0. B's command removes
    the key job, its own.
52. At 7s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
53. At 7s B gets its answer: 0. B cannot tell whether it has released the lock. B waits for 1s.
54. At 8s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1008 4000 0 to
    redis-1.
55. At 8s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    job:lock-intent B1005 4000 to redis-1.
56. At 8s redis-1 carries out the EVAL script 2 job job:lock-intent B1005 4000 of B and answers nil.
    B's command creates the key job with "set "B1005"", alive until 12s. B's command changes the
    expiry of the key job, its own; it is now alive until 12s.
57. At 8s redis-1 carries out the EVAL script 2 job job:lock-intent C1008 4000 0 of C and answers
    4000.
58. At 8s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
59. At 8s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
60. At 9s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B1005 to redis-1.
61. At 9s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1009 4000 0 to
    redis-1.
62. At 9s redis-1 carries out the EVAL script 2 job job:lock-intent C1009 4000 0 of C and answers
    3000.
63. At 9s redis-1 carries out the EVAL script 1 job B1005 of B and answers 0. B's command removes
    the key job, its own.
64. At 9s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
65. At 9s B gets its answer: 0. B cannot tell whether it has released the lock. B waits for 1s.
66. At 10s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1010 4000 0
    to redis-1.
67. At 10s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2
    job job:lock-intent B1006 4000 to redis-1.
68. At 10s redis-1 carries out the EVAL script 2 job job:lock-intent B1006 4000 of B and answers
    nil. B's command creates the key job with "set "B1006"", alive until 14s. B's command changes
    the expiry of the key job, its own; it is now alive until 14s.
69. At 10s redis-1 carries out the EVAL script 2 job job:lock-intent C1010 4000 0 of C and answers
    4000.
70. At 10s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
71. At 10s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
72. At 11s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B1006 to redis-1.
73. At 11s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1011 4000 0
    to redis-1.
74. At 11s redis-1 carries out the EVAL script 2 job job:lock-intent C1011 4000 0 of C and answers
    3000.
75. At 11s redis-1 carries out the EVAL script 1 job B1006 of B and answers 0. B's command removes
    the key job, its own.
76. At 11s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
77. At 11s B gets its answer: 0. B cannot tell whether it has released the lock. B waits for 1s.
78. At 12s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C1012 4000 0
    to redis-1.
79. At 12s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2
    job job:lock-intent B1007 4000 to redis-1.
80. At 12s redis-1 carries out the EVAL script 2 job job:lock-intent B1007 4000 of B and answers
    nil. B's command creates the key job with "set "B1007"", alive until 16s. B's command changes
    the expiry of the key job, its own; it is now alive until 16s.
81. At 12s redis-1 carries out the EVAL script 2 job job:lock-intent C1012 4000 0 of C and answers
    4000.
82. At 12s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained". C is
    finished.
83. At 12s the run is over.

  why     A new client, C, tried for 11s after the last fault and was not granted the lock: the key
          that B wrote at 12s still stands and expires at 16s. (steps 80 and 83)
  code    algorithms/redismutex.cpp:56 sends EVAL script 2 job job:lock-intent B1007 4000 (step 80)
