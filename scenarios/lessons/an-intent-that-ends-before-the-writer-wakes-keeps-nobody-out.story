✘ redismutex × none: recovery is violated
  3 clients · ttl 4s · intent yes · 66 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
   script 2 job job:lock-intent A10001 12000 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job, to share it with other readers. B sends EVAL
   script 2 job job:lock-intent B10001 12000 to redis-1.
3. At 1ms redis-1 carries out the EVAL script 2 job job:lock-intent A10001 12000 of A and answers
   nil. A's command creates the key job with "set "A10001"", alive until 12.001s. A's command
   changes the expiry of the key job, its own; it is now alive until 12.001s.
4. At 1ms redis-1 carries out the EVAL script 2 job job:lock-intent B10001 12000 of B and answers
   nil. B's command overwrites the key job, with "set "A10001" "B10001"", alive until 12.001s. B's
   command changes the expiry of the key job, set by A; it is now alive until 12.001s.
5. At 2ms A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
   for 1s.
6. At 2ms B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
   for 4s.
7. At 1.002s A begins to release the lock and no longer believes that it holds it. A sends EVAL
   script 1 job A10001 to redis-1.
8. At 1.003s redis-1 carries out the EVAL script 1 job A10001 of A and answers 1. A's command
   overwrites the key job, its own, with "set "B10001"", alive until 12.001s.
9. At 1.004s A gets its answer: 1. A reports that it has released the lock. A is finished.
10. At 1.004s the faults are over; a new client, D, now tries to get the lock within 20s. D starts.
    D tries to acquire the lock job. D sends EVAL script 2 job job:lock-intent D10001 4000 1 to
    redis-1.
11. At 1.005s redis-1 carries out the EVAL script 2 job job:lock-intent D10001 4000 1 of D and
    answers 10996.
12. At 1.006s D gets its answer: 10996.
13. At 2s C starts. C tries to acquire the lock job, to share it with other readers. C sends EVAL
    script 2 job job:lock-intent C10001 12000 to redis-1.
14. At 2.001s redis-1 carries out the EVAL script 2 job job:lock-intent C10001 12000 of C and
    answers 3004.
15. At 2.002s C gets its answer: 3004.
16. At 4.002s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10001 to redis-1.
17. At 4.003s redis-1 carries out the EVAL script 1 job B10001 of B and answers 0. B's command
    removes the key job, its own.
18. At 4.004s B gets its answer: 0. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10002 12000
    to redis-1.
19. At 4.005s redis-1 carries out the EVAL script 2 job job:lock-intent B10002 12000 of B and
    answers 1000.
20. At 4.006s B gets its answer: 1000.
21. At 5.006s C sends EVAL script 2 job job:lock-intent C10002 12000 to redis-1.
22. At 5.006s B sends EVAL script 2 job job:lock-intent B10003 12000 to redis-1.
23. At 5.007s redis-1 carries out the EVAL script 2 job job:lock-intent C10002 12000 of C and
    answers nil. C's command creates the key job with "set "C10002"", alive until 17.007s. C's
    command changes the expiry of the key job, its own; it is now alive until 17.007s.
24. At 5.007s redis-1 carries out the EVAL script 2 job job:lock-intent B10003 12000 of B and
    answers nil. B's command overwrites the key job, with "set "B10003" "C10002"", alive until
    17.007s. B's command changes the expiry of the key job, set by C; it is now alive until 17.007s.
25. At 5.008s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
26. At 5.008s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
27. At 9.008s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C10002 to redis-1.
28. At 9.008s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10003 to redis-1.
29. At 9.009s redis-1 carries out the EVAL script 1 job C10002 of C and answers 1. C's command
    overwrites the key job, its own, with "set "B10003"", alive until 17.007s.
30. At 9.009s redis-1 carries out the EVAL script 1 job B10003 of B and answers 0. B's command
    removes the key job, its own.
31. At 9.01s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10003 12000
    to redis-1.
32. At 9.01s B gets its answer: 0. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10004 12000
    to redis-1.
