✘ curator × partition: mutual-exclusion is violated
  2 clients · ttl 6s · blocking no · belief notified · 22 steps, and 7 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends CONNECT A1 6000 to zookeeper-1.
2. At 0ms zookeeper-1 carries out the CONNECT A1 6000 of A and answers 6000.
3. At 0ms A gets its answer: 6000. A sends CREATE A1 job/_c_A2-lock- "" EPHEMERAL SEQUENTIAL to
   zookeeper-1.
4. At 0ms zookeeper-1 carries out the CREATE A1 job/_c_A2-lock- "" EPHEMERAL SEQUENTIAL of A and
   answers error NoNode.
5. At 0ms A gets its answer: error NoNode. A sends CREATE A1 job "" to zookeeper-1.
6. At 0ms zookeeper-1 carries out the CREATE A1 job "" of A and answers [job 3].
7. At 0ms A gets its answer: [job 3]. A sends CREATE A1 job/_c_A2-lock- "" EPHEMERAL SEQUENTIAL to
   zookeeper-1.
8. At 0ms zookeeper-1 carries out the CREATE A1 job/_c_A2-lock- "" EPHEMERAL SEQUENTIAL of A and
   answers [job/_c_A2-lock-0000000000 4]. A's command creates the key queue:job/ with
   "job/_c_A2-lock-0000000000", alive until 6s.
9. At 0ms A gets its answer: [job/_c_A2-lock-0000000000 4]. A sends CHILDREN A1 job to zookeeper-1.
10. At 0ms zookeeper-1 carries out the CHILDREN A1 job of A and answers [_c_A2-lock-0000000000]. A's
    command overwrites the key queue:job/, its own, with "job/_c_A2-lock-0000000000", alive until
    6s.
11. At 0ms A gets its answer: [_c_A2-lock-0000000000]. A believes that it holds the lock, with the
    fencing token 4. A works under the lock for 12s.
12. At 2s A sends PING A1 to zookeeper-1.
13. At 2s no messages pass between A and zookeeper-1 until 14s. The PING A1 of A is lost between
    them.
14. At 4.001s A stops waiting for the answer to PING A1. A sends RECONNECT A1 to zookeeper-1. The
    RECONNECT A1 of A is lost between them.
15. At 6s the key queue:job/, set by A, expires.
16. At 6.001s B starts. B tries to acquire the lock job. B sends CONNECT B1 6000 to zookeeper-1.
17. At 6.001s zookeeper-1 carries out the CONNECT B1 6000 of B and answers 6000.
18. At 6.001s B gets its answer: 6000. B sends CREATE B1 job/_c_B2-lock- "" EPHEMERAL SEQUENTIAL to
    zookeeper-1.
19. At 6.001s zookeeper-1 carries out the CREATE B1 job/_c_B2-lock- "" EPHEMERAL SEQUENTIAL of B and
    answers [job/_c_B2-lock-0000000001 7]. B's command creates the key queue:job/ with
    "job/_c_B2-lock-0000000001", alive until 12.001s.
20. At 6.001s B gets its answer: [job/_c_B2-lock-0000000001 7]. B sends CHILDREN B1 job to
    zookeeper-1.
21. At 6.001s zookeeper-1 carries out the CHILDREN B1 job of B and answers [_c_B2-lock-0000000001].
    B's command overwrites the key queue:job/, its own, with "job/_c_B2-lock-0000000001", alive
    until 12.001s.
22. At 6.001s B gets its answer: [_c_B2-lock-0000000001]. B believes that it holds the lock, with
    the fencing token 7.

  why     At 6.001s B was granted the lock while A, granted at 0ms, still believes that it holds it:
          A has neither released it nor noticed a loss; its key expired at 6s. (steps 11 and 22)
  code    algorithms/curator.cpp:145 sends CHILDREN A1 job (step 11)
