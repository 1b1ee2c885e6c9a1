✘ redismutex × none: recovery is violated
  3 clients · ttl 12s · 260 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
   script 2 job job:lock-intent A10001 12000 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job, to share it with other readers. B sends EVAL
   script 2 job job:lock-intent B10001 12000 to redis-1.
3. At 1ms redis-1 carries out the EVAL script 2 job job:lock-intent A10001 12000 of A and answers
   nil. A's command creates the key job with "set "A10001"", alive until 12.001s. A's command
   changes the expiry of the key job, its own; it is now alive until 12.001s.
4. At 1ms redis-1 carries out the EVAL script 2 job job:lock-intent B10001 12000 of B and answers
   nil. B's command overwrites the key job, with "set "A10001" "B10001"", alive until 12.001s. B's
   command changes the expiry of the key job, set by A; it is now alive until 12.001s.
5. At 2ms A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
   for 1s.
6. At 2ms B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
   for 4s.
7. At 1.002s A begins to release the lock and no longer believes that it holds it. A sends EVAL
   script 1 job A10001 to redis-1.
8. At 1.003s redis-1 carries out the EVAL script 1 job A10001 of A and answers 1. A's command
   overwrites the key job, its own, with "set "B10001"", alive until 12.001s.
9. At 1.004s A gets its answer: 1. A reports that it has released the lock. A is finished.
10. At 1.004s the faults are over; a new client, D, now tries to get the lock within 90s. D starts.
    D tries to acquire the lock job. D sends EVAL script 2 job job:lock-intent D10001 12000 0 to
    redis-1.
11. At 1.005s redis-1 carries out the EVAL script 2 job job:lock-intent D10001 12000 0 of D and
    answers 10996.
12. At 1.006s D gets its answer: 10996.
13. At 2s C starts. C tries to acquire the lock job, to share it with other readers. C sends EVAL
    script 2 job job:lock-intent C10001 12000 to redis-1.
14. At 2.001s redis-1 carries out the EVAL script 2 job job:lock-intent C10001 12000 of C and
    answers nil. C's command overwrites the key job, with "set "B10001" "C10001"", alive until
    14.001s. C's command changes the expiry of the key job, set by B; it is now alive until 14.001s.
15. At 2.002s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
16. At 4.002s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10001 to redis-1.
17. At 4.003s redis-1 carries out the EVAL script 1 job B10001 of B and answers 1. B's command
    overwrites the key job, its own, with "set "C10001"", alive until 14.001s.
18. At 4.004s B gets its answer: 1. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10002 12000
    to redis-1.
19. At 4.005s redis-1 carries out the EVAL script 2 job job:lock-intent B10002 12000 of B and
    answers nil. B's command overwrites the key job, with "set "B10002" "C10001"", alive until
    16.005s. B's command changes the expiry of the key job, set by C; it is now alive until 16.005s.
20. At 4.006s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
21. At 6.002s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C10001 to redis-1.
22. At 6.003s redis-1 carries out the EVAL script 1 job C10001 of C and answers 1. C's command
    overwrites the key job, its own, with "set "B10002"", alive until 16.005s.
23. At 6.004s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10002 12000
    to redis-1.
24. At 6.005s redis-1 carries out the EVAL script 2 job job:lock-intent C10002 12000 of C and
    answers nil. C's command overwrites the key job, with "set "B10002" "C10002"", alive until
    18.005s. C's command changes the expiry of the key job, set by B; it is now alive until 18.005s.
25. At 6.006s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
26. At 8.006s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10002 to redis-1.
27. At 8.007s redis-1 carries out the EVAL script 1 job B10002 of B and answers 1. B's command
    overwrites the key job, its own, with "set "C10002"", alive until 18.005s.
28. At 8.008s B gets its answer: 1. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10003 12000
    to redis-1.
29. At 8.009s redis-1 carries out the EVAL script 2 job job:lock-intent B10003 12000 of B and
    answers nil. B's command overwrites the key job, with "set "B10003" "C10002"", alive until
    20.009s. B's command changes the expiry of the key job, set by C; it is now alive until 20.009s.
