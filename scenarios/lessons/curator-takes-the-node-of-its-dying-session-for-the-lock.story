✘ curator × partition: mutual-exclusion is violated
  3 clients · ttl 6s · session kept · blocking yes · 83 steps, and 12 in which only time passes

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
    fencing token 4. A works under the lock for 14s.
12. At 1s B starts. B tries to acquire the lock job. B sends CONNECT B1 6000 to zookeeper-1.
13. At 1s zookeeper-1 carries out the CONNECT B1 6000 of B and answers 6000.
14. At 1s B gets its answer: 6000. B sends CREATE B1 job/_c_B2-lock- "" EPHEMERAL SEQUENTIAL to
    zookeeper-1.
15. At 1s zookeeper-1 carries out the CREATE B1 job/_c_B2-lock- "" EPHEMERAL SEQUENTIAL of B and
    answers [job/_c_B2-lock-0000000001 6]. B's command overwrites the key queue:job/, with
    "job/_c_A2-lock-0000000000", alive until 6s.
16. At 1s B gets its answer: [job/_c_B2-lock-0000000001 6]. B sends CHILDREN B1 job to zookeeper-1.
17. At 1s zookeeper-1 carries out the CHILDREN B1 job of B and answers [_c_A2-lock-0000000000
    _c_B2-lock-0000000001]. B's command overwrites the key queue:job/, its own, with
    "job/_c_A2-lock-0000000000", alive until 6s.
18. At 1s no answers pass between B and zookeeper-1 until 13s. The CHILDREN B1 job of B is lost
    between them.
19. At 2s A sends PING A1 to zookeeper-1.
20. At 2s zookeeper-1 carries out the PING A1 of A and answers OK. A's command overwrites the key
    queue:job/, its own, with "job/_c_A2-lock-0000000000", alive until 8s.
21. At 2s A gets its answer: OK.
22. At 3s B sends PING B1 to zookeeper-1.
23. At 3s zookeeper-1 carries out the PING B1 of B and answers OK. B's command overwrites the key
    queue:job/, its own, with "job/_c_A2-lock-0000000000", alive until 8s. The PING B1 of B is lost
    between them.
24. At 4s B stops waiting for the answer to CHILDREN B1 job.
25. At 4s A sends PING A1 to zookeeper-1.
26. At 4s zookeeper-1 carries out the PING A1 of A and answers OK. A's command overwrites the key
    queue:job/, its own, with "job/_c_A2-lock-0000000000", alive until 10s.
27. At 4s A gets its answer: OK.
28. At 5s B sends CHILDREN B1 job to zookeeper-1.
29. At 5s zookeeper-1 carries out the CHILDREN B1 job of B and answers [_c_A2-lock-0000000000
    _c_B2-lock-0000000001]. B's command overwrites the key queue:job/, its own, with
    "job/_c_A2-lock-0000000000", alive until 10s. The CHILDREN B1 job of B is lost between them.
30. At 5.001s B stops waiting for the answer to PING B1. B sends RECONNECT B1 to zookeeper-1.
31. At 5.001s zookeeper-1 carries out the RECONNECT B1 of B and answers 6000. B's command overwrites
    the key queue:job/, its own, with "job/_c_A2-lock-0000000000", alive until 10s. The RECONNECT B1
    of B is lost between them.
32. At 6s A sends PING A1 to zookeeper-1.
33. At 6s zookeeper-1 carries out the PING A1 of A and answers OK. A's command overwrites the key
    queue:job/, its own, with "job/_c_A2-lock-0000000000", alive until 12s.
34. At 6s A gets its answer: OK.
35. At 7.002s B stops waiting for the answer to RECONNECT B1. B sends RECONNECT B1 to zookeeper-1.
36. At 7.002s zookeeper-1 carries out the RECONNECT B1 of B and answers 6000. B's command overwrites
    the key queue:job/, its own, with "job/_c_A2-lock-0000000000", alive until 12s. The RECONNECT B1
    of B is lost between them.
37. At 8s B stops waiting for the answer to CHILDREN B1 job.
38. At 8s A sends PING A1 to zookeeper-1.
39. At 8s zookeeper-1 carries out the PING A1 of A and answers OK. A's command overwrites the key
    queue:job/, its own, with "job/_c_A2-lock-0000000000", alive until 14s.
40. At 8s A gets its answer: OK.
41. At 9s B sends CHILDREN B1 job to zookeeper-1.
42. At 9s zookeeper-1 carries out the CHILDREN B1 job of B and answers [_c_A2-lock-0000000000
    _c_B2-lock-0000000001]. B's command overwrites the key queue:job/, its own, with
    "job/_c_A2-lock-0000000000", alive until 14s. The CHILDREN B1 job of B is lost between them.
43. At 9.003s B stops waiting for the answer to RECONNECT B1. B sends RECONNECT B1 to zookeeper-1.
44. At 9.003s zookeeper-1 carries out the RECONNECT B1 of B and answers 6000. B's command overwrites
    the key queue:job/, its own, with "job/_c_A2-lock-0000000000", alive until 14s. The RECONNECT B1
    of B is lost between them.
45. At 10s A sends PING A1 to zookeeper-1.
46. At 10s zookeeper-1 carries out the PING A1 of A and answers OK. A's command overwrites the key
    queue:job/, its own, with "job/_c_A2-lock-0000000000", alive until 16s.
