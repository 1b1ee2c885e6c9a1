// What hiredis read, as a Reply.
#pragma once

#include "sim/core/reply.hpp"

struct redisReply;

namespace holdfast::live {

Reply to_reply(const redisReply& raw);

}  // namespace holdfast::live
