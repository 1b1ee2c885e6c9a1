✘ redismutex × none: recovery is violated
  3 clients · ttl 4s · intent yes · 270 steps

2. At 0ms A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
   script 2 job job:lock-intent A1 12000 to redis-1.
3. At 0ms B starts. B tries to acquire the lock job, to share it with other readers. B sends EVAL
   script 2 job job:lock-intent B1 12000 to redis-1.
4. At 1ms redis-1 carries out the EVAL script 2 job job:lock-intent A1 12000 of A and answers nil.
   A's command creates the key job with "set "A1"", alive until 12.001s. A's command changes the
   expiry of the key job, its own; it is now alive until 12.001s.
5. At 1ms redis-1 carries out the EVAL script 2 job job:lock-intent B1 12000 of B and answers nil.
   B's command overwrites the key job, set by A, with "set "A1" "B1"", alive until 12.001s. B's
   command changes the expiry of the key job, its own; it is now alive until 12.001s.
6. At 2ms A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
   for 1s.
7. At 2ms B gets its answer: nil. B believes that it holds the lock, shared. B works under the lock
   for 4s.
8. At 1.002s A begins to release the lock and no longer believes that it holds it. A sends EVAL
   script 1 job A1 to redis-1.
9. At 1.003s redis-1 carries out the EVAL script 1 job A1 of A and answers 1. A's command overwrites
   the key job, set by B, with "set "B1"", alive until 12.001s.
10. At 1.004s A gets its answer: 1. A reports that it has released the lock. A is finished.
11. At 1.004s the faults are over; a new client, D, now tries to get the lock within 90s. D starts.
    D tries to acquire the lock job. D sends EVAL script 2 job job:lock-intent D1 4000 1 to redis-1.
12. At 1.005s redis-1 carries out the EVAL script 2 job job:lock-intent D1 4000 1 of D and answers
    10996.
13. At 1.006s D gets its answer: 10996.
14. At 2s C starts. C tries to acquire the lock job, to share it with other readers. C sends EVAL
    script 2 job job:lock-intent C1 12000 to redis-1.
15. At 2.001s redis-1 carries out the EVAL script 2 job job:lock-intent C1 12000 of C and answers
    3004.
16. At 2.002s C gets its answer: 3004.
17. At 4.002s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B1 to redis-1.
18. At 4.003s redis-1 carries out the EVAL script 1 job B1 of B and answers 0. B's command removes
    the key job, set by A.
19. At 4.004s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
    acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
    B2 12000 to redis-1.
20. At 4.005s redis-1 carries out the EVAL script 2 job job:lock-intent B2 12000 of B and answers
    1000.
21. At 4.006s B gets its answer: 1000.
22. At 5.006s C sends EVAL script 2 job job:lock-intent C2 12000 to redis-1.
23. At 5.006s B sends EVAL script 2 job job:lock-intent B3 12000 to redis-1.
24. At 5.007s redis-1 carries out the EVAL script 2 job job:lock-intent C2 12000 of C and answers
    nil. C's command creates the key job with "set "C2"", alive until 17.007s. C's command changes
    the expiry of the key job, its own; it is now alive until 17.007s.
25. At 5.007s redis-1 carries out the EVAL script 2 job job:lock-intent B3 12000 of B and answers
    nil. B's command overwrites the key job, set by C, with "set "B3" "C2"", alive until 17.007s.
    B's command changes the expiry of the key job, its own; it is now alive until 17.007s.
26. At 5.008s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
27. At 5.008s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
28. At 9.008s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C2 to redis-1.
29. At 9.008s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B3 to redis-1.
30. At 9.009s redis-1 carries out the EVAL script 1 job C2 of C and answers 1. C's command
    overwrites the key job, set by B, with "set "B3"", alive until 17.007s.
31. At 9.009s redis-1 carries out the EVAL script 1 job B3 of B and answers 0. B's command removes
    the key job, set by C.
