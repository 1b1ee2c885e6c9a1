// The states that were seen, by their digests, shared by all threads of one exploration.
#pragma once

#include <atomic>
#include <bit>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <set>

#include "sim/core/zeroed.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast {

// Hash compaction: a state is remembered by 72 bits of its digest. Where they lie says a part of them
// (quotienting: Cleary, "Compact Hash Tables Using Bidirectional Linear Probing", IEEE Transactions on
// Computers 33, 1984), so that a slot has 8 bytes. Eight slots are a line, which is a line of the processor's
// cache; a digest lies in its line or, when that is full, in one of the next ones, and the slot says how
// far from home. From 68 % to 85 % of the slots are in use. Nobody waits for anybody else, but while the
// table grows: then all threads that use it meet. It grows in place, so growing takes no second table.
class StateTable {
 public:
  // `threads`: how many use it at a time, at most. Throws std::bad_alloc.
  explicit StateTable(unsigned threads);
  ~StateTable();
  StateTable(const StateTable&) = delete;
  StateTable& operator=(const StateTable&) = delete;

  // While threads use it, a little behind.
  std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  // Depends on the size only.
  std::uint64_t bytes() const { return lines_for(size()) * sizeof(Line); }
  // The first so many bytes are taken at once; the system gives those that are written to.
  static constexpr std::uint64_t bytes_least = std::uint64_t{1} << 20;
  // All that it has seen, to be read by the same program. REQUIRES: no thread uses it.
  void write(std::ostream& out) const;
  // In place of what it has seen. Throws std::bad_alloc.
  void read(std::istream& in);
  // The bits of two digests that are the same where the table takes them for one.
  static Digest kept(const Digest& digest) { return {digest.high >> (64 - more_bits), digest.low}; }

  // What a thread uses it by. The others cannot let it grow until it rests, or is gone.
  class Access {
   public:
    explicit Access(StateTable& table) : table_(table) {
      std::unique_lock hold(table_.mutex_);
      table_.changed_.wait(hold, [this] { return table_.growth_ == nullptr; });
      ++table_.present_;
    }
    ~Access() {
      report();
      const std::scoped_lock hold(table_.mutex_);
      --table_.present_;
      table_.changed_.notify_all();
    }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

    // False when it was there already.
    bool insert(const Digest& digest) {
      if (!table_.put(word_of(digest))) return false;
      if (++unreported_ >= table_.batch()) report();
      return true;
    }
    bool contains(const Digest& digest) const { return table_.has(word_of(digest)); }
    // A thread that asks for it a little later need not wait for memory.
    void prefetch(const Digest& digest) const {
      __builtin_prefetch(table_.table_ + table_.home_of(word_of(digest)).line);
    }
    // To be called every few insertions. Throws std::bad_alloc.
    void rest() {
      if (table_.must_grow_.load(std::memory_order_relaxed)) table_.meet();
    }
    // The size tells of all its insertions now.
    void report() {
      const std::uint64_t size = table_.size_.fetch_add(unreported_, std::memory_order_relaxed) + unreported_;
      unreported_ = 0;
      if (is_too_many(size, table_.lines_)) table_.must_grow_.store(true, std::memory_order_relaxed);
    }

   private:
    StateTable& table_;
    std::uint64_t unreported_ = 0;
  };

 private:
  // What is kept of a digest, as a number of 72 bits.
  using Word = unsigned __int128;
  static constexpr int word_bits = digest_bits_kept;
  static constexpr int more_bits = word_bits - 64;
  static Word word_of(const Digest& digest) {
    return (Word{digest.low} << more_bits) | digest.high >> (64 - more_bits);
  }

  static constexpr std::uint64_t slots_per_line = 8;
  struct alignas(64) Line {
    std::uint64_t slots[slots_per_line];
  };
  // The low bits of a slot: how many lines from home, plus one. Zero: the slot is free.
  static constexpr int distance_bits = 6;
  static constexpr std::uint64_t distance_mask = (1 << distance_bits) - 1;
  static constexpr std::uint64_t lines_least = bytes_least / sizeof(Line);
  static_assert(lines_least >= std::uint64_t{1} << (word_bits - 64 + distance_bits),
                "the line and the rest make up the word");