30. At 8.01s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
31. At 10.006s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C10002 to redis-1.
32. At 10.007s redis-1 carries out the EVAL script 1 job C10002 of C and answers 1. C's command
    overwrites the key job, its own, with "set "B10003"", alive until 20.009s.
33. At 10.008s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10003 12000
    to redis-1.
34. At 10.009s redis-1 carries out the EVAL script 2 job job:lock-intent C10003 12000 of C and
    answers nil. C's command overwrites the key job, with "set "B10003" "C10003"", alive until
    22.009s. C's command changes the expiry of the key job, set by B; it is now alive until 22.009s.
35. At 10.01s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
36. At 12.002s D sends EVAL script 2 job job:lock-intent D10002 12000 0 to redis-1.
37. At 12.003s redis-1 carries out the EVAL script 2 job job:lock-intent D10002 12000 0 of D and
    answers 10006.
38. At 12.004s D gets its answer: 10006.
39. At 12.01s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10003 to redis-1.
40. At 12.011s redis-1 carries out the EVAL script 1 job B10003 of B and answers 1. B's command
    overwrites the key job, its own, with "set "C10003"", alive until 22.009s.
41. At 12.012s B gets its answer: 1. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10004 12000
    to redis-1.
42. At 12.013s redis-1 carries out the EVAL script 2 job job:lock-intent B10004 12000 of B and
    answers nil. B's command overwrites the key job, with "set "B10004" "C10003"", alive until
    24.013s. B's command changes the expiry of the key job, set by C; it is now alive until 24.013s.
43. At 12.014s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
44. At 14.01s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C10003 to redis-1.
45. At 14.011s redis-1 carries out the EVAL script 1 job C10003 of C and answers 1. C's command
    overwrites the key job, its own, with "set "B10004"", alive until 24.013s.
46. At 14.012s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10004 12000
    to redis-1.
47. At 14.013s redis-1 carries out the EVAL script 2 job job:lock-intent C10004 12000 of C and
    answers nil. C's command overwrites the key job, with "set "B10004" "C10004"", alive until
    26.013s. C's command changes the expiry of the key job, set by B; it is now alive until 26.013s.
48. At 14.014s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
49. At 16.014s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10004 to redis-1.
50. At 16.015s redis-1 carries out the EVAL script 1 job B10004 of B and answers 1. B's command
    overwrites the key job, its own, with "set "C10004"", alive until 26.013s.
51. At 16.016s B gets its answer: 1. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10005 12000
    to redis-1.
52. At 16.017s redis-1 carries out the EVAL script 2 job job:lock-intent B10005 12000 of B and
    answers nil. B's command overwrites the key job, with "set "B10005" "C10004"", alive until
    28.017s. B's command changes the expiry of the key job, set by C; it is now alive until 28.017s.
53. At 16.018s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
54. At 18.014s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C10004 to redis-1.
55. At 18.015s redis-1 carries out the EVAL script 1 job C10004 of C and answers 1. C's command
    overwrites the key job, its own, with "set "B10005"", alive until 28.017s.
56. At 18.016s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10005 12000
    to redis-1.
57. At 18.017s redis-1 carries out the EVAL script 2 job job:lock-intent C10005 12000 of C and
    answers nil. C's command overwrites the key job, with "set "B10005" "C10005"", alive until
    30.017s. C's command changes the expiry of the key job, set by B; it is now alive until 30.017s.
58. At 18.018s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
59. At 20.018s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10005 to redis-1.
60. At 20.019s redis-1 carries out the EVAL script 1 job B10005 of B and answers 1. B's command
    overwrites the key job, its own, with "set "C10005"", alive until 30.017s.
61. At 20.02s B gets its answer: 1. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10006 12000
    to redis-1.
62. At 20.021s redis-1 carries out the EVAL script 2 job job:lock-intent B10006 12000 of B and
    answers nil. B's command overwrites the key job, with "set "B10006" "C10005"", alive until
    32.021s. B's command changes the expiry of the key job, set by C; it is now alive until 32.021s.
63. At 20.022s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
64. At 22.01s D sends EVAL script 2 job job:lock-intent D10003 12000 0 to redis-1.
65. At 22.011s redis-1 carries out the EVAL script 2 job job:lock-intent D10003 12000 0 of D and
    answers 10010.
