✘ spring-integration × lost-request: recovery is violated
  1 client · ttl 3s · blocking no · renewal yes · 57 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 locks:job A1 3000 to
   redis-1.
2. At 0ms redis-1 carries out the EVAL script 1 locks:job A1 3000 of A and answers 1. A's command
   creates the key locks:job with "A1", alive until 3s.
3. At 0ms A gets its answer: 1. A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1. A
   believes that it holds the lock. A works under the lock for 1s.
4. At 0ms redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
   command changes the expiry of the key locks:job, its own; it is now alive until 3s.
5. At 0ms A gets its answer: 1.
6. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVAL "delete if mine" 1 locks:job A1 to redis-1.
7. At 1s the EVAL "delete if mine" 1 locks:job A1 of A is lost on its way.
8. At 1s A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1.
9. At 1s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
   command changes the expiry of the key locks:job, its own; it is now alive until 4s.
10. At 1s A gets its answer: 1.
11. At 2s A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1.
12. At 2s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
    command changes the expiry of the key locks:job, its own; it is now alive until 5s.
13. At 2s A gets its answer: 1.
14. At 3s A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1.
15. At 3s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
    command changes the expiry of the key locks:job, its own; it is now alive until 6s.
16. At 3s A gets its answer: 1.
17. At 4s A stops waiting for the answer to EVAL "delete if mine" 1 locks:job A1. A cannot tell
    whether it has released the lock. A is finished.
18. At 4s the faults are over; a new client, B, now tries to get the lock within 10s. A sends EVAL
    "extend if mine" 1 locks:job A1 3000 to redis-1.
19. At 4s B starts. B tries to acquire the lock job. B sends EVAL script 1 locks:job B1 3000 to
    redis-1.
20. At 4s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
    command changes the expiry of the key locks:job, its own; it is now alive until 7s.
21. At 4s redis-1 carries out the EVAL script 1 locks:job B1 3000 of B and answers nil.
22. At 4s A gets its answer: 1.
23. At 4s B gets its answer: nil. B does not get the lock: "tryLock: false".
24. At 5s A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1.
25. At 5s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
    command changes the expiry of the key locks:job, its own; it is now alive until 8s.
26. At 5s A gets its answer: 1.
27. At 6s A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1.
28. At 6s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
    command changes the expiry of the key locks:job, its own; it is now alive until 9s.
29. At 6s A gets its answer: 1.
30. At 7s A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1.
31. At 7s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
    command changes the expiry of the key locks:job, its own; it is now alive until 10s.
32. At 7s A gets its answer: 1.
33. At 8s A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1.
34. At 8s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
    command changes the expiry of the key locks:job, its own; it is now alive until 11s.
35. At 8s A gets its answer: 1.
36. At 9s B tries to acquire the lock job. B sends EVAL script 1 locks:job B1 3000 to redis-1.
37. At 9s A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1.
38. At 9s redis-1 carries out the EVAL script 1 locks:job B1 3000 of B and answers nil.
39. At 9s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
    command changes the expiry of the key locks:job, its own; it is now alive until 12s.
40. At 9s B gets its answer: nil. B does not get the lock: "tryLock: false".
41. At 9s A gets its answer: 1.
42. At 10s A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1.
43. At 10s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
    command changes the expiry of the key locks:job, its own; it is now alive until 13s.
44. At 10s A gets its answer: 1.
45. At 11s A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1.
46. At 11s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
    command changes the expiry of the key locks:job, its own; it is now alive until 14s.
47. At 11s A gets its answer: 1.
48. At 12s A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1.
49. At 12s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
    command changes the expiry of the key locks:job, its own; it is now alive until 15s.
50. At 12s A gets its answer: 1.
51. At 13s A sends EVAL "extend if mine" 1 locks:job A1 3000 to redis-1.
52. At 13s redis-1 carries out the EVAL "extend if mine" 1 locks:job A1 3000 of A and answers 1. A's
    command changes the expiry of the key locks:job, its own; it is now alive until 16s.
53. At 13s A gets its answer: 1.
54. At 14s B tries to acquire the lock job. B sends EVAL script 1 locks:job B1 3000 to redis-1.
55. At 14s redis-1 carries out the EVAL script 1 locks:job B1 3000 of B and answers nil.
56. At 14s B gets its answer: nil. B does not get the lock: "tryLock: false". B is finished.
57. At 14s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and expires at 16s. (steps 2 and 57)
  code    algorithms/spring_integration.cpp:154 sends EVAL script 1 locks:job A1 3000 (step 2)
