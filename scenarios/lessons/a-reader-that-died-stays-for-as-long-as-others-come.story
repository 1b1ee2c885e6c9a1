✘ redismutex × crash: recovery is violated
  2 clients · ttl 4s · blocking no · 71 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
   script 2 job job:lock-intent A10001 4000 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job, to share it with other readers. B sends EVAL
   script 2 job job:lock-intent B10001 4000 to redis-1.
3. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent A10001 4000 of A and answers
   nil. A's command creates the key job with "set "A10001"", alive until 4s. A's command changes the
   expiry of the key job, its own; it is now alive until 4s.
4. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent B10001 4000 of B and answers
   nil. B's command overwrites the key job, with "set "A10001" "B10001"", alive until 4s. B's
   command changes the expiry of the key job, set by A; it is now alive until 4s.
5. At 0ms A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
   for 1s.
6. At 0ms B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
   for 1s.
7. At 0ms A crashes and forgets everything.
8. At 1s B begins to release the lock and no longer believes that it holds it. B sends EVAL script 1
   job B10001 to redis-1.
9. At 1s A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
   script 2 job job:lock-intent A10002 4000 to redis-1.
10. At 1s redis-1 carries out the EVAL script 1 job B10001 of B and answers 1. B's command
    overwrites the key job, its own, with "set "A10001"", alive until 4s.
11. At 1s redis-1 carries out the EVAL script 2 job job:lock-intent A10002 4000 of A and answers
    nil. A's command overwrites the key job, with "set "A10001" "A10002"", alive until 5s. A's
    command changes the expiry of the key job, its own; it is now alive until 5s.
12. At 1s B gets its answer: 1. B reports that it has released the lock. B waits for 1s.
13. At 1s A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
    for 1s.
14. At 2s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    job:lock-intent B10002 4000 to redis-1.
15. At 2s A begins to release the lock and no longer believes that it holds it. A sends EVAL script
    1 job A10002 to redis-1.
16. At 2s redis-1 carries out the EVAL script 2 job job:lock-intent B10002 4000 of B and answers
    nil. B's command overwrites the key job, with "set "A10001" "A10002" "B10002"", alive until 6s.
    B's command changes the expiry of the key job, set by A; it is now alive until 6s. B's command
    changes the expiry of the key job, set by A; it is now alive until 6s.
17. At 2s redis-1 carries out the EVAL script 1 job A10002 of A and answers 1. A's command
    overwrites the key job, its own, with "set "A10001" "B10002"", alive until 6s.
18. At 2s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
19. At 2s A gets its answer: 1. A reports that it has released the lock. A is finished.
20. At 2s the faults are over; a new client, C, now tries to get the lock within 5.5s. C starts. C
    tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10001 4000 0 to
    redis-1.
21. At 2s redis-1 carries out the EVAL script 2 job job:lock-intent C10001 4000 0 of C and answers
    4000.
22. At 2s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
23. At 2.5s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10002 4000 0
    to redis-1.
24. At 2.5s redis-1 carries out the EVAL script 2 job job:lock-intent C10002 4000 0 of C and answers
    3500.
25. At 2.5s C gets its answer: 3500. C does not get the lock: "redismutex: lock not obtained".
26. At 3s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B10002 to redis-1.
27. At 3s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10003 4000 0
    to redis-1.
28. At 3s redis-1 carries out the EVAL script 1 job B10002 of B and answers 1. B's command
    overwrites the key job, its own, with "set "A10001"", alive until 6s.
29. At 3s redis-1 carries out the EVAL script 2 job job:lock-intent C10003 4000 0 of C and answers
    3000.
30. At 3s B gets its answer: 1. B reports that it has released the lock. B waits for 1s.
31. At 3s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
32. At 3.5s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10004 4000 0
    to redis-1.
33. At 3.5s redis-1 carries out the EVAL script 2 job job:lock-intent C10004 4000 0 of C and answers
    2500.
34. At 3.5s C gets its answer: 2500. C does not get the lock: "redismutex: lock not obtained".
35. At 4s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    job:lock-intent B10003 4000 to redis-1.
36. At 4s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10005 4000 0
    to redis-1.
