✘ redisson-multi × cancel: recovery is violated
  1 client · ttl 4s · 36 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job.
2. At 0ms A sends EVAL "take unless another's" 1 job:1 4000 A.1:1 to redis-1.
3. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job:1 4000 A.1:1 of A and answers
   nil. A's command creates the key job:1 with "hash "A.1:1" "1"", alive until 4s. A's command
   changes the expiry of the key job:1, its own; it is now alive until 4s.
4. At 0ms A gets its answer: nil.
5. At 0ms the caller of A gives up waiting for the lock; the call ends where it stands. A fails to
   get the lock: "cancelled". A is finished.
6. At 0ms the faults are over; a new client, B, now tries to get the lock within 10s. B starts. B
   tries to acquire the lock job. B sends EVAL "take unless another's" 1 job:1 4000 B.1:1 to
   redis-1.
7. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job:1 4000 B.1:1 of B and answers
   4000.
8. At 0ms B gets its answer: 4000. B does not get the lock: "tryLock: false".
9. At 1.333s A sends EVAL "extend if mine" 1 job:1 4000 A.1:1 to redis-1.
10. At 1.333s redis-1 carries out the EVAL "extend if mine" 1 job:1 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:1, its own; it is now alive until 5.333s.
11. At 1.333s A gets its answer: 1.
12. At 2.666s A sends EVAL "extend if mine" 1 job:1 4000 A.1:1 to redis-1.
13. At 2.666s redis-1 carries out the EVAL "extend if mine" 1 job:1 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:1, its own; it is now alive until 6.666s.
14. At 2.666s A gets its answer: 1.
15. At 3.999s A sends EVAL "extend if mine" 1 job:1 4000 A.1:1 to redis-1.
16. At 3.999s redis-1 carries out the EVAL "extend if mine" 1 job:1 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:1, its own; it is now alive until 7.999s.
17. At 3.999s A gets its answer: 1.
18. At 5s B tries to acquire the lock job. B sends EVAL "take unless another's" 1 job:1 4000 B.1:1
    to redis-1.
19. At 5s redis-1 carries out the EVAL "take unless another's" 1 job:1 4000 B.1:1 of B and answers
    2999.
20. At 5s B gets its answer: 2999. B does not get the lock: "tryLock: false".
21. At 5.332s A sends EVAL "extend if mine" 1 job:1 4000 A.1:1 to redis-1.
22. At 5.332s redis-1 carries out the EVAL "extend if mine" 1 job:1 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:1, its own; it is now alive until 9.332s.
23. At 5.332s A gets its answer: 1.
24. At 6.665s A sends EVAL "extend if mine" 1 job:1 4000 A.1:1 to redis-1.
25. At 6.665s redis-1 carries out the EVAL "extend if mine" 1 job:1 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:1, its own; it is now alive until 10.665s.
26. At 6.665s A gets its answer: 1.
27. At 7.998s A sends EVAL "extend if mine" 1 job:1 4000 A.1:1 to redis-1.
28. At 7.998s redis-1 carries out the EVAL "extend if mine" 1 job:1 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:1, its own; it is now alive until 11.998s.
29. At 7.998s A gets its answer: 1.
30. At 9.331s A sends EVAL "extend if mine" 1 job:1 4000 A.1:1 to redis-1.
31. At 9.331s redis-1 carries out the EVAL "extend if mine" 1 job:1 4000 A.1:1 of A and answers 1.
    A's command changes the expiry of the key job:1, its own; it is now alive until 13.331s.
32. At 9.331s A gets its answer: 1.
33. At 10s B tries to acquire the lock job. B sends EVAL "take unless another's" 1 job:1 4000 B.1:1
    to redis-1.
34. At 10s redis-1 carries out the EVAL "take unless another's" 1 job:1 4000 B.1:1 of B and answers
    3331.
35. At 10s B gets its answer: 3331. B does not get the lock: "tryLock: false". B is finished.
36. At 10s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and expires at 13.331s. (steps 3 and 36)
  code    algorithms/redisson_multi.cpp:82 sends EVAL "take unless another's" 1 job:1 4000 A.1:1
          (step 3)
