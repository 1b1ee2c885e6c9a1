// The rules themselves.
#include "sim/tidy.hpp"
