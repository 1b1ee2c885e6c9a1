#include "sim/process/keeper.hpp"

#include <sched.h>

#include <utility>

namespace holdfast::process {
namespace {

// To the last processor of those that this process may use: the first ones have most to do.
void stay_on_one_processor() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int processor = CPU_SETSIZE - 1; processor >= 0; --processor) {
    if (!CPU_ISSET(processor, &allowed)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

}  // namespace

Keeper& Keeper::instance() {
  static Keeper keeper;
  return keeper;
}

Keeper::Keeper() : thread_([this](const std::stop_token& stop) { serve(stop); }) {}
Keeper::~Keeper() = default;

void Keeper::serve(const std::stop_token& stop) {
  stay_on_one_processor();
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return work_ != nullptr; })) {
    lock.unlock();
    std::exception_ptr error;
    try {
      (*work_)();
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    error_ = error;
    work_ = nullptr;
    changed_.notify_all();
  }
}

void Keeper::run(const std::function<void()>& work) {
  if (std::this_thread::get_id() == thread_.get_id()) return work();
  const std::lock_guard turn(one_at_a_time_);
  std::unique_lock lock(mutex_);
  work_ = &work;
  changed_.notify_all();
  changed_.wait(lock, [&] { return work_ == nullptr; });
  if (const std::exception_ptr error = std::exchange(error_, nullptr)) std::rethrow_exception(error);
}

}  // namespace holdfast::process