32. At 9.01s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C3 12000 to
    redis-1.
33. At 9.01s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
    acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
    B4 12000 to redis-1.
34. At 9.011s redis-1 carries out the EVAL script 2 job job:lock-intent C3 12000 of C and answers
    nil. C's command creates the key job with "set "C3"", alive until 21.011s. C's command changes
    the expiry of the key job, its own; it is now alive until 21.011s.
35. At 9.011s redis-1 carries out the EVAL script 2 job job:lock-intent B4 12000 of B and answers
    nil. B's command overwrites the key job, set by C, with "set "B4" "C3"", alive until 21.011s.
    B's command changes the expiry of the key job, its own; it is now alive until 21.011s.
36. At 9.012s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
37. At 9.012s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
38. At 12.002s D sends EVAL script 2 job job:lock-intent D2 4000 1 to redis-1.
39. At 12.003s redis-1 carries out the EVAL script 2 job job:lock-intent D2 4000 1 of D and answers
    9008.
40. At 12.004s D gets its answer: 9008.
41. At 13.012s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C3 to redis-1.
42. At 13.012s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B4 to redis-1.
43. At 13.013s redis-1 carries out the EVAL script 1 job C3 of C and answers 1. C's command
    overwrites the key job, set by B, with "set "B4"", alive until 21.011s.
44. At 13.013s redis-1 carries out the EVAL script 1 job B4 of B and answers 0. B's command removes
    the key job, set by C.
45. At 13.014s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C4 12000 to
    redis-1.
46. At 13.014s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
    acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
    B5 12000 to redis-1.
47. At 13.015s redis-1 carries out the EVAL script 2 job job:lock-intent C4 12000 of C and answers
    2988.
48. At 13.015s redis-1 carries out the EVAL script 2 job job:lock-intent B5 12000 of B and answers
    2988.
49. At 13.016s C gets its answer: 2988.
50. At 13.016s B gets its answer: 2988.
51. At 16.004s C sends EVAL script 2 job job:lock-intent C5 12000 to redis-1.
52. At 16.004s B sends EVAL script 2 job job:lock-intent B6 12000 to redis-1.
53. At 16.005s redis-1 carries out the EVAL script 2 job job:lock-intent C5 12000 of C and answers
    nil. C's command creates the key job with "set "C5"", alive until 28.005s. C's command changes
    the expiry of the key job, its own; it is now alive until 28.005s.
54. At 16.005s redis-1 carries out the EVAL script 2 job job:lock-intent B6 12000 of B and answers
    nil. B's command overwrites the key job, set by C, with "set "B6" "C5"", alive until 28.005s.
    B's command changes the expiry of the key job, its own; it is now alive until 28.005s.
55. At 16.006s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
56. At 16.006s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
57. At 20.006s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C5 to redis-1.
58. At 20.006s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B6 to redis-1.
59. At 20.007s redis-1 carries out the EVAL script 1 job C5 of C and answers 1. C's command
    overwrites the key job, set by B, with "set "B6"", alive until 28.005s.
60. At 20.007s redis-1 carries out the EVAL script 1 job B6 of B and answers 0. B's command removes
    the key job, set by C.
61. At 20.008s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C6 12000 to
    redis-1.
62. At 20.008s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
    acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
    B7 12000 to redis-1.
63. At 20.009s redis-1 carries out the EVAL script 2 job job:lock-intent C6 12000 of C and answers
    nil. C's command creates the key job with "set "C6"", alive until 32.009s. C's command changes
    the expiry of the key job, its own; it is now alive until 32.009s.
64. At 20.009s redis-1 carries out the EVAL script 2 job job:lock-intent B7 12000 of B and answers
    nil. B's command overwrites the key job, set by C, with "set "B7" "C6"", alive until 32.009s.
    B's command changes the expiry of the key job, its own; it is now alive until 32.009s.
