✘ k8s-lease × partition: mutual-exclusion is violated
  2 clients · ttl 6900ms · renew-deadline 5500ms · blocking yes · release-on-cancel no · 33 steps,
  and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends GET job TELL value mod to etcd-1.
2. At 0ms etcd-1 carries out the GET job TELL value mod of A and answers [].
3. At 0ms A gets its answer: []. A sends TXN IF create job = 0 THEN PUT job "A.1 6" ; REVISION to
   etcd-1.
4. At 0ms etcd-1 carries out the TXN IF create job = 0 THEN PUT job "A.1 6" ; REVISION of A and
   answers [1 OK 2]. A's command creates the key job with "A.1 6", without an expiry.
5. At 0ms A gets its answer: [1 OK 2]. A believes that it holds the lock. A works under the lock for
   12s.
6. At 1s B starts. B tries to acquire the lock job. B sends GET job TELL value mod to etcd-1.
7. At 1s A sends TXN IF mod job = 2 THEN PUT job "A.1 6" ; REVISION to etcd-1.
8. At 1s etcd-1 carries out the TXN IF mod job = 2 THEN PUT job "A.1 6" ; REVISION of A and answers
   [1 OK 3]. A's command overwrites the key job, its own, with "A.1 6", without an expiry.
9. At 1s etcd-1 carries out the GET job TELL value mod of B and answers [[A.1 6 3]].
10. At 1s A gets its answer: [1 OK 3].
11. At 1s B gets its answer: [[A.1 6 3]].
12. At 2s A sends TXN IF mod job = 3 THEN PUT job "A.1 6" ; REVISION to etcd-1.
13. At 2s no messages pass between A and etcd-1 until 12s. The TXN IF mod job = 3 THEN PUT job "A.1
    6" ; REVISION of A is lost between them.
14. At 2s B sends GET job TELL value mod to etcd-1.
15. At 2s etcd-1 carries out the GET job TELL value mod of B and answers [[A.1 6 3]].
16. At 2s B gets its answer: [[A.1 6 3]].
17. At 3s B sends GET job TELL value mod to etcd-1.
18. At 3s etcd-1 carries out the GET job TELL value mod of B and answers [[A.1 6 3]].
19. At 3s B gets its answer: [[A.1 6 3]].
20. At 4s B sends GET job TELL value mod to etcd-1.
21. At 4s etcd-1 carries out the GET job TELL value mod of B and answers [[A.1 6 3]].
22. At 4s B gets its answer: [[A.1 6 3]].
23. At 5s B sends GET job TELL value mod to etcd-1.
24. At 5s etcd-1 carries out the GET job TELL value mod of B and answers [[A.1 6 3]].
25. At 5s B gets its answer: [[A.1 6 3]].
26. At 6s B sends GET job TELL value mod to etcd-1.
27. At 6s etcd-1 carries out the GET job TELL value mod of B and answers [[A.1 6 3]].
28. At 6s B gets its answer: [[A.1 6 3]].
29. At 7s B sends GET job TELL value mod to etcd-1.
30. At 7s etcd-1 carries out the GET job TELL value mod of B and answers [[A.1 6 3]].
31. At 7s B gets its answer: [[A.1 6 3]]. B sends TXN IF mod job = 3 THEN PUT job "B.1 6" ; REVISION
    to etcd-1.
32. At 7s etcd-1 carries out the TXN IF mod job = 3 THEN PUT job "B.1 6" ; REVISION of B and answers
    [1 OK 4]. B's command overwrites the key job, set by A, with "B.1 6", without an expiry.
33. At 7s B gets its answer: [1 OK 4]. B believes that it holds the lock. B begins to release the
    lock and no longer believes that it holds it. B leaves what it wrote where it keeps the others
    out. B reports that it has released the lock. B is finished.

  why     At 7s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key was overwritten by B at 7s. (steps 5
          and 33)
  code    algorithms/k8s_lease.cpp:82 sends TXN IF create job = 0 THEN PUT job "A.1 6" ; REVISION
          (step 5)
