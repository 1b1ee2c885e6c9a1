✘ redismutex × none: recovery is violated
  4 clients · ttl 12s · intent yes · 43 steps, and 1 in which only time passes

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
10. At 1.004s the faults are over; a new client, E, now tries to get the lock within 15s. E starts.
    E tries to acquire the lock job. E sends EVAL script 2 job job:lock-intent E10001 12000 1 to
    redis-1.
11. At 1.005s redis-1 carries out the EVAL script 2 job job:lock-intent E10001 12000 1 of E and
    answers 10996.
12. At 1.006s E gets its answer: 10996.
13. At 4.002s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10001 to redis-1.
14. At 4.003s redis-1 carries out the EVAL script 1 job B10001 of B and answers 0. B's command
    removes the key job, its own.
15. At 4.004s B gets its answer: 0. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10002 12000
    to redis-1.
16. At 4.005s redis-1 carries out the EVAL script 2 job job:lock-intent B10002 12000 of B and
    answers 9000.
17. At 4.006s B gets its answer: 9000.
18. At 4.5s D starts. D tries to acquire the lock job. D sends EVAL script 2 job job:lock-intent
    D10001 12000 1 to redis-1.
19. At 4.501s redis-1 carries out the EVAL script 2 job job:lock-intent D10001 12000 1 of D and
    answers nil. D's command creates the key job with "D10001", alive until 16.501s.
20. At 4.502s D gets its answer: nil. D believes that it holds the lock. D works under the lock for
    1s.
21. At 5.502s D begins to release the lock and no longer believes that it holds it. D sends EVAL
    script 1 job D10001 to redis-1.
22. At 5.503s redis-1 carries out the EVAL script 1 job D10001 of D and answers 1. D's command
    removes the key job, its own.
23. At 5.504s D gets its answer: 1. D reports that it has released the lock. D waits for 60s.
24. At 6s C starts. C tries to acquire the lock job, to share it with other readers. C sends EVAL
    script 2 job job:lock-intent C10001 12000 to redis-1.
25. At 6.001s redis-1 carries out the EVAL script 2 job job:lock-intent C10001 12000 of C and
    answers nil. C's command creates the key job with "set "C10001"", alive until 18.001s. C's
    command changes the expiry of the key job, its own; it is now alive until 18.001s.
26. At 6.002s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
27. At 10.002s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C10001 to redis-1.
28. At 10.003s redis-1 carries out the EVAL script 1 job C10001 of C and answers 0. C's command
    removes the key job, its own.
29. At 10.004s C gets its answer: 0. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10002 12000
    to redis-1.
30. At 10.005s redis-1 carries out the EVAL script 2 job job:lock-intent C10002 12000 of C and
    answers nil. C's command creates the key job with "set "C10002"", alive until 22.005s. C's
    command changes the expiry of the key job, its own; it is now alive until 22.005s.
31. At 10.006s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
32. At 12.002s E sends EVAL script 2 job job:lock-intent E10002 12000 1 to redis-1.
33. At 12.003s redis-1 carries out the EVAL script 2 job job:lock-intent E10002 12000 1 of E and
    answers 10002.
34. At 12.004s E gets its answer: 10002.
35. At 13.006s B sends EVAL script 2 job job:lock-intent B10003 12000 to redis-1.
36. At 13.007s redis-1 carries out the EVAL script 2 job job:lock-intent B10003 12000 of B and
    answers 10996.
37. At 13.008s B gets its answer: 10996.
38. At 14.006s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C10002 to redis-1.
39. At 14.007s redis-1 carries out the EVAL script 1 job C10002 of C and answers 0. C's command
    removes the key job, its own.
40. At 14.008s C gets its answer: 0. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10003 12000
    to redis-1.
41. At 14.009s redis-1 carries out the EVAL script 2 job job:lock-intent C10003 12000 of C and
    answers 9994.
42. At 14.01s C gets its answer: 9994.
43. At 14.01s the run is over.

  why     A new client, E, tried for 13.006s after the last fault and was not granted the lock:
          although no key stands in its way. (steps 10 and 43)
  code    algorithms/redismutex.cpp:62 sends EVAL script 2 job job:lock-intent E10001 12000 1 (step
          10)