65. At 20.01s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
66. At 20.01s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
67. At 21.012s D sends EVAL script 2 job job:lock-intent D3 4000 1 to redis-1.
68. At 21.013s redis-1 carries out the EVAL script 2 job job:lock-intent D3 4000 1 of D and answers
    10996.
69. At 21.014s D gets its answer: 10996.
70. At 24.01s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C6 to redis-1.
71. At 24.01s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B7 to redis-1.
72. At 24.011s redis-1 carries out the EVAL script 1 job C6 of C and answers 1. C's command
    overwrites the key job, set by B, with "set "B7"", alive until 32.009s.
73. At 24.011s redis-1 carries out the EVAL script 1 job B7 of B and answers 0. B's command removes
    the key job, set by C.
74. At 24.012s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C7 12000 to
    redis-1.
75. At 24.012s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
    acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
    B8 12000 to redis-1.
76. At 24.013s redis-1 carries out the EVAL script 2 job job:lock-intent C7 12000 of C and answers
    1000.
77. At 24.013s redis-1 carries out the EVAL script 2 job job:lock-intent B8 12000 of B and answers
    1000.
78. At 24.014s C gets its answer: 1000.
79. At 24.014s B gets its answer: 1000.
80. At 25.014s C sends EVAL script 2 job job:lock-intent C8 12000 to redis-1.
81. At 25.014s B sends EVAL script 2 job job:lock-intent B9 12000 to redis-1.
82. At 25.015s redis-1 carries out the EVAL script 2 job job:lock-intent C8 12000 of C and answers
    nil. C's command creates the key job with "set "C8"", alive until 37.015s. C's command changes
    the expiry of the key job, its own; it is now alive until 37.015s.
83. At 25.015s redis-1 carries out the EVAL script 2 job job:lock-intent B9 12000 of B and answers
    nil. B's command overwrites the key job, set by C, with "set "B9" "C8"", alive until 37.015s.
    B's command changes the expiry of the key job, its own; it is now alive until 37.015s.
84. At 25.016s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
85. At 25.016s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
86. At 29.016s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C8 to redis-1.
87. At 29.016s B begins to release the lock and no longer believes that it holds it. B sends EVAL
    script 1 job B9 to redis-1.
88. At 29.017s redis-1 carries out the EVAL script 1 job C8 of C and answers 1. C's command
    overwrites the key job, set by B, with "set "B9"", alive until 37.015s.
89. At 29.017s redis-1 carries out the EVAL script 1 job B9 of B and answers 0. B's command removes
    the key job, set by C.
90. At 29.018s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
    lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C9 12000 to
    redis-1.
91. At 29.018s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
    acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
    B10 12000 to redis-1.
92. At 29.019s redis-1 carries out the EVAL script 2 job job:lock-intent C9 12000 of C and answers
    nil. C's command creates the key job with "set "C9"", alive until 41.019s. C's command changes
    the expiry of the key job, its own; it is now alive until 41.019s.
93. At 29.019s redis-1 carries out the EVAL script 2 job job:lock-intent B10 12000 of B and answers
    nil. B's command overwrites the key job, set by C, with "set "B10" "C9"", alive until 41.019s.
    B's command changes the expiry of the key job, its own; it is now alive until 41.019s.
94. At 29.02s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
    lock for 4s.
95. At 29.02s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
    lock for 4s.
96. At 32.01s D sends EVAL script 2 job job:lock-intent D4 4000 1 to redis-1.
97. At 32.011s redis-1 carries out the EVAL script 2 job job:lock-intent D4 4000 1 of D and answers
    9008.
98. At 32.012s D gets its answer: 9008.
99. At 33.02s C begins to release the lock and no longer believes that it holds it. C sends EVAL
    script 1 job C9 to redis-1.
100. At 33.02s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B10 to redis-1.
101. At 33.021s redis-1 carries out the EVAL script 1 job C9 of C and answers 1. C's command
     overwrites the key job, set by B, with "set "B10"", alive until 41.019s.
