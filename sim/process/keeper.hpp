// One thread, on one processor, that owns everything about supervised programs: they are traced by it, end
// with it, and share its processor, where taking turns is twenty times as fast as across two.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace holdfast::process {

class Keeper {
 public:
  // Begun when it is first asked for; it ends with this process.
  static Keeper& instance();
  // Waits until `work` is done. Rethrows what it threw. Any thread; what the keeper itself asks is done at
  // once.
  void run(const std::function<void()>& work);

 private:
  Keeper();
  ~Keeper();
  void serve(const std::stop_token& stop);

  std::mutex one_at_a_time_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  const std::function<void()>* work_ = nullptr;
  std::exception_ptr error_;
  std::jthread thread_;
};

}  // namespace holdfast::process
