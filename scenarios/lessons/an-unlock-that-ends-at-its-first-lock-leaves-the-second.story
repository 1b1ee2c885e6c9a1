✘ redisson-multi × lost-reply: recovery is violated
  1 client · ttl 4s · 64 steps, and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless another's" 1 job:1
   4000 A.1:1 to redis-1.
2. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job:1 4000 A.1:1 of A and answers
   nil. A's command creates the key job:1 with "hash "A.1:1" "1"", alive until 4s. A's command
   changes the expiry of the key job:1, its own; it is now alive until 4s.
3. At 0ms A gets its answer: nil. A sends EVAL "take unless another's" 1 job:2 4000 A.1:1 to
   redis-1.
4. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job:2 4000 A.1:1 of A and answers
   nil. A's command creates the key job:2 with "hash "A.1:1" "1"", alive until 4s. A's command
   changes the expiry of the key job:2, its own; it is now alive until 4s.
5. At 0ms A gets its answer: nil. A believes that it holds the lock. A works under the lock for 1s.
6. At 1s A begins to release the lock and no longer believes that it holds it. A sends EVAL script 3
   job:1 redisson_lock__channel:{job:1} redisson_unlock_latch:{job:1}:A1 0 4000 A.1:1 PUBLISH 16000
   to redis-1.
7. At 1s redis-1 carries out the EVAL script 3 job:1 redisson_lock__channel:{job:1}
   redisson_unlock_latch:{job:1}:A1 0 4000 A.1:1 PUBLISH 16000 of A and answers 1. A's command
   overwrites the key job:1, its own, with "", without an expiry. A's command removes the key job:1,
   its own.
8. At 1s the answer to the EVAL script 3 job:1 redisson_lock__channel:{job:1}
   redisson_unlock_latch:{job:1}:A1 0 4000 A.1:1 PUBLISH 16000 of A is lost on its way.
9. At 1.333s A sends EVAL "extend if mine" 1 job:1 4000 A.1:1 to redis-1.
10. At 1.333s A sends EVAL "extend if mine" 1 job:2 4000 A.1:1 to redis-1.
11. At 1.333s redis-1 carries out the EVAL "extend if mine" 1 job:1 4000 A.1:1 of A and answers 0.
12. At 1.333s redis-1 carries out the EVAL "extend if mine" 1 job:2 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:2, its own; it is now alive until 5.333s.
13. At 1.333s A gets its answer: 0.
14. At 1.333s A gets its answer: 1.
15. At 2.666s A sends EVAL "extend if mine" 1 job:2 4000 A.1:1 to redis-1.
16. At 2.666s redis-1 carries out the EVAL "extend if mine" 1 job:2 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:2, its own; it is now alive until 6.666s.
17. At 3.666s A gets its answer: 1.
18. At 4s A stops waiting for the answer to EVAL script 3 job:1 redisson_lock__channel:{job:1}
    redisson_unlock_latch:{job:1}:A1 0 4000 A.1:1 PUBLISH 16000. A cannot tell whether it has
    released the lock. A is finished.
19. At 4s the faults are over; a new client, B, now tries to get the lock within 10s. B starts. B
    tries to acquire the lock job. B sends EVAL "take unless another's" 1 job:1 4000 B.1:1 to
    redis-1.
20. At 4s redis-1 carries out the EVAL "take unless another's" 1 job:1 4000 B.1:1 of B and answers
    nil. B's command creates the key job:1 with "hash "B.1:1" "1"", alive until 8s. B's command
    changes the expiry of the key job:1, its own; it is now alive until 8s.
21. At 4s B gets its answer: nil. B sends EVAL "take unless another's" 1 job:2 4000 B.1:1 to
    redis-1.
22. At 4s redis-1 carries out the EVAL "take unless another's" 1 job:2 4000 B.1:1 of B and answers
    2666.
23. At 4s B gets its answer: 2666. B sends EVAL script 3 job:1 redisson_lock__channel:{job:1}
    redisson_unlock_latch:{job:1}:B1 0 4000 B.1:1 PUBLISH 16000 to redis-1.
24. At 4s redis-1 carries out the EVAL script 3 job:1 redisson_lock__channel:{job:1}
    redisson_unlock_latch:{job:1}:B1 0 4000 B.1:1 PUBLISH 16000 of B and answers 1. B's command
    overwrites the key job:1, its own, with "", without an expiry. B's command removes the key
    job:1, its own.
25. At 4s B gets its answer: 1. B sends DEL redisson_unlock_latch:{job:1}:B1 to redis-1. B does not
    get the lock: "tryLock: false".
26. At 4s redis-1 carries out the DEL redisson_unlock_latch:{job:1}:B1 of B and answers 1. an answer
    to B arrives, but B no longer waits for it.