102. At 33.021s redis-1 carries out the EVAL script 1 job B10 of B and answers 0. B's command
     removes the key job, set by C.
103. At 33.022s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C10
     12000 to redis-1.
104. At 33.022s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
     acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
     B11 12000 to redis-1.
105. At 33.023s redis-1 carries out the EVAL script 2 job job:lock-intent C10 12000 of C and answers
     2988.
106. At 33.023s redis-1 carries out the EVAL script 2 job job:lock-intent B11 12000 of B and answers
     2988.
107. At 33.024s C gets its answer: 2988.
108. At 33.024s B gets its answer: 2988.
109. At 36.012s C sends EVAL script 2 job job:lock-intent C11 12000 to redis-1.
110. At 36.012s B sends EVAL script 2 job job:lock-intent B12 12000 to redis-1.
111. At 36.013s redis-1 carries out the EVAL script 2 job job:lock-intent C11 12000 of C and answers
     nil. C's command creates the key job with "set "C11"", alive until 48.013s. C's command changes
     the expiry of the key job, its own; it is now alive until 48.013s.
112. At 36.013s redis-1 carries out the EVAL script 2 job job:lock-intent B12 12000 of B and answers
     nil. B's command overwrites the key job, set by C, with "set "B12" "C11"", alive until 48.013s.
     B's command changes the expiry of the key job, its own; it is now alive until 48.013s.
113. At 36.014s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
114. At 36.014s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
115. At 40.014s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C11 to redis-1.
116. At 40.014s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B12 to redis-1.
117. At 40.015s redis-1 carries out the EVAL script 1 job C11 of C and answers 1. C's command
     overwrites the key job, set by B, with "set "B12"", alive until 48.013s.
118. At 40.015s redis-1 carries out the EVAL script 1 job B12 of B and answers 0. B's command
     removes the key job, set by C.
119. At 40.016s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C12
     12000 to redis-1.
120. At 40.016s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
     acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
     B13 12000 to redis-1.
121. At 40.017s redis-1 carries out the EVAL script 2 job job:lock-intent C12 12000 of C and answers
     nil. C's command creates the key job with "set "C12"", alive until 52.017s. C's command changes
     the expiry of the key job, its own; it is now alive until 52.017s.
122. At 40.017s redis-1 carries out the EVAL script 2 job job:lock-intent B13 12000 of B and answers
     nil. B's command overwrites the key job, set by C, with "set "B13" "C12"", alive until 52.017s.
     B's command changes the expiry of the key job, its own; it is now alive until 52.017s.
123. At 40.018s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
124. At 40.018s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
125. At 41.02s D sends EVAL script 2 job job:lock-intent D5 4000 1 to redis-1.
126. At 41.021s redis-1 carries out the EVAL script 2 job job:lock-intent D5 4000 1 of D and answers
     10996.
127. At 41.022s D gets its answer: 10996.
128. At 44.018s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C12 to redis-1.
129. At 44.018s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B13 to redis-1.
130. At 44.019s redis-1 carries out the EVAL script 1 job C12 of C and answers 1. C's command
     overwrites the key job, set by B, with "set "B13"", alive until 52.017s.
131. At 44.019s redis-1 carries out the EVAL script 1 job B13 of B and answers 0. B's command
     removes the key job, set by C.
132. At 44.02s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
     lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C13 12000
     to redis-1.
133. At 44.02s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
     acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
     B14 12000 to redis-1.
134. At 44.021s redis-1 carries out the EVAL script 2 job job:lock-intent C13 12000 of C and answers
     1000.
135. At 44.021s redis-1 carries out the EVAL script 2 job job:lock-intent B14 12000 of B and answers
     1000.