66. At 22.012s D gets its answer: 10010.
67. At 22.018s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C10005 to redis-1.
68. At 22.019s redis-1 carries out the EVAL script 1 job C10005 of C and answers 1. C's command
    overwrites the key job, its own, with "set "B10006"", alive until 32.021s.
69. At 22.02s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10006 12000
    to redis-1.
70. At 22.021s redis-1 carries out the EVAL script 2 job job:lock-intent C10006 12000 of C and
    answers nil. C's command overwrites the key job, with "set "B10006" "C10006"", alive until
    34.021s. C's command changes the expiry of the key job, set by B; it is now alive until 34.021s.
71. At 22.022s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
72. At 24.022s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10006 to redis-1.
73. At 24.023s redis-1 carries out the EVAL script 1 job B10006 of B and answers 1. B's command
    overwrites the key job, its own, with "set "C10006"", alive until 34.021s.
74. At 24.024s B gets its answer: 1. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10007 12000
    to redis-1.
75. At 24.025s redis-1 carries out the EVAL script 2 job job:lock-intent B10007 12000 of B and
    answers nil. B's command overwrites the key job, with "set "B10007" "C10006"", alive until
    36.025s. B's command changes the expiry of the key job, set by C; it is now alive until 36.025s.
76. At 24.026s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
77. At 26.022s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C10006 to redis-1.
78. At 26.023s redis-1 carries out the EVAL script 1 job C10006 of C and answers 1. C's command
    overwrites the key job, its own, with "set "B10007"", alive until 36.025s.
79. At 26.024s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10007 12000
    to redis-1.
80. At 26.025s redis-1 carries out the EVAL script 2 job job:lock-intent C10007 12000 of C and
    answers nil. C's command overwrites the key job, with "set "B10007" "C10007"", alive until
    38.025s. C's command changes the expiry of the key job, set by B; it is now alive until 38.025s.
81. At 26.026s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
82. At 28.026s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10007 to redis-1.
83. At 28.027s redis-1 carries out the EVAL script 1 job B10007 of B and answers 1. B's command
    overwrites the key job, its own, with "set "C10007"", alive until 38.025s.
84. At 28.028s B gets its answer: 1. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10008 12000
    to redis-1.
85. At 28.029s redis-1 carries out the EVAL script 2 job job:lock-intent B10008 12000 of B and
    answers nil. B's command overwrites the key job, with "set "B10008" "C10007"", alive until
    40.029s. B's command changes the expiry of the key job, set by C; it is now alive until 40.029s.
86. At 28.03s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
87. At 30.026s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C10007 to redis-1.
88. At 30.027s redis-1 carries out the EVAL script 1 job C10007 of C and answers 1. C's command
    overwrites the key job, its own, with "set "B10008"", alive until 40.029s.
89. At 30.028s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10008 12000
    to redis-1.
90. At 30.029s redis-1 carries out the EVAL script 2 job job:lock-intent C10008 12000 of C and
    answers nil. C's command overwrites the key job, with "set "B10008" "C10008"", alive until
    42.029s. C's command changes the expiry of the key job, set by B; it is now alive until 42.029s.
91. At 30.03s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
92. At 32.022s D sends EVAL script 2 job job:lock-intent D10004 12000 0 to redis-1.
93. At 32.023s redis-1 carries out the EVAL script 2 job job:lock-intent D10004 12000 0 of D and
    answers 10006.
94. At 32.024s D gets its answer: 10006.
95. At 32.03s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B10008 to redis-1.
96. At 32.031s redis-1 carries out the EVAL script 1 job B10008 of B and answers 1. B's command
    overwrites the key job, its own, with "set "C10008"", alive until 42.029s.
97. At 32.032s B gets its answer: 1. B reports that it has released the lock. B tries to acquire the
    lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10009 12000
    to redis-1.
98. At 32.033s redis-1 carries out the EVAL script 2 job job:lock-intent B10009 12000 of B and
    answers nil. B's command overwrites the key job, with "set "B10009" "C10008"", alive until
    44.033s. B's command changes the expiry of the key job, set by C; it is now alive until 44.033s.
