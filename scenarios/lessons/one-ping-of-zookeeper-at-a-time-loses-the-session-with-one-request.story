✘ zk-recipe × lost-request: mutual-exclusion is violated
  2 clients · ttl 6s · blocking no · pings one · 30 steps, and 5 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends CONNECT A1 6000 to zookeeper-1.
2. At 1s zookeeper-1 carries out the CONNECT A1 6000 of A and answers 6000.
3. At 2s A gets its answer: 6000. A sends CREATE A1 job/x-A1- "" EPHEMERAL SEQUENTIAL to
   zookeeper-1.
4. At 3s zookeeper-1 carries out the CREATE A1 job/x-A1- "" EPHEMERAL SEQUENTIAL of A and answers
   error NoNode.
5. At 4s A sends PING A1 to zookeeper-1.
6. At 4s A gets its answer: error NoNode. A sends CREATE A1 job "" to zookeeper-1.
7. At 5s zookeeper-1 carries out the PING A1 of A and answers OK.
8. At 5s zookeeper-1 carries out the CREATE A1 job "" of A and answers [job 3].
9. At 6s A gets its answer: OK.
10. At 6s A gets its answer: [job 3]. A sends CREATE A1 job/x-A1- "" EPHEMERAL SEQUENTIAL to
    zookeeper-1.
11. At 7s zookeeper-1 carries out the CREATE A1 job/x-A1- "" EPHEMERAL SEQUENTIAL of A and answers
    [job/x-A1-0000000000 4]. A's command creates the key queue:job/ with "job/x-A1-0000000000",
    alive until 13s.
12. At 8s A sends PING A1 to zookeeper-1.
13. At 8s A gets its answer: [job/x-A1-0000000000 4]. A sends CHILDREN A1 job to zookeeper-1.
14. At 9s zookeeper-1 carries out the PING A1 of A and answers OK. A's command overwrites the key
    queue:job/, its own, with "job/x-A1-0000000000", alive until 15s.
15. At 9s zookeeper-1 carries out the CHILDREN A1 job of A and answers [x-A1-0000000000]. A's
    command overwrites the key queue:job/, its own, with "job/x-A1-0000000000", alive until 15s.
16. At 10s B starts. B tries to acquire the lock job. B sends CONNECT B1 6000 to zookeeper-1.
17. At 10s A gets its answer: OK.
18. At 10s A gets its answer: [x-A1-0000000000]. A believes that it holds the lock, with the fencing
    token 4. A works under the lock for 7s.
19. At 11s zookeeper-1 carries out the CONNECT B1 6000 of B and answers 6000.
20. At 12s A sends PING A1 to zookeeper-1.
21. At 12s the PING A1 of A is lost on its way.
22. At 12s B gets its answer: 6000. B sends CREATE B1 job/x-B1- "" EPHEMERAL SEQUENTIAL to
    zookeeper-1.
23. At 13s zookeeper-1 carries out the CREATE B1 job/x-B1- "" EPHEMERAL SEQUENTIAL of B and answers
    [job/x-B1-0000000001 6]. B's command overwrites the key queue:job/, with "job/x-A1-0000000000",
    alive until 15s.
24. At 14s B sends PING B1 to zookeeper-1.
25. At 14s B gets its answer: [job/x-B1-0000000001 6]. B sends CHILDREN B1 job to zookeeper-1.
26. At 14.001s A stops waiting for the answer to PING A1. A sends RECONNECT A1 to zookeeper-1.
27. At 15s the key queue:job/, set by A, expires. zookeeper-1 carries out the PING B1 of B and
    answers OK. B's command overwrites the key queue:job/, its own, with "job/x-B1-0000000001",
    alive until 21s.
28. At 15s zookeeper-1 carries out the CHILDREN B1 job of B and answers [x-B1-0000000001]. B's
    command overwrites the key queue:job/, its own, with "job/x-B1-0000000001", alive until 21s.
29. At 15.001s zookeeper-1 carries out the RECONNECT A1 of A and answers 0.
30. At 16s B gets its answer: [x-B1-0000000001]. B believes that it holds the lock, with the fencing
    token 6. B begins to release the lock and no longer believes that it holds it. B sends DELETE B1
    job/x-B1-0000000001 to zookeeper-1.

  why     At 16s B was granted the lock while A, granted at 10s, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 15s. (steps 18 and 30)
  code    algorithms/zk_recipe.cpp:94 sends CHILDREN A1 job (step 18)
  code    algorithms/zk_recipe.cpp:39 sends DELETE B1 job/x-B1-0000000001 (step 30)