136. At 44.022s C gets its answer: 1000.
137. At 44.022s B gets its answer: 1000.
138. At 45.022s C sends EVAL script 2 job job:lock-intent C14 12000 to redis-1.
139. At 45.022s B sends EVAL script 2 job job:lock-intent B15 12000 to redis-1.
140. At 45.023s redis-1 carries out the EVAL script 2 job job:lock-intent C14 12000 of C and answers
     nil. C's command creates the key job with "set "C14"", alive until 57.023s. C's command changes
     the expiry of the key job, its own; it is now alive until 57.023s.
141. At 45.023s redis-1 carries out the EVAL script 2 job job:lock-intent B15 12000 of B and answers
     nil. B's command overwrites the key job, set by C, with "set "B15" "C14"", alive until 57.023s.
     B's command changes the expiry of the key job, its own; it is now alive until 57.023s.
142. At 45.024s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
143. At 45.024s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
144. At 49.024s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C14 to redis-1.
145. At 49.024s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B15 to redis-1.
146. At 49.025s redis-1 carries out the EVAL script 1 job C14 of C and answers 1. C's command
     overwrites the key job, set by B, with "set "B15"", alive until 57.023s.
147. At 49.025s redis-1 carries out the EVAL script 1 job B15 of B and answers 0. B's command
     removes the key job, set by C.
148. At 49.026s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C15
     12000 to redis-1.
149. At 49.026s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
     acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
     B16 12000 to redis-1.
150. At 49.027s redis-1 carries out the EVAL script 2 job job:lock-intent C15 12000 of C and answers
     nil. C's command creates the key job with "set "C15"", alive until 61.027s. C's command changes
     the expiry of the key job, its own; it is now alive until 61.027s.
151. At 49.027s redis-1 carries out the EVAL script 2 job job:lock-intent B16 12000 of B and answers
     nil. B's command overwrites the key job, set by C, with "set "B16" "C15"", alive until 61.027s.
     B's command changes the expiry of the key job, its own; it is now alive until 61.027s.
152. At 49.028s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
153. At 49.028s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
154. At 52.018s D sends EVAL script 2 job job:lock-intent D6 4000 1 to redis-1.
155. At 52.019s redis-1 carries out the EVAL script 2 job job:lock-intent D6 4000 1 of D and answers
     9008.
156. At 52.02s D gets its answer: 9008.
157. At 53.028s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C15 to redis-1.
158. At 53.028s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B16 to redis-1.
159. At 53.029s redis-1 carries out the EVAL script 1 job C15 of C and answers 1. C's command
     overwrites the key job, set by B, with "set "B16"", alive until 61.027s.
160. At 53.029s redis-1 carries out the EVAL script 1 job B16 of B and answers 0. B's command
     removes the key job, set by C.
161. At 53.03s C gets its answer: 1. C reports that it has released the lock. C tries to acquire the
     lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C16 12000
     to redis-1.
162. At 53.03s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
     acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
     B17 12000 to redis-1.
163. At 53.031s redis-1 carries out the EVAL script 2 job job:lock-intent C16 12000 of C and answers
     2988.
164. At 53.031s redis-1 carries out the EVAL script 2 job job:lock-intent B17 12000 of B and answers
     2988.
165. At 53.032s C gets its answer: 2988.
166. At 53.032s B gets its answer: 2988.
167. At 56.02s C sends EVAL script 2 job job:lock-intent C17 12000 to redis-1.
168. At 56.02s B sends EVAL script 2 job job:lock-intent B18 12000 to redis-1.
169. At 56.021s redis-1 carries out the EVAL script 2 job job:lock-intent C17 12000 of C and answers
     nil. C's command creates the key job with "set "C17"", alive until 68.021s. C's command changes
     the expiry of the key job, its own; it is now alive until 68.021s.
170. At 56.021s redis-1 carries out the EVAL script 2 job job:lock-intent B18 12000 of B and answers
     nil. B's command overwrites the key job, set by C, with "set "B18" "C17"", alive until 68.021s.
     B's command changes the expiry of the key job, its own; it is now alive until 68.021s.
