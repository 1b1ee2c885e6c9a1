// Where exhaustive searches that take long are saved, to go on from there: after a crash, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <memory>
#include <mutex>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "sim/scenario/scenario.hpp"

namespace holdfast {

// What was saved cannot be read. The text says why.
class BadCheckpoint : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One for a command; all its searches ask it, from several threads.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;

  // Seconds between two savings of one search.
  virtual double interval() const = 0;
  // Keeps what `write` writes about the search of this scenario, in place of what was kept of it before.
  // `part`: a word that tells it from what other ranks keep of it; empty: there are none, or it is the first.
  virtual void save(const Scenario& scenario, const std::string& part,
                    const std::function<void(std::ostream&)>& write) = 0;
  // What was kept of it, by the same program; null when nothing was.
  virtual std::unique_ptr<std::istream> load(const Scenario& scenario, const std::string& part) = 0;

  // The same text, for as long as this lives.
  const char* keep(std::string text) {
    const std::scoped_lock hold(mutex_);
    return texts_.insert(std::move(text)).first->c_str();
  }

 private:
  std::mutex mutex_;
  std::set<std::string> texts_;
};

// A checkpoint is read by the program that has written it: values are written as they lie in memory.
inline void write_block(std::ostream& out, const void* begin, std::size_t bytes) {
  out.write(static_cast<const char*>(begin), static_cast<std::streamsize>(bytes));
}
inline void read_block(std::istream& in, void* begin, std::size_t bytes) {
  in.read(static_cast<char*>(begin), static_cast<std::streamsize>(bytes));
  if (!in) throw BadCheckpoint("it ends too early");
}
template <class Value>
void write_value(std::ostream& out, const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  write_block(out, &value, sizeof value);
}
template <class Value>
Value read_value(std::istream& in) {
  static_assert(std::is_trivially_copyable_v<Value>);
  Value value{};
  read_block(in, &value, sizeof value);
  return value;
}
// A text, or answers.
template <class Row>
void write_row(std::ostream& out, const Row& row) {
  write_value(out, static_cast<std::uint32_t>(row.size()));
  write_block(out, row.data(), row.size());
}
template <class Row>
Row read_row(std::istream& in) {
  static_assert(sizeof(typename Row::value_type) == 1);
  const auto size = read_value<std::uint32_t>(in);
  if (size > std::uint32_t{1} << 24) throw BadCheckpoint("it is damaged");
  Row row(size, typename Row::value_type{});
  read_block(in, row.data(), row.size());
  return row;
}

}  // namespace holdfast