99. At 32.034s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
100. At 34.03s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10008 to redis-1.
101. At 34.031s redis-1 carries out the EVAL script 1 job C10008 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10009"", alive until 44.033s.
102. At 34.032s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10009
     12000 to redis-1.
103. At 34.033s redis-1 carries out the EVAL script 2 job job:lock-intent C10009 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10009" "C10009"", alive until
     46.033s. C's command changes the expiry of the key job, set by B; it is now alive until
     46.033s.
104. At 34.034s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
105. At 36.034s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10009 to redis-1.
106. At 36.035s redis-1 carries out the EVAL script 1 job B10009 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10009"", alive until 46.033s.
107. At 36.036s B gets its answer: 1. B reports that it has released the lock. B tries to acquire
     the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10010
     12000 to redis-1.
108. At 36.037s redis-1 carries out the EVAL script 2 job job:lock-intent B10010 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10010" "C10009"", alive until
     48.037s. B's command changes the expiry of the key job, set by C; it is now alive until
     48.037s.
109. At 36.038s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
110. At 38.034s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10009 to redis-1.
111. At 38.035s redis-1 carries out the EVAL script 1 job C10009 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10010"", alive until 48.037s.
112. At 38.036s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10010
     12000 to redis-1.
113. At 38.037s redis-1 carries out the EVAL script 2 job job:lock-intent C10010 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10010" "C10010"", alive until
     50.037s. C's command changes the expiry of the key job, set by B; it is now alive until
     50.037s.
114. At 38.038s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
115. At 40.038s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10010 to redis-1.
116. At 40.039s redis-1 carries out the EVAL script 1 job B10010 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10010"", alive until 50.037s.
117. At 40.04s B gets its answer: 1. B reports that it has released the lock. B tries to acquire the
     lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10011
     12000 to redis-1.
118. At 40.041s redis-1 carries out the EVAL script 2 job job:lock-intent B10011 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10011" "C10010"", alive until
     52.041s. B's command changes the expiry of the key job, set by C; it is now alive until
     52.041s.
119. At 40.042s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
120. At 42.03s D sends EVAL script 2 job job:lock-intent D10005 12000 0 to redis-1.
121. At 42.031s redis-1 carries out the EVAL script 2 job job:lock-intent D10005 12000 0 of D and
     answers 10010.
122. At 42.032s D gets its answer: 10010.
123. At 42.038s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10010 to redis-1.
124. At 42.039s redis-1 carries out the EVAL script 1 job C10010 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10011"", alive until 52.041s.
125. At 42.04s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
     lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10011
     12000 to redis-1.
126. At 42.041s redis-1 carries out the EVAL script 2 job job:lock-intent C10011 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10011" "C10011"", alive until
     54.041s. C's command changes the expiry of the key job, set by B; it is now alive until
     54.041s.
127. At 42.042s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
128. At 44.042s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10011 to redis-1.
129. At 44.043s redis-1 carries out the EVAL script 1 job B10011 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10011"", alive until 54.041s.
130. At 44.044s B gets its answer: 1. B reports that it has released the lock. B tries to acquire
     the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10012
     12000 to redis-1.
131. At 44.045s redis-1 carries out the EVAL script 2 job job:lock-intent B10012 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10012" "C10011"", alive until
     56.045s. B's command changes the expiry of the key job, set by C; it is now alive until
     56.045s.
132. At 44.046s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
133. At 46.042s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10011 to redis-1.
134. At 46.043s redis-1 carries out the EVAL script 1 job C10011 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10012"", alive until 56.045s.
135. At 46.044s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10012
     12000 to redis-1.
136. At 46.045s redis-1 carries out the EVAL script 2 job job:lock-intent C10012 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10012" "C10012"", alive until
     58.045s. C's command changes the expiry of the key job, set by B; it is now alive until
     58.045s.
137. At 46.046s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
138. At 48.046s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10012 to redis-1.
139. At 48.047s redis-1 carries out the EVAL script 1 job B10012 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10012"", alive until 58.045s.
140. At 48.048s B gets its answer: 1. B reports that it has released the lock. B tries to acquire
     the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10013
     12000 to redis-1.
141. At 48.049s redis-1 carries out the EVAL script 2 job job:lock-intent B10013 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10013" "C10012"", alive until
     60.049s. B's command changes the expiry of the key job, set by C; it is now alive until
     60.049s.