171. At 56.022s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
172. At 56.022s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
173. At 60.022s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C17 to redis-1.
174. At 60.022s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B18 to redis-1.
175. At 60.023s redis-1 carries out the EVAL script 1 job C17 of C and answers 1. C's command
     overwrites the key job, set by B, with "set "B18"", alive until 68.021s.
176. At 60.023s redis-1 carries out the EVAL script 1 job B18 of B and answers 0. B's command
     removes the key job, set by C.
177. At 60.024s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C18
     12000 to redis-1.
178. At 60.024s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
     acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
     B19 12000 to redis-1.
179. At 60.025s redis-1 carries out the EVAL script 2 job job:lock-intent C18 12000 of C and answers
     nil. C's command creates the key job with "set "C18"", alive until 72.025s. C's command changes
     the expiry of the key job, its own; it is now alive until 72.025s.
180. At 60.025s redis-1 carries out the EVAL script 2 job job:lock-intent B19 12000 of B and answers
     nil. B's command overwrites the key job, set by C, with "set "B19" "C18"", alive until 72.025s.
     B's command changes the expiry of the key job, its own; it is now alive until 72.025s.
181. At 60.026s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
182. At 60.026s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
183. At 61.028s D sends EVAL script 2 job job:lock-intent D7 4000 1 to redis-1.
184. At 61.029s redis-1 carries out the EVAL script 2 job job:lock-intent D7 4000 1 of D and answers
     10996.
185. At 61.03s D gets its answer: 10996.
186. At 64.026s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C18 to redis-1.
187. At 64.026s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B19 to redis-1.
188. At 64.027s redis-1 carries out the EVAL script 1 job C18 of C and answers 1. C's command
     overwrites the key job, set by B, with "set "B19"", alive until 72.025s.
189. At 64.027s redis-1 carries out the EVAL script 1 job B19 of B and answers 0. B's command
     removes the key job, set by C.
190. At 64.028s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C19
     12000 to redis-1.
191. At 64.028s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
     acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
     B20 12000 to redis-1.
192. At 64.029s redis-1 carries out the EVAL script 2 job job:lock-intent C19 12000 of C and answers
     1000.
193. At 64.029s redis-1 carries out the EVAL script 2 job job:lock-intent B20 12000 of B and answers
     1000.
194. At 64.03s C gets its answer: 1000.
195. At 64.03s B gets its answer: 1000.
196. At 65.03s C sends EVAL script 2 job job:lock-intent C20 12000 to redis-1.
197. At 65.03s B sends EVAL script 2 job job:lock-intent B21 12000 to redis-1.
198. At 65.031s redis-1 carries out the EVAL script 2 job job:lock-intent C20 12000 of C and answers
     nil. C's command creates the key job with "set "C20"", alive until 77.031s. C's command changes
     the expiry of the key job, its own; it is now alive until 77.031s.
199. At 65.031s redis-1 carries out the EVAL script 2 job job:lock-intent B21 12000 of B and answers
     nil. B's command overwrites the key job, set by C, with "set "B21" "C20"", alive until 77.031s.
     B's command changes the expiry of the key job, its own; it is now alive until 77.031s.
200. At 65.032s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
201. At 65.032s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
202. At 69.032s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C20 to redis-1.
203. At 69.032s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B21 to redis-1.
204. At 69.033s redis-1 carries out the EVAL script 1 job C20 of C and answers 1. C's command
     overwrites the key job, set by B, with "set "B21"", alive until 77.031s.
205. At 69.033s redis-1 carries out the EVAL script 1 job B21 of B and answers 0. B's command
     removes the key job, set by C.
206. At 69.034s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C21
     12000 to redis-1.
207. At 69.034s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
     acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
     B22 12000 to redis-1.
