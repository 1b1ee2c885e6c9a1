✘ spring-integration × lost-request: recovery is violated
  1 client · ttl 3s · blocking no · renewal yes · 58 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 locks:job A1 3000 to
   redis-1.
3. At 0ms redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
   creates the key locks:job with "A1", alive until 3s.
4. At 0ms A gets its answer: 1. A sends EVAL script 1 locks:job A1 3000 to redis-1. A believes that
   it holds the lock. A works under the lock for 1s.
5. At 0ms redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
   changes the expiry of the key locks:job, its own; it is now alive until 3s.
6. At 0ms A gets its answer: 1.
7. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVAL script 1 locks:job A1 to redis-1.
8. At 1s the EVAL script 1 locks:job A1 of A is lost on its way.
9. At 1s A sends EVAL script 1 locks:job A1 3000 to redis-1.
10. At 1s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 4s.
11. At 1s A gets its answer: 1.
12. At 2s A sends EVAL script 1 locks:job A1 3000 to redis-1.
13. At 2s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 5s.
14. At 2s A gets its answer: 1.
15. At 3s A sends EVAL script 1 locks:job A1 3000 to redis-1.
16. At 3s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 6s.
17. At 3s A gets its answer: 1.
18. At 4s A stops waiting for the answer to EVAL script 1 locks:job A1. A cannot tell whether it has
    released the lock. A is finished.
19. At 4s the faults are over; a new client, B, now tries to get the lock within 10s. A sends EVAL
    script 1 locks:job A1 3000 to redis-1.
20. At 4s B starts. B tries to acquire the lock job. B sends EVAL script 1 locks:job B1 3000 to
    redis-1.
21. At 4s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 7s.
22. At 4s redis-1 carries out the EVAL script 1 locks:job B1 3000 of B and answers nil.
23. At 4s A gets its answer: 1.
24. At 4s B gets its answer: nil. B does not get the lock: "tryLock: false".
25. At 5s A sends EVAL script 1 locks:job A1 3000 to redis-1.
26. At 5s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 8s.
27. At 5s A gets its answer: 1.
28. At 6s A sends EVAL script 1 locks:job A1 3000 to redis-1.
29. At 6s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 9s.
30. At 6s A gets its answer: 1.
31. At 7s A sends EVAL script 1 locks:job A1 3000 to redis-1.
32. At 7s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 10s.
33. At 7s A gets its answer: 1.
34. At 8s A sends EVAL script 1 locks:job A1 3000 to redis-1.
35. At 8s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 11s.
36. At 8s A gets its answer: 1.
37. At 9s B tries to acquire the lock job. B sends EVAL script 1 locks:job B1 3000 to redis-1.
38. At 9s A sends EVAL script 1 locks:job A1 3000 to redis-1.
39. At 9s redis-1 carries out the EVAL script 1 locks:job B1 3000 of B and answers nil.
40. At 9s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 12s.
41. At 9s B gets its answer: nil. B does not get the lock: "tryLock: false".
42. At 9s A gets its answer: 1.
43. At 10s A sends EVAL script 1 locks:job A1 3000 to redis-1.
44. At 10s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 13s.
45. At 10s A gets its answer: 1.
46. At 11s A sends EVAL script 1 locks:job A1 3000 to redis-1.
47. At 11s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 14s.
48. At 11s A gets its answer: 1.
49. At 12s A sends EVAL script 1 locks:job A1 3000 to redis-1.
50. At 12s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 15s.
51. At 12s A gets its answer: 1.
52. At 13s A sends EVAL script 1 locks:job A1 3000 to redis-1.
53. At 13s redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
    changes the expiry of the key locks:job, its own; it is now alive until 16s.
54. At 13s A gets its answer: 1.
55. At 14s B tries to acquire the lock job. B sends EVAL script 1 locks:job B1 3000 to redis-1.
56. At 14s redis-1 carries out the EVAL script 1 locks:job B1 3000 of B and answers nil.
57. At 14s B gets its answer: nil. B does not get the lock: "tryLock: false". B is finished.
58. At 14s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and expires at 16s. (steps 3 and 58)
  code    algorithms/spring_integration.cpp:154 sends EVAL script 1 locks:job A1 3000 (step 3)
