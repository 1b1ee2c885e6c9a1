✘ redlock × none: availability is violated
  1 client · ttl 2s · nodes 3 · blocking no · 57 steps

1. At 0ms no messages pass between A and redis-1 until the end.
2. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 2000 NX to redis-1. The
   SET job A1 PX 2000 NX of A is lost between them.
3. At 3s A stops waiting for the answer to SET job A1 PX 2000 NX. A sends SET job A1 PX 2000 NX to
   redis-2.
4. At 3s redis-2 carries out the SET job A1 PX 2000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 5s.
5. At 3s A gets its answer: OK. A sends SET job A1 PX 2000 NX to redis-3.
6. At 3s redis-3 carries out the SET job A1 PX 2000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 5s.
7. At 3s A gets its answer: OK. A sends EVAL "delete if mine" 1 job A1 to redis-1. The EVAL "delete
   if mine" 1 job A1 of A is lost between them.
8. At 5.001s the key job, set by A, expires. The key job, set by A, expires. A stops waiting for the
   answer to EVAL "delete if mine" 1 job A1. A sends EVAL "delete if mine" 1 job A1 to redis-2.
9. At 6s redis-2 carries out the EVAL "delete if mine" 1 job A1 of A and answers 0.
10. At 6s A gets its answer: 0. A sends EVAL "delete if mine" 1 job A1 to redis-3.
11. At 6s redis-3 carries out the EVAL "delete if mine" 1 job A1 of A and answers 0.
12. At 6s A gets its answer: 0. A does not get the lock: "no majority in time".
13. At 7s A tries to acquire the lock job. A sends SET job A2 PX 2000 NX to redis-1. The SET job A2
    PX 2000 NX of A is lost between them.
14. At 10s A stops waiting for the answer to SET job A2 PX 2000 NX. A sends SET job A2 PX 2000 NX to
    redis-2.
15. At 10s redis-2 carries out the SET job A2 PX 2000 NX of A and answers OK. A's command creates
    the key job with "A2", alive until 12s.
16. At 10s A gets its answer: OK. A sends SET job A2 PX 2000 NX to redis-3.
17. At 10s redis-3 carries out the SET job A2 PX 2000 NX of A and answers OK. A's command creates
    the key job with "A2", alive until 12s.
18. At 10s A gets its answer: OK. A sends EVAL "delete if mine" 1 job A2 to redis-1. The EVAL
    "delete if mine" 1 job A2 of A is lost between them.
19. At 12.001s the key job, set by A, expires. The key job, set by A, expires. A stops waiting for
    the answer to EVAL "delete if mine" 1 job A2. A sends EVAL "delete if mine" 1 job A2 to redis-2.
20. At 13s redis-2 carries out the EVAL "delete if mine" 1 job A2 of A and answers 0.
21. At 13s A gets its answer: 0. A sends EVAL "delete if mine" 1 job A2 to redis-3.
22. At 13s redis-3 carries out the EVAL "delete if mine" 1 job A2 of A and answers 0.
23. At 13s A gets its answer: 0. A does not get the lock: "no majority in time". A is finished.
24. At 13s the faults are over; a new client, B, now tries to get the lock within 10s. B starts. B
    tries to acquire the lock job. B sends SET job B1 PX 2000 NX to redis-1. The SET job B1 PX 2000
    NX of B is lost between them.
25. At 16s B stops waiting for the answer to SET job B1 PX 2000 NX. B sends SET job B1 PX 2000 NX to
    redis-2.
26. At 16s redis-2 carries out the SET job B1 PX 2000 NX of B and answers OK. B's command creates
    the key job with "B1", alive until 18s.
27. At 16s B gets its answer: OK. B sends SET job B1 PX 2000 NX to redis-3.
28. At 16s redis-3 carries out the SET job B1 PX 2000 NX of B and answers OK. B's command creates
    the key job with "B1", alive until 18s.
29. At 16s B gets its answer: OK. B sends EVAL "delete if mine" 1 job B1 to redis-1. The EVAL
    "delete if mine" 1 job B1 of B is lost between them.
