✘ etcd-mutex × lost-request: mutual-exclusion is violated
  2 clients · ttl 6s · blocking no · keep-alives one · 14 steps, and 4 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends GRANT A1 6 to etcd-1.
2. At 1s etcd-1 carries out the GRANT A1 6 of A and answers 6.
3. At 2s A gets its answer: 6. A sends TXN IF create job/A1 = 0 THEN PUT job/A1 "" LEASE A1 ;
   REVISION ; GET job/ PREFIX FIRST TELL create ELSE GET job/A1 TELL create ; GET job/ PREFIX FIRST
   TELL create to etcd-1.
4. At 3s etcd-1 carries out the TXN IF create job/A1 = 0 THEN PUT job/A1 "" LEASE A1 ; REVISION ;
   GET job/ PREFIX FIRST TELL create ELSE GET job/A1 TELL create ; GET job/ PREFIX FIRST TELL create
   of A and answers [1 OK 2 [[2]]]. A's command creates the key queue:job/ with "job/A1", alive
   until 7s.
5. At 4s B starts. B tries to acquire the lock job. B sends GRANT B1 6 to etcd-1.
6. At 4s A sends KEEPALIVE A1 to etcd-1.
7. At 4s A gets its answer: [1 OK 2 [[2]]]. A believes that it holds the lock, with the fencing
   token 2. A works under the lock for 7s.
8. At 4s the KEEPALIVE A1 of A is lost on its way.
9. At 5s etcd-1 carries out the GRANT B1 6 of B and answers 6.
10. At 6s B gets its answer: 6. B sends TXN IF create job/B1 = 0 THEN PUT job/B1 "" LEASE B1 ;
    REVISION ; GET job/ PREFIX FIRST TELL create ELSE GET job/B1 TELL create ; GET job/ PREFIX FIRST
    TELL create to etcd-1.
11. At 6.001s A sends KEEPALIVE A1 to etcd-1.
12. At 7s the key queue:job/, set by A, expires. etcd-1 carries out the TXN IF create job/B1 = 0
    THEN PUT job/B1 "" LEASE B1 ; REVISION ; GET job/ PREFIX FIRST TELL create ELSE GET job/B1 TELL
    create ; GET job/ PREFIX FIRST TELL create of B and answers [1 OK 4 [[4]]]. B's command creates
    the key queue:job/ with "job/B1", alive until 11s.
13. At 7.001s etcd-1 carries out the KEEPALIVE A1 of A and answers 0.
14. At 8s B gets its answer: [1 OK 4 [[4]]]. B believes that it holds the lock, with the fencing
    token 4. B begins to release the lock and no longer believes that it holds it. B sends DELETE
    job/B1 to etcd-1.

  why     At 8s B was granted the lock while A, granted at 4s, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 7s. (steps 7 and 14)
  code    algorithms/etcd_mutex.cpp:81 sends TXN IF create job/A1 = 0 THEN PUT job/A1 "" LEASE A1 ;
          REVISION ; GET job/ PREFIX FIRST TELL create ELSE GET job/A1 TELL create ; GET job/ PREFIX
          FIRST TELL create (step 7)
  code    algorithms/etcd_mutex.cpp:56 sends DELETE job/B1 (step 14)