  struct Home {
    std::uint64_t line;
    std::uint64_t slot;  // of a digest that lies at home
  };
  // The line is word * lines / 2^72. Two words of one line differ by `lines` or more in the 72 bits that this
  // division leaves over, so their leading bits tell them apart.
  Home home_of(Word word) const {
    const Word product = word * lines_;
    const Word over = product & ((Word{1} << word_bits) - 1);
    return {static_cast<std::uint64_t>(product >> word_bits),
            static_cast<std::uint64_t>(over >> over_bits_) << distance_bits | 1};
  }

  static bool is_too_many(std::uint64_t size, std::uint64_t lines) {
    return 20 * size > 17 * slots_per_line * lines;
  }
  static std::uint64_t lines_for(std::uint64_t size) {
    std::uint64_t lines = lines_least;
    while (is_too_many(size, lines)) lines += lines / 4;
    return lines;
  }
  void set_lines(std::uint64_t lines) {
    lines_ = lines;
    over_bits_ = static_cast<int>(std::bit_width(lines)) - 1;
  }
  // How many a thread inserts before it says so: few enough for all threads together to leave slots free.
  std::uint64_t batch() const { return lines_ * slots_per_line / (std::uint64_t{64} * threads_); }
  std::uint64_t line_after(std::uint64_t line) const { return line + 1 == lines_ ? 0 : line + 1; }

  bool put(Word word) {
    auto [line, wanted] = home_of(word);
    for (std::uint64_t distance = 0; distance < distance_mask; ++distance) {
      for (std::uint64_t& slot : table_[line].slots) {
        std::uint64_t there = std::atomic_ref(slot).load(std::memory_order_relaxed);
        if (there == 0 && take(slot, there, wanted)) return true;
        if (there == wanted) return false;
      }
      line = line_after(line);
      ++wanted;
    }
    const std::scoped_lock hold(astray_mutex_);
    return astray_.insert(word).second;
  }
  bool has(Word word) const {
    auto [line, wanted] = home_of(word);
    for (std::uint64_t distance = 0; distance < distance_mask; ++distance) {
      for (std::uint64_t& slot : table_[line].slots) {
        const std::uint64_t there = std::atomic_ref(slot).load(std::memory_order_relaxed);
        if (there == wanted) return true;
        if (there == 0) return false;
      }
      line = line_after(line);
      ++wanted;
    }
    const std::scoped_lock hold(astray_mutex_);
    return astray_.contains(word);
  }
  // False when another thread has written to this free slot first: then `there` is what it wrote.
  bool take(std::uint64_t& slot, std::uint64_t& there, std::uint64_t wanted) {
    if (threads_ > 1)
      return std::atomic_ref(slot).compare_exchange_strong(there, wanted, std::memory_order_relaxed);
    slot = wanted;
    return true;
  }

  // Returns when all have met, and the table is larger.
  void meet();

  struct Growth;

  const unsigned threads_;
  std::uint64_t lines_ = 0;
  int over_bits_ = 0;
  Line* table_ = nullptr;
  std::atomic<bool> must_grow_ = false;
  alignas(64) std::atomic<std::uint64_t> size_ = 0;
  mutable std::mutex astray_mutex_;
  std::set<Word> astray_;  // those with no free slot near enough
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned present_ = 0;
  unsigned resting_ = 0;
  std::uint64_t growths_ = 0;
  std::unique_ptr<Growth> growth_;  // while it grows
};

// The same for one thread.
class DigestSet {
 public:
  // False when it was there already. Throws std::bad_alloc.
  bool insert(const Digest& digest) {
    access_.rest();
    const bool is_new = access_.insert(digest);
    size_ += is_new;
    return is_new;
  }
  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return table_.bytes(); }

 private:
  StateTable table_{1};
  StateTable::Access access_{table_};
  std::uint64_t size_ = 0;
};

}  // namespace holdfast
