// Several tasks that another task waits for at once. The first that ends resumes it; the others run on, also
// without a waiter: `const AnyOf<Reply>::Ended ended = co_await any.next();`
#pragma once

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <list>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/core/task.hpp"

namespace holdfast {

template <class T>
class AnyOf {
 public:
  struct Ended {
    Ended(std::uint32_t which, T what) : id(which), result(std::move(what)) {}
    std::uint32_t id;
    T result;
  };
  AnyOf() = default;
  AnyOf(const AnyOf&) = delete;

  // Runs it until it waits for something. `id` is the caller's name for it.
  void begin(std::uint32_t id, Task<T> task) {
    Item& item = items_.emplace_back(id, std::move(task));
    item.task.start();
    item.task.wake_at_end(waiter_);
  }
  // Kills it; what it has sent may still land. Nothing happens if it has ended, and was given.
  void drop(std::uint32_t id) {
    items_.remove_if([&](const Item& item) { return item.id == id; });
  }
  void drop_all() { items_.clear(); }
  bool is_empty() const { return items_.empty(); }

  class [[nodiscard]] Next {
   public:
    explicit Next(AnyOf& any) : any_(any) {}
    Next(const Next&) = delete;
    ~Next() { any_.wake(nullptr); }
    bool await_ready() const noexcept { return any_.first_done() != any_.items_.end(); }
    void await_suspend(std::coroutine_handle<> waiter) { any_.wake(waiter); }
    Ended await_resume() {
      any_.wake(nullptr);
      return any_.take();
    }

   private:
    AnyOf& any_;
  };
  // The first that ended, in the order in which they began. It is no part of this any more. Rethrows what it
  // threw. REQUIRES: it is not empty; no other task waits.
  Next next() {
    INVARIANT(!items_.empty(), "somebody waits for something");
    return Next(*this);
  }

 private:
  struct Item {
    Item(std::uint32_t its_id, Task<T> its_task) : id(its_id), task(std::move(its_task)) {}
    std::uint32_t id;
    Task<T> task;
  };
  typename std::list<Item>::iterator first_done() {
    return std::find_if(items_.begin(), items_.end(), [](const Item& item) { return item.task.is_done(); });
  }
  void wake(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    for (Item& item : items_) item.task.wake_at_end(waiter);
  }
  Ended take() {
    const auto done = first_done();
    INVARIANT(done != items_.end(), "the task that waits goes on because one of them has ended");
    Ended ended(done->id, done->task.take());
    items_.erase(done);
    return ended;
  }

  std::list<Item> items_;
  std::coroutine_handle<> waiter_;  // null: no task waits
};
static_assert(SafeInAwait<AnyOf<int>::Next> && SafeInAwait<AnyOf<int>::Ended>);

}  // namespace holdfast
