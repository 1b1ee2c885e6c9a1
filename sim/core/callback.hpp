// A call of something that lives longer than the call. Unlike std::function it takes no memory.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace holdfast {

template <class Signature>
class Callback;

template <class Result, class... Arguments>
class Callback<Result(Arguments...)> {
 public:
  template <class It>
  requires(!std::is_same_v<std::remove_cvref_t<It>, Callback>)
      Callback(It&& it)  // implicit: a lambda stands where one is asked for
      : it_(const_cast<void*>(static_cast<const void*>(std::addressof(it)))),
        call_([](void* what, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<It>*>(what))(std::forward<Arguments>(arguments)...);
        }) {}
  Result operator()(Arguments... arguments) const {
    return call_(it_, std::forward<Arguments>(arguments)...);
  }

 private:
  void* it_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace holdfast