33. At 9.011s redis-1 carries out the EVAL script 2 job job:lock-intent C10003 12000 of C and
    answers nil. C's command creates the key job with "set "C10003"", alive until 21.011s. C's
    command changes the expiry of the key job, its own; it is now alive until 21.011s.
34. At 9.011s redis-1 carries out the EVAL script 2 job job:lock-intent B10004 12000 of B and
    answers nil. B's command overwrites the key job, with "set "B10004" "C10003"", alive until
    21.011s. B's command changes the expiry of the key job, set by C; it is now alive until 21.011s.
35. At 9.012s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
36. At 9.012s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
37. At 12.002s D sends EVAL script 2 job job:lock-intent D10002 4000 1 to redis-1.
38. At 12.003s redis-1 carries out the EVAL script 2 job job:lock-intent D10002 4000 1 of D and
    answers 9008.
39. At 12.004s D gets its answer: 9008.
40. At 13.012s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C10003 to redis-1.
41. At 13.012s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10004 to redis-1.
42. At 13.013s redis-1 carries out the EVAL script 1 job C10003 of C and answers 1. C's command
    overwrites the key job, its own, with "set "B10004"", alive until 21.011s.
43. At 13.013s redis-1 carries out the EVAL script 1 job B10004 of B and answers 0. B's command
    removes the key job, its own.
44. At 13.014s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10004 12000
    to redis-1.
45. At 13.014s B gets its answer: 0. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10005 12000
    to redis-1.
46. At 13.015s redis-1 carries out the EVAL script 2 job job:lock-intent C10004 12000 of C and
    answers 2988.
47. At 13.015s redis-1 carries out the EVAL script 2 job job:lock-intent B10005 12000 of B and
    answers 2988.
48. At 13.016s C gets its answer: 2988.
49. At 13.016s B gets its answer: 2988.
50. At 16.004s C sends EVAL script 2 job job:lock-intent C10005 12000 to redis-1.
51. At 16.004s B sends EVAL script 2 job job:lock-intent B10006 12000 to redis-1.
52. At 16.005s redis-1 carries out the EVAL script 2 job job:lock-intent C10005 12000 of C and
    answers nil. C's command creates the key job with "set "C10005"", alive until 28.005s. C's
    command changes the expiry of the key job, its own; it is now alive until 28.005s.
53. At 16.005s redis-1 carries out the EVAL script 2 job job:lock-intent B10006 12000 of B and
    answers nil. B's command overwrites the key job, with "set "B10006" "C10005"", alive until
    28.005s. B's command changes the expiry of the key job, set by C; it is now alive until 28.005s.
54. At 16.006s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
55. At 16.006s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
56. At 20.006s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C10005 to redis-1.
57. At 20.006s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10006 to redis-1.
58. At 20.007s redis-1 carries out the EVAL script 1 job C10005 of C and answers 1. C's command
    overwrites the key job, its own, with "set "B10006"", alive until 28.005s.
59. At 20.007s redis-1 carries out the EVAL script 1 job B10006 of B and answers 0. B's command
    removes the key job, its own.
60. At 20.008s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10006 12000
    to redis-1.
61. At 20.008s B gets its answer: 0. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10007 12000
    to redis-1.
62. At 20.009s redis-1 carries out the EVAL script 2 job job:lock-intent C10006 12000 of C and
    answers nil. C's command creates the key job with "set "C10006"", alive until 32.009s. C's
    command changes the expiry of the key job, its own; it is now alive until 32.009s.
63. At 20.009s redis-1 carries out the EVAL script 2 job job:lock-intent B10007 12000 of B and
    answers nil. B's command overwrites the key job, with "set "B10007" "C10006"", alive until
    32.009s. B's command changes the expiry of the key job, set by C; it is now alive until 32.009s.
64. At 20.01s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
65. At 20.01s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
66. At 20.01s the run is over.

  why     A new client, D, tried for 19.006s after the last fault and was not granted the lock: the
          key that B wrote at 20.009s still stands and expires at 32.009s. (steps 63 and 66)
  code    algorithms/redismutex.cpp:62 sends EVAL script 2 job job:lock-intent B10007 12000 (step
          63)