142. At 48.05s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
143. At 50.046s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10012 to redis-1.
144. At 50.047s redis-1 carries out the EVAL script 1 job C10012 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10013"", alive until 60.049s.
145. At 50.048s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10013
     12000 to redis-1.
146. At 50.049s redis-1 carries out the EVAL script 2 job job:lock-intent C10013 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10013" "C10013"", alive until
     62.049s. C's command changes the expiry of the key job, set by B; it is now alive until
     62.049s.
147. At 50.05s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
148. At 52.042s D sends EVAL script 2 job job:lock-intent D10006 12000 0 to redis-1.
149. At 52.043s redis-1 carries out the EVAL script 2 job job:lock-intent D10006 12000 0 of D and
     answers 10006.
150. At 52.044s D gets its answer: 10006.
151. At 52.05s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10013 to redis-1.
152. At 52.051s redis-1 carries out the EVAL script 1 job B10013 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10013"", alive until 62.049s.
153. At 52.052s B gets its answer: 1. B reports that it has released the lock. B tries to acquire
     the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10014
     12000 to redis-1.
154. At 52.053s redis-1 carries out the EVAL script 2 job job:lock-intent B10014 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10014" "C10013"", alive until
     64.053s. B's command changes the expiry of the key job, set by C; it is now alive until
     64.053s.
155. At 52.054s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
156. At 54.05s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10013 to redis-1.
157. At 54.051s redis-1 carries out the EVAL script 1 job C10013 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10014"", alive until 64.053s.
158. At 54.052s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10014
     12000 to redis-1.
159. At 54.053s redis-1 carries out the EVAL script 2 job job:lock-intent C10014 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10014" "C10014"", alive until
     66.053s. C's command changes the expiry of the key job, set by B; it is now alive until
     66.053s.
160. At 54.054s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
161. At 56.054s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10014 to redis-1.
162. At 56.055s redis-1 carries out the EVAL script 1 job B10014 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10014"", alive until 66.053s.
163. At 56.056s B gets its answer: 1. B reports that it has released the lock. B tries to acquire
     the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10015
     12000 to redis-1.
164. At 56.057s redis-1 carries out the EVAL script 2 job job:lock-intent B10015 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10015" "C10014"", alive until
     68.057s. B's command changes the expiry of the key job, set by C; it is now alive until
     68.057s.
165. At 56.058s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
166. At 58.054s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10014 to redis-1.
167. At 58.055s redis-1 carries out the EVAL script 1 job C10014 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10015"", alive until 68.057s.
168. At 58.056s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10015
     12000 to redis-1.
169. At 58.057s redis-1 carries out the EVAL script 2 job job:lock-intent C10015 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10015" "C10015"", alive until
     70.057s. C's command changes the expiry of the key job, set by B; it is now alive until
     70.057s.
170. At 58.058s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
171. At 60.058s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10015 to redis-1.
172. At 60.059s redis-1 carries out the EVAL script 1 job B10015 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10015"", alive until 70.057s.
173. At 60.06s B gets its answer: 1. B reports that it has released the lock. B tries to acquire the
     lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10016
     12000 to redis-1.
174. At 60.061s redis-1 carries out the EVAL script 2 job job:lock-intent B10016 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10016" "C10015"", alive until
     72.061s. B's command changes the expiry of the key job, set by C; it is now alive until
     72.061s.
175. At 60.062s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
176. At 62.05s D sends EVAL script 2 job job:lock-intent D10007 12000 0 to redis-1.
177. At 62.051s redis-1 carries out the EVAL script 2 job job:lock-intent D10007 12000 0 of D and
     answers 10010.
178. At 62.052s D gets its answer: 10010.
179. At 62.058s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10015 to redis-1.
180. At 62.059s redis-1 carries out the EVAL script 1 job C10015 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10016"", alive until 72.061s.
181. At 62.06s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
     lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10016
     12000 to redis-1.
182. At 62.061s redis-1 carries out the EVAL script 2 job job:lock-intent C10016 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10016" "C10016"", alive until
     74.061s. C's command changes the expiry of the key job, set by B; it is now alive until
     74.061s.