208. At 69.035s redis-1 carries out the EVAL script 2 job job:lock-intent C21 12000 of C and answers
     nil. C's command creates the key job with "set "C21"", alive until 81.035s. C's command changes
     the expiry of the key job, its own; it is now alive until 81.035s.
209. At 69.035s redis-1 carries out the EVAL script 2 job job:lock-intent B22 12000 of B and answers
     nil. B's command overwrites the key job, set by C, with "set "B22" "C21"", alive until 81.035s.
     B's command changes the expiry of the key job, its own; it is now alive until 81.035s.
210. At 69.036s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
211. At 69.036s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
212. At 72.026s D sends EVAL script 2 job job:lock-intent D8 4000 1 to redis-1.
213. At 72.027s redis-1 carries out the EVAL script 2 job job:lock-intent D8 4000 1 of D and answers
     9008.
214. At 72.028s D gets its answer: 9008.
215. At 73.036s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C21 to redis-1.
216. At 73.036s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B22 to redis-1.
217. At 73.037s redis-1 carries out the EVAL script 1 job C21 of C and answers 1. C's command
     overwrites the key job, set by B, with "set "B22"", alive until 81.035s.
218. At 73.037s redis-1 carries out the EVAL script 1 job B22 of B and answers 0. B's command
     removes the key job, set by C.
219. At 73.038s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C22
     12000 to redis-1.
220. At 73.038s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
     acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
     B23 12000 to redis-1.
221. At 73.039s redis-1 carries out the EVAL script 2 job job:lock-intent C22 12000 of C and answers
     2988.
222. At 73.039s redis-1 carries out the EVAL script 2 job job:lock-intent B23 12000 of B and answers
     2988.
223. At 73.04s C gets its answer: 2988.
224. At 73.04s B gets its answer: 2988.
225. At 76.028s C sends EVAL script 2 job job:lock-intent C23 12000 to redis-1.
226. At 76.028s B sends EVAL script 2 job job:lock-intent B24 12000 to redis-1.
227. At 76.029s redis-1 carries out the EVAL script 2 job job:lock-intent C23 12000 of C and answers
     nil. C's command creates the key job with "set "C23"", alive until 88.029s. C's command changes
     the expiry of the key job, its own; it is now alive until 88.029s.
228. At 76.029s redis-1 carries out the EVAL script 2 job job:lock-intent B24 12000 of B and answers
     nil. B's command overwrites the key job, set by C, with "set "B24" "C23"", alive until 88.029s.
     B's command changes the expiry of the key job, its own; it is now alive until 88.029s.
229. At 76.03s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
230. At 76.03s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
231. At 80.03s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C23 to redis-1.
232. At 80.03s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B24 to redis-1.
233. At 80.031s redis-1 carries out the EVAL script 1 job C23 of C and answers 1. C's command
     overwrites the key job, set by B, with "set "B24"", alive until 88.029s.
234. At 80.031s redis-1 carries out the EVAL script 1 job B24 of B and answers 0. B's command
     removes the key job, set by C.
235. At 80.032s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C24
     12000 to redis-1.
236. At 80.032s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
     acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
     B25 12000 to redis-1.
237. At 80.033s redis-1 carries out the EVAL script 2 job job:lock-intent C24 12000 of C and answers
     nil. C's command creates the key job with "set "C24"", alive until 92.033s. C's command changes
     the expiry of the key job, its own; it is now alive until 92.033s.
238. At 80.033s redis-1 carries out the EVAL script 2 job job:lock-intent B25 12000 of B and answers
     nil. B's command overwrites the key job, set by C, with "set "B25" "C24"", alive until 92.033s.
     B's command changes the expiry of the key job, its own; it is now alive until 92.033s.
239. At 80.034s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
240. At 80.034s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
241. At 81.036s D sends EVAL script 2 job job:lock-intent D9 4000 1 to redis-1.
242. At 81.037s redis-1 carries out the EVAL script 2 job job:lock-intent D9 4000 1 of D and answers
     10996.
