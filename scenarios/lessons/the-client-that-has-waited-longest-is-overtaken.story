✘ resty-lock × none: bounded-bypass is violated
  2 clients · ttl 20s · timeout 3s · step 1s · max-step 2s · 37 steps, the last 19 for ever

2. At 0ms A starts. A tries to acquire the lock job. A sends ADD job true 20 to redis-1.
3. At 0ms B starts. B tries to acquire the lock job. B sends ADD job true 20 to redis-1.
4. At 0ms redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
   job with "true", alive until 20s.
5. At 0ms redis-1 carries out the ADD job true 20 of B and answers error exists.
6. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 2s.
7. At 0ms B gets its answer: error exists.
8. At 1s B sends ADD job true 20 to redis-1.
9. At 1s redis-1 carries out the ADD job true 20 of B and answers error exists.
10. At 1s B gets its answer: error exists.
11. At 2s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
12. At 2s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
13. At 2s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
14. At 2s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 22s.
15. At 2s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 2s.
16. At 3s B sends ADD job true 20 to redis-1.
17. At 3s redis-1 carries out the ADD job true 20 of B and answers error exists.
18. At 3s B gets its answer: error exists. B does not get the lock: "timeout".
Then for ever:
19. At 4s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
20. At 4s B tries to acquire the lock job. B sends ADD job true 20 to redis-1.
21. At 4s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
22. At 4s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
23. At 4s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 24s.
24. At 4s redis-1 carries out the ADD job true 20 of B and answers error exists.
25. At 4s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 2s.
26. At 4s B gets its answer: error exists.
27. At 5s B sends ADD job true 20 to redis-1.
28. At 5s redis-1 carries out the ADD job true 20 of B and answers error exists.
29. At 5s B gets its answer: error exists.
30. At 6s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
31. At 6s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
32. At 6s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
33. At 6s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 26s.
34. At 6s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 2s.
35. At 7s B sends ADD job true 20 to redis-1.
36. At 7s redis-1 carries out the ADD job true 20 of B and answers error exists.
37. At 7s B gets its answer: error exists. B does not get the lock: "timeout".

  then    for ever: steps 19 to 37 again
  why     B waits and keeps asking, the lock is granted to others 2 times, and after 4s everything
          is as it was after step 18: so it can go on for ever, and B never holds the lock. (steps
          19 and 37)
  code    algorithms/resty_lock.hpp:65 sends DELETE job (step 19)
  code    algorithms/resty_lock.hpp:93 sends ADD job true 20 (step 37)