183. At 62.062s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
184. At 64.062s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10016 to redis-1.
185. At 64.063s redis-1 carries out the EVAL script 1 job B10016 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10016"", alive until 74.061s.
186. At 64.064s B gets its answer: 1. B reports that it has released the lock. B tries to acquire
     the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10017
     12000 to redis-1.
187. At 64.065s redis-1 carries out the EVAL script 2 job job:lock-intent B10017 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10017" "C10016"", alive until
     76.065s. B's command changes the expiry of the key job, set by C; it is now alive until
     76.065s.
188. At 64.066s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
189. At 66.062s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10016 to redis-1.
190. At 66.063s redis-1 carries out the EVAL script 1 job C10016 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10017"", alive until 76.065s.
191. At 66.064s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10017
     12000 to redis-1.
192. At 66.065s redis-1 carries out the EVAL script 2 job job:lock-intent C10017 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10017" "C10017"", alive until
     78.065s. C's command changes the expiry of the key job, set by B; it is now alive until
     78.065s.
193. At 66.066s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
194. At 68.066s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10017 to redis-1.
195. At 68.067s redis-1 carries out the EVAL script 1 job B10017 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10017"", alive until 78.065s.
196. At 68.068s B gets its answer: 1. B reports that it has released the lock. B tries to acquire
     the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10018
     12000 to redis-1.
197. At 68.069s redis-1 carries out the EVAL script 2 job job:lock-intent B10018 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10018" "C10017"", alive until
     80.069s. B's command changes the expiry of the key job, set by C; it is now alive until
     80.069s.
198. At 68.07s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
199. At 70.066s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10017 to redis-1.
200. At 70.067s redis-1 carries out the EVAL script 1 job C10017 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10018"", alive until 80.069s.
201. At 70.068s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10018
     12000 to redis-1.
202. At 70.069s redis-1 carries out the EVAL script 2 job job:lock-intent C10018 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10018" "C10018"", alive until
     82.069s. C's command changes the expiry of the key job, set by B; it is now alive until
     82.069s.
203. At 70.07s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
204. At 72.062s D sends EVAL script 2 job job:lock-intent D10008 12000 0 to redis-1.
205. At 72.063s redis-1 carries out the EVAL script 2 job job:lock-intent D10008 12000 0 of D and
     answers 10006.
206. At 72.064s D gets its answer: 10006.
207. At 72.07s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10018 to redis-1.
208. At 72.071s redis-1 carries out the EVAL script 1 job B10018 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10018"", alive until 82.069s.
209. At 72.072s B gets its answer: 1. B reports that it has released the lock. B tries to acquire
     the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10019
     12000 to redis-1.
210. At 72.073s redis-1 carries out the EVAL script 2 job job:lock-intent B10019 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10019" "C10018"", alive until
     84.073s. B's command changes the expiry of the key job, set by C; it is now alive until
     84.073s.
211. At 72.074s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
212. At 74.07s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10018 to redis-1.
213. At 74.071s redis-1 carries out the EVAL script 1 job C10018 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10019"", alive until 84.073s.
214. At 74.072s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10019
     12000 to redis-1.
215. At 74.073s redis-1 carries out the EVAL script 2 job job:lock-intent C10019 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10019" "C10019"", alive until
     86.073s. C's command changes the expiry of the key job, set by B; it is now alive until
     86.073s.
216. At 74.074s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
217. At 76.074s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10019 to redis-1.
218. At 76.075s redis-1 carries out the EVAL script 1 job B10019 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10019"", alive until 86.073s.
219. At 76.076s B gets its answer: 1. B reports that it has released the lock. B tries to acquire
     the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10020
     12000 to redis-1.
220. At 76.077s redis-1 carries out the EVAL script 2 job job:lock-intent B10020 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10020" "C10019"", alive until
     88.077s. B's command changes the expiry of the key job, set by C; it is now alive until
     88.077s.
221. At 76.078s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
222. At 78.074s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10019 to redis-1.
223. At 78.075s redis-1 carries out the EVAL script 1 job C10019 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10020"", alive until 88.077s.
224. At 78.076s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10020
     12000 to redis-1.
