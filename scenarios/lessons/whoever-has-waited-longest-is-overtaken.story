✘ resty-lock × none: bounded-bypass is violated
  2 clients · ttl 20s · timeout 10s · step 1s · max-step 4s · 134 steps, the last 70 for ever

2. At 0ms A starts. A tries to acquire the lock job. A sends ADD job true 20 to redis-1.
3. At 0ms B starts. B tries to acquire the lock job. B sends ADD job true 20 to redis-1.
4. At 0ms redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
   job with "true", alive until 20s.
5. At 0ms redis-1 carries out the ADD job true 20 of B and answers error exists.
6. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
7. At 0ms B gets its answer: error exists.
8. At 1s A begins to release the lock and no longer believes that it holds it. A sends DELETE job to
   redis-1.
9. At 1s B sends ADD job true 20 to redis-1.
10. At 1s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
11. At 1s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
12. At 1s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 21s.
13. At 1s redis-1 carries out the ADD job true 20 of B and answers error exists.
14. At 1s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
15. At 1s B gets its answer: error exists.
16. At 2s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
17. At 2s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
18. At 2s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
19. At 2s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 22s.
20. At 2s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
21. At 3s B sends ADD job true 20 to redis-1.
22. At 3s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
23. At 3s redis-1 carries out the ADD job true 20 of B and answers error exists.
24. At 3s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
25. At 3s B gets its answer: error exists.
26. At 3s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
27. At 3s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 23s.
28. At 3s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
29. At 4s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
30. At 4s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
31. At 4s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
32. At 4s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 24s.
33. At 4s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
34. At 5s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
35. At 5s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
36. At 5s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
37. At 5s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 25s.
38. At 5s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
39. At 6s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
40. At 6s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
41. At 6s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
42. At 6s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 26s.
43. At 6s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
44. At 7s B sends ADD job true 20 to redis-1.
45. At 7s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
46. At 7s redis-1 carries out the ADD job true 20 of B and answers error exists.
47. At 7s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
48. At 7s B gets its answer: error exists.
49. At 7s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
50. At 7s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 27s.
51. At 7s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
52. At 8s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
53. At 8s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
54. At 8s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
55. At 8s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 28s.
56. At 8s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
57. At 9s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
58. At 9s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
59. At 9s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
60. At 9s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 29s.
61. At 9s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
62. At 10s B sends ADD job true 20 to redis-1.
63. At 10s redis-1 carries out the ADD job true 20 of B and answers error exists.
64. At 10s B gets its answer: error exists. B does not get the lock: "timeout".
Then for ever:
65. At 10s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
66. At 10s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
67. At 10s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
68. At 10s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 30s.
69. At 10s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
70. At 11s B tries to acquire the lock job. B sends ADD job true 20 to redis-1.
71. At 11s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
72. At 11s redis-1 carries out the ADD job true 20 of B and answers error exists.
73. At 11s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
74. At 11s B gets its answer: error exists.
75. At 11s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
76. At 11s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 31s.
77. At 11s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
78. At 12s B sends ADD job true 20 to redis-1.
79. At 12s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
80. At 12s redis-1 carries out the ADD job true 20 of B and answers error exists.
81. At 12s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
82. At 12s B gets its answer: error exists.
83. At 12s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
84. At 12s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 32s.
85. At 12s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
86. At 13s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
87. At 13s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
88. At 13s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
89. At 13s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 33s.
90. At 13s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
91. At 14s B sends ADD job true 20 to redis-1.
92. At 14s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
93. At 14s redis-1 carries out the ADD job true 20 of B and answers error exists.
94. At 14s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
95. At 14s B gets its answer: error exists.
96. At 14s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
    lock job. A sends ADD job true 20 to redis-1.
97. At 14s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
    job with "true", alive until 34s.
98. At 14s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
99. At 15s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
    to redis-1.
100. At 15s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
     its own.
101. At 15s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
     lock job. A sends ADD job true 20 to redis-1.
102. At 15s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
     job with "true", alive until 35s.
103. At 15s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
104. At 16s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
     to redis-1.
105. At 16s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
     its own.
106. At 16s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
     lock job. A sends ADD job true 20 to redis-1.
107. At 16s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
     job with "true", alive until 36s.
108. At 16s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
109. At 17s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
     to redis-1.
110. At 17s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
     its own.
111. At 17s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
     lock job. A sends ADD job true 20 to redis-1.
112. At 17s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
     job with "true", alive until 37s.
113. At 17s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
114. At 18s B sends ADD job true 20 to redis-1.
115. At 18s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
     to redis-1.
116. At 18s redis-1 carries out the ADD job true 20 of B and answers error exists.
117. At 18s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
     its own.
118. At 18s B gets its answer: error exists.
119. At 18s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
     lock job. A sends ADD job true 20 to redis-1.
120. At 18s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
     job with "true", alive until 38s.
121. At 18s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
122. At 19s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
     to redis-1.
123. At 19s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
     its own.
124. At 19s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
     lock job. A sends ADD job true 20 to redis-1.
125. At 19s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
     job with "true", alive until 39s.
126. At 19s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
127. At 20s A begins to release the lock and no longer believes that it holds it. A sends DELETE job
     to redis-1.
128. At 20s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
     its own.
129. At 20s A gets its answer: OK. A reports that it has released the lock. A tries to acquire the
     lock job. A sends ADD job true 20 to redis-1.
130. At 20s redis-1 carries out the ADD job true 20 of A and answers OK. A's command creates the key
     job with "true", alive until 40s.
131. At 20s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
132. At 21s B sends ADD job true 20 to redis-1.
133. At 21s redis-1 carries out the ADD job true 20 of B and answers error exists.
134. At 21s B gets its answer: error exists. B does not get the lock: "timeout".

  then    for ever: steps 65 to 134 again
  why     B waits and keeps asking, the lock is granted to others 11 times, and after 11s everything
          is as it was after step 64: so it can go on for ever, and B never holds the lock. (steps
          65 and 134)
  code    algorithms/resty_lock.hpp:65 sends DELETE job (step 65)
  code    algorithms/resty_lock.hpp:93 sends ADD job true 20 (step 134)
