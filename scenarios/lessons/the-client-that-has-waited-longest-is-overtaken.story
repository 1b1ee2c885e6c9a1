✘ resty-lock × none: bounded-bypass is violated
  2 clients · ttl 20s · timeout 3s · step 1s · max-step 2s · 36 steps, and 1 in which only time
  passes, the last 19 for ever

1. At 0ms A starts. A tries to acquire the lock job. A sends ADD job true 20 to nginx shared memory.
2. At 0ms B starts. B tries to acquire the lock job. B sends ADD job true 20 to nginx shared memory.
3. At 0ms nginx shared memory carries out the ADD job true 20 of A and answers OK. A's command
   creates the key job with "true", alive until 20s.
4. At 0ms nginx shared memory carries out the ADD job true 20 of B and answers error exists.
5. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 2s.
6. At 0ms B gets its answer: error exists.
7. At 1s B sends ADD job true 20 to nginx shared memory.
8. At 1s nginx shared memory carries out the ADD job true 20 of B and answers error exists.
9. At 1s B gets its answer: error exists.
10. At 2s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to nginx shared memory.
11. At 2s nginx shared memory carries out the DELETE job of A and answers OK. A's command removes
    the key job, its own.
12. At 2s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to nginx shared memory.
13. At 2s nginx shared memory carries out the ADD job true 20 of A and answers OK. A's command
    creates the key job with "true", alive until 22s.
14. At 2s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 2s.
15. At 3s B sends ADD job true 20 to nginx shared memory.
16. At 3s nginx shared memory carries out the ADD job true 20 of B and answers error exists.
17. At 3s B gets its answer: error exists. B does not get the lock: "timeout".
Then for ever:
18. At 4s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to nginx shared memory.
19. At 4s B tries to acquire the lock job. B sends ADD job true 20 to nginx shared memory.
20. At 4s nginx shared memory carries out the DELETE job of A and answers OK. A's command removes
    the key job, its own.
21. At 4s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to nginx shared memory.
22. At 4s nginx shared memory carries out the ADD job true 20 of A and answers OK. A's command
    creates the key job with "true", alive until 24s.
23. At 4s nginx shared memory carries out the ADD job true 20 of B and answers error exists.
24. At 4s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 2s.
25. At 4s B gets its answer: error exists.
26. At 5s B sends ADD job true 20 to nginx shared memory.
27. At 5s nginx shared memory carries out the ADD job true 20 of B and answers error exists.
28. At 5s B gets its answer: error exists.
29. At 6s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to nginx shared memory.
30. At 6s nginx shared memory carries out the DELETE job of A and answers OK. A's command removes
    the key job, its own.
31. At 6s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to nginx shared memory.
32. At 6s nginx shared memory carries out the ADD job true 20 of A and answers OK. A's command
    creates the key job with "true", alive until 26s.
33. At 6s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 2s.
34. At 7s B sends ADD job true 20 to nginx shared memory.
35. At 7s nginx shared memory carries out the ADD job true 20 of B and answers error exists.
36. At 7s B gets its answer: error exists. B does not get the lock: "timeout".

  then    for ever: steps 18 to 36 again
  why     B waits and keeps asking, the lock is granted to others 2 times, and after 4s everything
          is as it was after step 17: so it can go on for ever, and B never holds the lock. (steps
          18 and 36)
  code    algorithms/resty_lock.hpp:65 sends DELETE job (step 18)
  code    algorithms/resty_lock.hpp:93 sends ADD job true 20 (step 36)