225. At 78.077s redis-1 carries out the EVAL script 2 job job:lock-intent C10020 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10020" "C10020"", alive until
     90.077s. C's command changes the expiry of the key job, set by B; it is now alive until
     90.077s.
226. At 78.078s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
227. At 80.078s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10020 to redis-1.
228. At 80.079s redis-1 carries out the EVAL script 1 job B10020 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10020"", alive until 90.077s.
229. At 80.08s B gets its answer: 1. B reports that it has released the lock. B tries to acquire the
     lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10021
     12000 to redis-1.
230. At 80.081s redis-1 carries out the EVAL script 2 job job:lock-intent B10021 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10021" "C10020"", alive until
     92.081s. B's command changes the expiry of the key job, set by C; it is now alive until
     92.081s.
231. At 80.082s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
232. At 82.07s D sends EVAL script 2 job job:lock-intent D10009 12000 0 to redis-1.
233. At 82.071s redis-1 carries out the EVAL script 2 job job:lock-intent D10009 12000 0 of D and
     answers 10010.
234. At 82.072s D gets its answer: 10010.
235. At 82.078s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10020 to redis-1.
236. At 82.079s redis-1 carries out the EVAL script 1 job C10020 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10021"", alive until 92.081s.
237. At 82.08s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
     lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10021
     12000 to redis-1.
238. At 82.081s redis-1 carries out the EVAL script 2 job job:lock-intent C10021 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10021" "C10021"", alive until
     94.081s. C's command changes the expiry of the key job, set by B; it is now alive until
     94.081s.
239. At 82.082s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
240. At 84.082s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10021 to redis-1.
241. At 84.083s redis-1 carries out the EVAL script 1 job B10021 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10021"", alive until 94.081s.
242. At 84.084s B gets its answer: 1. B reports that it has released the lock. B tries to acquire
     the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10022
     12000 to redis-1.
243. At 84.085s redis-1 carries out the EVAL script 2 job job:lock-intent B10022 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10022" "C10021"", alive until
     96.085s. B's command changes the expiry of the key job, set by C; it is now alive until
     96.085s.
244. At 84.086s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
245. At 86.082s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10021 to redis-1.
246. At 86.083s redis-1 carries out the EVAL script 1 job C10021 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10022"", alive until 96.085s.
247. At 86.084s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10022
     12000 to redis-1.
248. At 86.085s redis-1 carries out the EVAL script 2 job job:lock-intent C10022 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10022" "C10022"", alive until
     98.085s. C's command changes the expiry of the key job, set by B; it is now alive until
     98.085s.
249. At 86.086s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
250. At 88.086s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10022 to redis-1.
251. At 88.087s redis-1 carries out the EVAL script 1 job B10022 of B and answers 1. B's command
     overwrites the key job, its own, with "set "C10022"", alive until 98.085s.
252. At 88.088s B gets its answer: 1. B reports that it has released the lock. B tries to acquire
     the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent B10023
     12000 to redis-1.
253. At 88.089s redis-1 carries out the EVAL script 2 job job:lock-intent B10023 12000 of B and
     answers nil. B's command overwrites the key job, with "set "B10023" "C10022"", alive until
     100.089s. B's command changes the expiry of the key job, set by C; it is now alive until
     100.089s.
254. At 88.09s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
255. At 90.086s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C10022 to redis-1.
256. At 90.087s redis-1 carries out the EVAL script 1 job C10022 of C and answers 1. C's command
     overwrites the key job, its own, with "set "B10023"", alive until 100.089s.
257. At 90.088s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10023
     12000 to redis-1.
258. At 90.089s redis-1 carries out the EVAL script 2 job job:lock-intent C10023 12000 of C and
     answers nil. C's command overwrites the key job, with "set "B10023" "C10023"", alive until
     102.089s. C's command changes the expiry of the key job, set by B; it is now alive until
     102.089s.
259. At 90.09s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
260. At 90.09s the run is over.

  why     A new client, D, tried for 89.086s after the last fault and was not granted the lock: the
          key that C wrote at 90.089s still stands and expires at 102.089s. (steps 258 and 260)
  code    algorithms/redismutex.cpp:62 sends EVAL script 2 job job:lock-intent C10023 12000 (step
          258)
