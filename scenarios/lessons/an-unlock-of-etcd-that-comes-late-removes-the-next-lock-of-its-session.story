✘ etcd-mutex × late-request: mutual-exclusion is violated
  2 clients · ttl 60s · session kept · blocking no · 15 steps, and 3 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends GRANT A1 60 to etcd-1.
2. At 0ms etcd-1 carries out the GRANT A1 60 of A and answers 60.
3. At 0ms A gets its answer: 60. A sends TXN IF create job/A1 = 0 THEN PUT job/A1 "" LEASE A1 ;
   REVISION ; GET job/ PREFIX FIRST TELL create ELSE GET job/A1 TELL create ; GET job/ PREFIX FIRST
   TELL create to etcd-1.
4. At 0ms etcd-1 carries out the TXN IF create job/A1 = 0 THEN PUT job/A1 "" LEASE A1 ; REVISION ;
   GET job/ PREFIX FIRST TELL create ELSE GET job/A1 TELL create ; GET job/ PREFIX FIRST TELL create
   of A and answers [1 OK 2 [[2]]]. A's command creates the key queue:job/ with "job/A1", alive
   until 60s.
5. At 0ms A gets its answer: [1 OK 2 [[2]]]. A believes that it holds the lock, with the fencing
   token 2. A begins to release the lock and no longer believes that it holds it. A sends DELETE
   job/A1 to etcd-1.
6. At 0ms the DELETE job/A1 of A will arrive late.
7. At 3s A stops waiting for the answer to DELETE job/A1. A cannot tell whether it has released the
   lock. A tries to acquire the lock job. A sends TXN IF create job/A1 = 0 THEN PUT job/A1 "" LEASE
   A1 ; REVISION ; GET job/ PREFIX FIRST TELL create ELSE GET job/A1 TELL create ; GET job/ PREFIX
   FIRST TELL create to etcd-1.
8. At 3s etcd-1 carries out the TXN IF create job/A1 = 0 THEN PUT job/A1 "" LEASE A1 ; REVISION ;
   GET job/ PREFIX FIRST TELL create ELSE GET job/A1 TELL create ; GET job/ PREFIX FIRST TELL create
   of A and answers [0 [[2]] [[2]]].
9. At 3s etcd-1 carries out the DELETE job/A1 of A and answers 1. A's command removes the key
   queue:job/, its own. an answer to A arrives, but A no longer waits for it.
10. At 3s A gets its answer: [0 [[2]] [[2]]]. A believes that it holds the lock, with the fencing
    token 2. A works under the lock for 4s.
11. At 5s B starts. B tries to acquire the lock job. B sends GRANT B1 60 to etcd-1.
12. At 5s etcd-1 carries out the GRANT B1 60 of B and answers 60.
13. At 5s B gets its answer: 60. B sends TXN IF create job/B1 = 0 THEN PUT job/B1 "" LEASE B1 ;
    REVISION ; GET job/ PREFIX FIRST TELL create ELSE GET job/B1 TELL create ; GET job/ PREFIX FIRST
    TELL create to etcd-1.
14. At 5s etcd-1 carries out the TXN IF create job/B1 = 0 THEN PUT job/B1 "" LEASE B1 ; REVISION ;
    GET job/ PREFIX FIRST TELL create ELSE GET job/B1 TELL create ; GET job/ PREFIX FIRST TELL
    create of B and answers [1 OK 4 [[4]]]. B's command creates the key queue:job/ with "job/B1",
    alive until 65s.
15. At 5s B gets its answer: [1 OK 4 [[4]]]. B believes that it holds the lock, with the fencing
    token 4. B begins to release the lock and no longer believes that it holds it. B sends DELETE
    job/B1 to etcd-1.

  why     At 5s B was granted the lock while A, granted at 3s, still believes that it holds it: A
          has neither released it nor noticed a loss; the store never held a key of it. (steps 10
          and 15)
  code    algorithms/etcd_mutex.cpp:81 sends TXN IF create job/A1 = 0 THEN PUT job/A1 "" LEASE A1 ;
          REVISION ; GET job/ PREFIX FIRST TELL create ELSE GET job/A1 TELL create ; GET job/ PREFIX
          FIRST TELL create (step 10)
  code    algorithms/etcd_mutex.cpp:56 sends DELETE job/B1 (step 15)
