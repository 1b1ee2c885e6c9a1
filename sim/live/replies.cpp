#include "sim/live/replies.hpp"

#include <hiredis/hiredis.h>

#include <utility>

namespace holdfast::live {

Reply to_reply(const redisReply& raw) {
  switch (raw.type) {
    case REDIS_REPLY_STATUS: return Reply::status(std::string(raw.str, raw.len));
    case REDIS_REPLY_ERROR: return Reply::error(std::string(raw.str, raw.len));
    case REDIS_REPLY_STRING: return Reply::bulk(std::string(raw.str, raw.len));
    case REDIS_REPLY_INTEGER: return Reply::integer(raw.integer);
    case REDIS_REPLY_ARRAY: {
      std::vector<Reply> elements;
      elements.reserve(raw.elements);
      for (std::size_t i = 0; i < raw.elements; ++i) elements.push_back(to_reply(*raw.element[i]));
      return Reply::array(std::move(elements));
    }
    default: return Reply::nil();
  }
}

}  // namespace holdfast::live