47. At 10s A gets its answer: OK.
48. At 11.004s B stops waiting for the answer to RECONNECT B1. B sends CONNECT B3 6000 to
    zookeeper-1.
49. At 11.004s zookeeper-1 carries out the CONNECT B3 6000 of B and answers 6000.
50. At 11.004s B gets its answer: 6000.
51. At 12s B stops waiting for the answer to CHILDREN B1 job.
52. At 12s A sends PING A1 to zookeeper-1.
53. At 12s zookeeper-1 carries out the PING A1 of A and answers OK. A's command overwrites the key
    queue:job/, its own, with "job/_c_A2-lock-0000000000", alive until 18s.
54. At 12s A gets its answer: OK.
55. At 13s B sends CHILDREN B3 job to zookeeper-1.
56. At 13s zookeeper-1 carries out the CHILDREN B3 job of B and answers [_c_A2-lock-0000000000
    _c_B2-lock-0000000001].
57. At 13s B gets its answer: [_c_A2-lock-0000000000 _c_B2-lock-0000000001]. B sends GET B3
    job/_c_A2-lock-0000000000 WATCH to zookeeper-1.
58. At 13s zookeeper-1 carries out the GET B3 job/_c_A2-lock-0000000000 WATCH of B and answers "".
59. At 13s B gets its answer: "".
60. At 13.004s B sends PING B3 to zookeeper-1.
61. At 13.004s zookeeper-1 carries out the PING B3 of B and answers OK.
62. At 13.004s B gets its answer: OK.
63. At 14s A begins to release the lock and no longer believes that it holds it. A sends DELETE A1
    job/_c_A2-lock-0000000000 to zookeeper-1.
64. At 14s A sends PING A1 to zookeeper-1.
65. At 14s zookeeper-1 carries out the DELETE A1 job/_c_A2-lock-0000000000 of A and answers OK. A's
    command overwrites the key queue:job/, its own, with "job/_c_B2-lock-0000000001", alive until
    15.003s. A's command overwrites the key queue:job/, with "job/_c_B2-lock-0000000001", alive
    until 15.003s. zookeeper-1 sends the message [NodeDeleted job/_c_A2-lock-0000000000] to B, which
    listens.
66. At 14s zookeeper-1 carries out the PING A1 of A and answers OK.
67. At 14s A gets its answer: OK. A reports that it has released the lock. A is finished.
68. At 14s B gets its answer: [NodeDeleted job/_c_A2-lock-0000000000]. B sends CHILDREN B3 job to
    zookeeper-1.
69. At 14s A gets its answer: OK.
70. At 14s zookeeper-1 carries out the CHILDREN B3 job of B and answers [_c_B2-lock-0000000001].
71. At 14s B gets its answer: [_c_B2-lock-0000000001]. B believes that it holds the lock, with the
    fencing token 6. B works under the lock for 14s.
72. At 15s C starts. C tries to acquire the lock job. C sends CONNECT C1 6000 to zookeeper-1.
73. At 15s zookeeper-1 carries out the CONNECT C1 6000 of C and answers 6000.
74. At 15s C gets its answer: 6000. C sends CREATE C1 job/_c_C2-lock- "" EPHEMERAL SEQUENTIAL to
    zookeeper-1.
75. At 15s zookeeper-1 carries out the CREATE C1 job/_c_C2-lock- "" EPHEMERAL SEQUENTIAL of C and
    answers [job/_c_C2-lock-0000000002 10]. C's command overwrites the key queue:job/, with
    "job/_c_B2-lock-0000000001", alive until 15.003s.
76. At 15s C gets its answer: [job/_c_C2-lock-0000000002 10]. C sends CHILDREN C1 job to
    zookeeper-1.
77. At 15s zookeeper-1 carries out the CHILDREN C1 job of C and answers [_c_B2-lock-0000000001
    _c_C2-lock-0000000002]. C's command overwrites the key queue:job/, its own, with
    "job/_c_B2-lock-0000000001", alive until 15.003s.
78. At 15s C gets its answer: [_c_B2-lock-0000000001 _c_C2-lock-0000000002]. C sends GET C1
    job/_c_B2-lock-0000000001 WATCH to zookeeper-1.
79. At 15s zookeeper-1 carries out the GET C1 job/_c_B2-lock-0000000001 WATCH of C and answers "".
    C's command overwrites the key queue:job/, its own, with "job/_c_B2-lock-0000000001", alive
    until 15.003s.
80. At 15s C gets its answer: "".
81. At 15.003s the key queue:job/, set by B, expires. zookeeper-1 sends the message [NodeDeleted
    job/_c_B2-lock-0000000001] to C, which listens. C gets its answer: [NodeDeleted
    job/_c_B2-lock-0000000001]. C sends CHILDREN C1 job to zookeeper-1.
82. At 15.003s zookeeper-1 carries out the CHILDREN C1 job of C and answers [_c_C2-lock-0000000002].
    C's command overwrites the key queue:job/, its own, with "job/_c_C2-lock-0000000002", alive
    until 21.003s.
83. At 15.003s C gets its answer: [_c_C2-lock-0000000002]. C believes that it holds the lock, with
    the fencing token 10. C works under the lock for 1s.

  why     At 15.003s C was granted the lock while B, granted at 14s, still believes that it holds
          it: B has neither released it nor noticed a loss; its key expired at 15.003s. (steps 71
          and 83)
  code    algorithms/curator.cpp:145 sends CHILDREN B3 job (step 71)
