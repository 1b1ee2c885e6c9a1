✘ lua-setnx-expire × none: recovery is violated
  2 clients · ttl 1.5s · expire-unit divided · zero-is refusal · 22 steps, and 1 in which only time
  passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless held" 1 job 1234 1.5
   to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL "take unless held" 1 job 1234 1.5
   to redis-1.
3. At 0ms redis-1 carries out the EVAL "take unless held" 1 job 1234 1.5 of A and answers error ERR
   value is not an integer or out of range script: bd62e675245a9087390c649be9ce75c49c3e3f59, on
   @user_script:1.. A's command creates the key job with "1234", without an expiry.
4. At 0ms redis-1 carries out the EVAL "take unless held" 1 job 1234 1.5 of B and answers 0.
5. At 0ms A gets its answer: error ERR value is not an integer or out of range script:
   bd62e675245a9087390c649be9ce75c49c3e3f59, on @user_script:1.. A fails to get the lock: "failed to
   eval script: ERR value is not an integer or out of range script:
   bd62e675245a9087390c649be9ce75c49c3e3f59, on @user_script:1."
6. At 0ms B gets its answer: 0. B does not get the lock: "eval result: 0".
7. At 1s A tries to acquire the lock job. A sends EVAL "take unless held" 1 job 1234 1.5 to redis-1.
8. At 1s B tries to acquire the lock job. B sends EVAL "take unless held" 1 job 1234 1.5 to redis-1.
9. At 1s redis-1 carries out the EVAL "take unless held" 1 job 1234 1.5 of A and answers 0.
10. At 1s redis-1 carries out the EVAL "take unless held" 1 job 1234 1.5 of B and answers 0.
11. At 1s A gets its answer: 0. A does not get the lock: "eval result: 0". A is finished.
12. At 1s B gets its answer: 0. B does not get the lock: "eval result: 0". B is finished.
13. At 1s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
    tries to acquire the lock job. C sends EVAL "take unless held" 1 job 1234 1.5 to redis-1.
14. At 1s redis-1 carries out the EVAL "take unless held" 1 job 1234 1.5 of C and answers 0.
15. At 1s C gets its answer: 0. C does not get the lock: "eval result: 0".
16. At 6s C tries to acquire the lock job. C sends EVAL "take unless held" 1 job 1234 1.5 to
    redis-1.
17. At 6s redis-1 carries out the EVAL "take unless held" 1 job 1234 1.5 of C and answers 0.
18. At 6s C gets its answer: 0. C does not get the lock: "eval result: 0".
19. At 11s C tries to acquire the lock job. C sends EVAL "take unless held" 1 job 1234 1.5 to
    redis-1.
20. At 11s redis-1 carries out the EVAL "take unless held" 1 job 1234 1.5 of C and answers 0.
21. At 11s C gets its answer: 0. C does not get the lock: "eval result: 0". C is finished.
22. At 11s the run is over.

  why     A new client, C, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and has no expiry. (steps 3 and 22)
  code    algorithms/lua_setnx_expire.cpp:37 sends EVAL "take unless held" 1 job 1234 1.5 (step 3)