37. At 4s redis-1 carries out the EVAL script 2 job job:lock-intent B10003 4000 of B and answers
    nil. B's command overwrites the key job, with "set "A10001" "B10003"", alive until 8s. B's
    command changes the expiry of the key job, set by A; it is now alive until 8s.
38. At 4s redis-1 carries out the EVAL script 2 job job:lock-intent C10005 4000 0 of C and answers
    4000.
39. At 4s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
40. At 4s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
41. At 4.5s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10006 4000 0
    to redis-1.
42. At 4.5s redis-1 carries out the EVAL script 2 job job:lock-intent C10006 4000 0 of C and answers
    3500.
43. At 4.5s C gets its answer: 3500. C does not get the lock: "redismutex: lock not obtained".
44. At 5s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B10003 to redis-1.
45. At 5s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10007 4000 0
    to redis-1.
46. At 5s redis-1 carries out the EVAL script 1 job B10003 of B and answers 1. B's command
    overwrites the key job, its own, with "set "A10001"", alive until 8s.
47. At 5s redis-1 carries out the EVAL script 2 job job:lock-intent C10007 4000 0 of C and answers
    3000.
48. At 5s B gets its answer: 1. B reports that it has released the lock. B waits for 1s.
49. At 5s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
50. At 5.5s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10008 4000 0
    to redis-1.
51. At 5.5s redis-1 carries out the EVAL script 2 job job:lock-intent C10008 4000 0 of C and answers
    2500.
52. At 5.5s C gets its answer: 2500. C does not get the lock: "redismutex: lock not obtained".
53. At 6s B tries to acquire the lock job, to share it with other readers. B sends EVAL script 2 job
    job:lock-intent B10004 4000 to redis-1.
54. At 6s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10009 4000 0
    to redis-1.
55. At 6s redis-1 carries out the EVAL script 2 job job:lock-intent B10004 4000 of B and answers
    nil. B's command overwrites the key job, with "set "A10001" "B10004"", alive until 10s. B's
    command changes the expiry of the key job, set by A; it is now alive until 10s.
56. At 6s redis-1 carries out the EVAL script 2 job job:lock-intent C10009 4000 0 of C and answers
    4000.
57. At 6s B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
    for 1s.
58. At 6s C gets its answer: 4000. C does not get the lock: "redismutex: lock not obtained".
59. At 6.5s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10010 4000 0
    to redis-1.
60. At 6.5s redis-1 carries out the EVAL script 2 job job:lock-intent C10010 4000 0 of C and answers
    3500.
61. At 6.5s C gets its answer: 3500. C does not get the lock: "redismutex: lock not obtained".
62. At 7s B begins to release the lock and no longer believes that it holds it. B sends EVAL script
    1 job B10004 to redis-1.
63. At 7s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10011 4000 0
    to redis-1.
64. At 7s redis-1 carries out the EVAL script 1 job B10004 of B and answers 1. B's command
    overwrites the key job, its own, with "set "A10001"", alive until 10s.
65. At 7s redis-1 carries out the EVAL script 2 job job:lock-intent C10011 4000 0 of C and answers
    3000.
66. At 7s B gets its answer: 1. B reports that it has released the lock. B waits for 1s.
67. At 7s C gets its answer: 3000. C does not get the lock: "redismutex: lock not obtained".
68. At 7.5s C tries to acquire the lock job. C sends EVAL script 2 job job:lock-intent C10012 4000 0
    to redis-1.
69. At 7.5s redis-1 carries out the EVAL script 2 job job:lock-intent C10012 4000 0 of C and answers
    2500.
70. At 7.5s C gets its answer: 2500. C does not get the lock: "redismutex: lock not obtained". C is
    finished.
71. At 7.5s the run is over.

  why     A new client, C, tried for 5.5s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and expires at 10s. (steps 3 and 71)
  code    algorithms/redismutex.cpp:62 sends EVAL script 2 job job:lock-intent A10001 4000 (step 3)
