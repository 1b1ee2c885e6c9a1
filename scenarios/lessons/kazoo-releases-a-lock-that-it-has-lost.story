✘ kazoo × session-lost: truthful-release is violated
  2 clients · ttl 6s · session kept · blocking yes · 45 steps, and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends CONNECT A1 6000 to zookeeper-1.
2. At 0ms zookeeper-1 carries out the CONNECT A1 6000 of A and answers 6000.
3. At 0ms A gets its answer: 6000. A sends CREATE A1 job/A2__lock__ "" EPHEMERAL SEQUENTIAL to
   zookeeper-1.
4. At 0ms zookeeper-1 carries out the CREATE A1 job/A2__lock__ "" EPHEMERAL SEQUENTIAL of A and
   answers error NoNode.
5. At 0ms A gets its answer: error NoNode. A sends CREATE A1 job "" to zookeeper-1.
6. At 0ms zookeeper-1 carries out the CREATE A1 job "" of A and answers [job 3].
7. At 0ms A gets its answer: [job 3].
8. At 1s B starts. B tries to acquire the lock job. B sends CONNECT B1 6000 to zookeeper-1.
9. At 1s A sends CHILDREN A1 job to zookeeper-1.
10. At 1s zookeeper-1 carries out the CONNECT B1 6000 of B and answers 6000.
11. At 1s zookeeper-1 carries out the CHILDREN A1 job of A and answers [].
12. At 1s B gets its answer: 6000. B sends CREATE B1 job/B2__lock__ "" EPHEMERAL SEQUENTIAL to
    zookeeper-1.
13. At 1s A gets its answer: []. A sends CREATE A1 job/A2__lock__ "" EPHEMERAL SEQUENTIAL to
    zookeeper-1.
14. At 1s zookeeper-1 carries out the CREATE B1 job/B2__lock__ "" EPHEMERAL SEQUENTIAL of B and
    answers [job/B2__lock__0000000000 5]. B's command creates the key queue:job/ with
    "job/B2__lock__0000000000", alive until 7s.
15. At 1s zookeeper-1 carries out the CREATE A1 job/A2__lock__ "" EPHEMERAL SEQUENTIAL of A and
    answers [job/A2__lock__0000000001 6]. A's command overwrites the key queue:job/, with
    "job/B2__lock__0000000000", alive until 7s.
16. At 1s B gets its answer: [job/B2__lock__0000000000 5]. B sends CHILDREN B1 job to zookeeper-1.
17. At 1s A gets its answer: [job/A2__lock__0000000001 6]. A sends CHILDREN A1 job to zookeeper-1.
18. At 1s zookeeper-1 carries out the CHILDREN B1 job of B and answers [B2__lock__0000000000
    A2__lock__0000000001]. B's command overwrites the key queue:job/, its own, with
    "job/B2__lock__0000000000", alive until 7s.
19. At 1s B gets its answer: [B2__lock__0000000000 A2__lock__0000000001]. B believes that it holds
    the lock, with the fencing token 5. B works under the lock for 7s.
20. At 1s zookeeper-1 ends the session B1, whose client lives; what it held is free. The key
    queue:job/, set by B, expires.
21. At 1s zookeeper-1 carries out the CHILDREN A1 job of A and answers [A2__lock__0000000001]. A's
    command overwrites the key queue:job/, its own, with "job/A2__lock__0000000001", alive until 7s.
22. At 1s A gets its answer: [A2__lock__0000000001]. A believes that it holds the lock, with the
    fencing token 6. A works under the lock for 7s.
23. At 2s A sends PING A1 to zookeeper-1.
24. At 2s zookeeper-1 carries out the PING A1 of A and answers OK. A's command overwrites the key
    queue:job/, its own, with "job/A2__lock__0000000001", alive until 8s.
25. At 2s A gets its answer: OK.
26. At 3s B sends PING B1 to zookeeper-1.
27. At 3s zookeeper-1 carries out the PING B1 of B and answers error SessionExpired.
28. At 3s B gets its answer: error SessionExpired. B sends CONNECT B3 6000 to zookeeper-1.
29. At 3s zookeeper-1 carries out the CONNECT B3 6000 of B and answers 6000.
30. At 3s B gets its answer: 6000.
31. At 4s A sends PING A1 to zookeeper-1.
32. At 4s zookeeper-1 carries out the PING A1 of A and answers OK. A's command overwrites the key
    queue:job/, its own, with "job/A2__lock__0000000001", alive until 10s.
33. At 4s A gets its answer: OK.
34. At 5s B sends PING B3 to zookeeper-1.
35. At 5s zookeeper-1 carries out the PING B3 of B and answers OK.
36. At 5s B gets its answer: OK.
37. At 6s A sends PING A1 to zookeeper-1.
38. At 6s zookeeper-1 carries out the PING A1 of A and answers OK. A's command overwrites the key
    queue:job/, its own, with "job/A2__lock__0000000001", alive until 12s.
39. At 6s A gets its answer: OK.
40. At 7s B sends PING B3 to zookeeper-1.
41. At 7s zookeeper-1 carries out the PING B3 of B and answers OK.
42. At 7s B gets its answer: OK.
43. At 8s B begins to release the lock and no longer believes that it holds it. B sends DELETE B3
    job/B2__lock__0000000000 to zookeeper-1.
44. At 8s zookeeper-1 carries out the DELETE B3 job/B2__lock__0000000000 of B and answers error
    NoNode.
45. At 8s B gets its answer: error NoNode. B reports that it has released the lock. B is finished.

  why     At 8s release() told B that it had held the lock until then; but its key expired at 1s.
          (steps 20 and 45)
  code    algorithms/kazoo.cpp:94 sends CHILDREN B1 job (step 20)
  code    algorithms/kazoo.cpp:48 sends DELETE B3 job/B2__lock__0000000000 (step 45)