243. At 81.038s D gets its answer: 10996.
244. At 84.034s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C24 to redis-1.
245. At 84.034s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B25 to redis-1.
246. At 84.035s redis-1 carries out the EVAL script 1 job C24 of C and answers 1. C's command
     overwrites the key job, set by B, with "set "B25"", alive until 92.033s.
247. At 84.035s redis-1 carries out the EVAL script 1 job B25 of B and answers 0. B's command
     removes the key job, set by C.
248. At 84.036s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C25
     12000 to redis-1.
249. At 84.036s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
     acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
     B26 12000 to redis-1.
250. At 84.037s redis-1 carries out the EVAL script 2 job job:lock-intent C25 12000 of C and answers
     1000.
251. At 84.037s redis-1 carries out the EVAL script 2 job job:lock-intent B26 12000 of B and answers
     1000.
252. At 84.038s C gets its answer: 1000.
253. At 84.038s B gets its answer: 1000.
254. At 85.038s C sends EVAL script 2 job job:lock-intent C26 12000 to redis-1.
255. At 85.038s B sends EVAL script 2 job job:lock-intent B27 12000 to redis-1.
256. At 85.039s redis-1 carries out the EVAL script 2 job job:lock-intent C26 12000 of C and answers
     nil. C's command creates the key job with "set "C26"", alive until 97.039s. C's command changes
     the expiry of the key job, its own; it is now alive until 97.039s.
257. At 85.039s redis-1 carries out the EVAL script 2 job job:lock-intent B27 12000 of B and answers
     nil. B's command overwrites the key job, set by C, with "set "B27" "C26"", alive until 97.039s.
     B's command changes the expiry of the key job, its own; it is now alive until 97.039s.
258. At 85.04s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
259. At 85.04s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
260. At 89.04s C begins to release the lock and no longer believes that it holds it. C sends EVAL
     script 1 job C26 to redis-1.
261. At 89.04s B begins to release the lock and no longer believes that it holds it. B sends EVAL
     script 1 job B27 to redis-1.
262. At 89.041s redis-1 carries out the EVAL script 1 job C26 of C and answers 1. C's command
     overwrites the key job, set by B, with "set "B27"", alive until 97.039s.
263. At 89.041s redis-1 carries out the EVAL script 1 job B27 of B and answers 0. B's command
     removes the key job, set by C.
264. At 89.042s C gets its answer: 1. C reports that it has released the lock. C tries to acquire
     the lock job, to share it with other readers. C sends EVAL script 2 job job:lock-intent C27
     12000 to redis-1.
265. At 89.042s B gets its answer: 0. B cannot tell whether it has released the lock. B tries to
     acquire the lock job, to share it with other readers. B sends EVAL script 2 job job:lock-intent
     B28 12000 to redis-1.
266. At 89.043s redis-1 carries out the EVAL script 2 job job:lock-intent C27 12000 of C and answers
     nil. C's command creates the key job with "set "C27"", alive until 101.043s. C's command
     changes the expiry of the key job, its own; it is now alive until 101.043s.
267. At 89.043s redis-1 carries out the EVAL script 2 job job:lock-intent B28 12000 of B and answers
     nil. B's command overwrites the key job, set by C, with "set "B28" "C27"", alive until
     101.043s. B's command changes the expiry of the key job, its own; it is now alive until
     101.043s.
268. At 89.044s C gets its answer: nil. C believes that it holds the lock, shared. C works under the
     lock for 4s.
269. At 89.044s B gets its answer: nil. B believes that it holds the lock, shared. B works under the
     lock for 4s.
270. At 89.044s the run is over.

  why     A new client, D, tried for 88.04s after the last fault and was not granted the lock: the
          key that B wrote at 89.043s still stands and expires at 101.043s. (steps 267 and 270)
  code    algorithms/redismutex.cpp:56 sends EVAL script 2 job job:lock-intent B28 12000 (step
          267)