27. At 4.999s A sends EVAL "extend if mine" 1 job:2 4000 A.1:1 to redis-1.
28. At 4.999s redis-1 carries out the EVAL "extend if mine" 1 job:2 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:2, its own; it is now alive until 8.999s.
29. At 4.999s A gets its answer: 1.
30. At 6.332s A sends EVAL "extend if mine" 1 job:2 4000 A.1:1 to redis-1.
31. At 6.332s redis-1 carries out the EVAL "extend if mine" 1 job:2 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:2, its own; it is now alive until 10.332s.
32. At 6.332s A gets its answer: 1.
33. At 7.665s A sends EVAL "extend if mine" 1 job:2 4000 A.1:1 to redis-1.
34. At 7.665s redis-1 carries out the EVAL "extend if mine" 1 job:2 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:2, its own; it is now alive until 11.665s.
35. At 7.665s A gets its answer: 1.
36. At 8.998s A sends EVAL "extend if mine" 1 job:2 4000 A.1:1 to redis-1.
37. At 8.998s redis-1 carries out the EVAL "extend if mine" 1 job:2 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:2, its own; it is now alive until 12.998s.
38. At 8.998s A gets its answer: 1.
39. At 9s B tries to acquire the lock job. B sends EVAL "take unless another's" 1 job:1 4000 B.1:1
    to redis-1.
40. At 9s redis-1 carries out the EVAL "take unless another's" 1 job:1 4000 B.1:1 of B and answers
    nil. B's command creates the key job:1 with "hash "B.1:1" "1"", alive until 13s. B's command
    changes the expiry of the key job:1, its own; it is now alive until 13s.
41. At 9s B gets its answer: nil. B sends EVAL "take unless another's" 1 job:2 4000 B.1:1 to
    redis-1.
42. At 9s redis-1 carries out the EVAL "take unless another's" 1 job:2 4000 B.1:1 of B and answers
    3998.
43. At 9s B gets its answer: 3998. B sends EVAL script 3 job:1 redisson_lock__channel:{job:1}
    redisson_unlock_latch:{job:1}:B2 0 4000 B.1:1 PUBLISH 16000 to redis-1.
44. At 9s redis-1 carries out the EVAL script 3 job:1 redisson_lock__channel:{job:1}
    redisson_unlock_latch:{job:1}:B2 0 4000 B.1:1 PUBLISH 16000 of B and answers 1. B's command
    overwrites the key job:1, its own, with "", without an expiry. B's command removes the key
    job:1, its own.
45. At 9s B gets its answer: 1. B sends DEL redisson_unlock_latch:{job:1}:B2 to redis-1. B does not
    get the lock: "tryLock: false".
46. At 9s redis-1 carries out the DEL redisson_unlock_latch:{job:1}:B2 of B and answers 1. an answer
    to B arrives, but B no longer waits for it.
47. At 10.331s A sends EVAL "extend if mine" 1 job:2 4000 A.1:1 to redis-1.
48. At 10.331s redis-1 carries out the EVAL "extend if mine" 1 job:2 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:2, its own; it is now alive until 14.331s.
49. At 10.331s A gets its answer: 1.
50. At 11.664s A sends EVAL "extend if mine" 1 job:2 4000 A.1:1 to redis-1.
51. At 11.664s redis-1 carries out the EVAL "extend if mine" 1 job:2 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:2, its own; it is now alive until 15.664s.
52. At 11.664s A gets its answer: 1.
53. At 12.997s A sends EVAL "extend if mine" 1 job:2 4000 A.1:1 to redis-1.
54. At 12.997s redis-1 carries out the EVAL "extend if mine" 1 job:2 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:2, its own; it is now alive until 16.997s.
55. At 12.997s A gets its answer: 1.
56. At 14s B tries to acquire the lock job. B sends EVAL "take unless another's" 1 job:1 4000 B.1:1
    to redis-1.
57. At 14s redis-1 carries out the EVAL "take unless another's" 1 job:1 4000 B.1:1 of B and answers
    nil. B's command creates the key job:1 with "hash "B.1:1" "1"", alive until 18s. B's command
    changes the expiry of the key job:1, its own; it is now alive until 18s.
58. At 14s B gets its answer: nil. B sends EVAL "take unless another's" 1 job:2 4000 B.1:1 to
    redis-1.
59. At 14s redis-1 carries out the EVAL "take unless another's" 1 job:2 4000 B.1:1 of B and answers
    2997.
60. At 14s B gets its answer: 2997. B sends EVAL script 3 job:1 redisson_lock__channel:{job:1}
    redisson_unlock_latch:{job:1}:B3 0 4000 B.1:1 PUBLISH 16000 to redis-1.
61. At 14s redis-1 carries out the EVAL script 3 job:1 redisson_lock__channel:{job:1}
    redisson_unlock_latch:{job:1}:B3 0 4000 B.1:1 PUBLISH 16000 of B and answers 1. B's command
    overwrites the key job:1, its own, with "", without an expiry. B's command removes the key
    job:1, its own.
62. At 14s B gets its answer: 1. B sends DEL redisson_unlock_latch:{job:1}:B3 to redis-1. B does not
    get the lock: "tryLock: false". B is finished.
63. At 14s redis-1 carries out the DEL redisson_unlock_latch:{job:1}:B3 of B and answers 1. an
    answer to B arrives, but B no longer waits for it.
64. At 14s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and expires at 16.997s. (steps 4 and 64)
  code    algorithms/redisson_multi.cpp:82 sends EVAL "take unless another's" 1 job:2 4000 A.1:1
          (step 4)
  code    algorithms/redisson.hpp:236 sends DEL redisson_unlock_latch:{job:1}:B3 (step 64)
