// Tests of the rules, and of the tree by the rules.
#include <gtest/gtest.h>
TEST(Tidy, Exists) { SUCCEED(); }