30. At 18.001s the key job, set by B, expires. The key job, set by B, expires. B stops waiting for
    the answer to EVAL "delete if mine" 1 job B1. B sends EVAL "delete if mine" 1 job B1 to redis-2.
31. At 19s redis-2 carries out the EVAL "delete if mine" 1 job B1 of B and answers 0.
32. At 19s B gets its answer: 0. B sends EVAL "delete if mine" 1 job B1 to redis-3.
33. At 19s redis-3 carries out the EVAL "delete if mine" 1 job B1 of B and answers 0.
34. At 19s B gets its answer: 0. B does not get the lock: "no majority in time".
35. At 24s B tries to acquire the lock job. B sends SET job B2 PX 2000 NX to redis-1. The SET job B2
    PX 2000 NX of B is lost between them.
36. At 27s B stops waiting for the answer to SET job B2 PX 2000 NX. B sends SET job B2 PX 2000 NX to
    redis-2.
37. At 27s redis-2 carries out the SET job B2 PX 2000 NX of B and answers OK. B's command creates
    the key job with "B2", alive until 29s.
38. At 27s B gets its answer: OK. B sends SET job B2 PX 2000 NX to redis-3.
39. At 27s redis-3 carries out the SET job B2 PX 2000 NX of B and answers OK. B's command creates
    the key job with "B2", alive until 29s.
40. At 27s B gets its answer: OK. B sends EVAL "delete if mine" 1 job B2 to redis-1. The EVAL
    "delete if mine" 1 job B2 of B is lost between them.
41. At 29.001s the key job, set by B, expires. The key job, set by B, expires. B stops waiting for
    the answer to EVAL "delete if mine" 1 job B2. B sends EVAL "delete if mine" 1 job B2 to redis-2.
42. At 30s redis-2 carries out the EVAL "delete if mine" 1 job B2 of B and answers 0.
43. At 30s B gets its answer: 0. B sends EVAL "delete if mine" 1 job B2 to redis-3.
44. At 30s redis-3 carries out the EVAL "delete if mine" 1 job B2 of B and answers 0.
45. At 30s B gets its answer: 0. B does not get the lock: "no majority in time".
46. At 35s B tries to acquire the lock job. B sends SET job B3 PX 2000 NX to redis-1. The SET job B3
    PX 2000 NX of B is lost between them.
47. At 38s B stops waiting for the answer to SET job B3 PX 2000 NX. B sends SET job B3 PX 2000 NX to
    redis-2.
48. At 38s redis-2 carries out the SET job B3 PX 2000 NX of B and answers OK. B's command creates
    the key job with "B3", alive until 40s.
49. At 38s B gets its answer: OK. B sends SET job B3 PX 2000 NX to redis-3.
50. At 38s redis-3 carries out the SET job B3 PX 2000 NX of B and answers OK. B's command creates
    the key job with "B3", alive until 40s.
51. At 38s B gets its answer: OK. B sends EVAL "delete if mine" 1 job B3 to redis-1. The EVAL
    "delete if mine" 1 job B3 of B is lost between them.
52. At 40.001s the key job, set by B, expires. The key job, set by B, expires. B stops waiting for
    the answer to EVAL "delete if mine" 1 job B3. B sends EVAL "delete if mine" 1 job B3 to redis-2.
53. At 41s redis-2 carries out the EVAL "delete if mine" 1 job B3 of B and answers 0.
54. At 41s B gets its answer: 0. B sends EVAL "delete if mine" 1 job B3 to redis-3.
55. At 41s redis-3 carries out the EVAL "delete if mine" 1 job B3 of B and answers 0.
56. At 41s B gets its answer: 0. B does not get the lock: "no majority in time". B is finished.
57. At 41s the run is over.

  why     A new client, B, tried for 28s and was not granted the lock: one server, redis-1, did not
          answer, all others did. (steps 24 and 57)
  code    algorithms/redlock.cpp:59 sends SET job B1 PX 2000 NX (step 24)
  code    algorithms/redlock.cpp:29 sends EVAL "delete if mine" 1 job B3 (step 57)
