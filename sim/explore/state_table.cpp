#include "sim/explore/state_table.hpp"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "sim/explore/checkpoints.hpp"

namespace holdfast {

// A digest's line grows with the digest, so digests go further back, into lines that are free already when
// the last ones go first. They go a chunk at a time; threads take chunks from the end.
struct StateTable::Growth {
  static constexpr std::uint64_t chunk = 512;
  // Only in the first and the last so many lines may two chunks meet.
  static constexpr std::uint64_t margin = distance_mask;

  explicit Growth(StateTable& table)
      : table_(table),
        before_(table.lines_),
        after_(lines_for(table.size())),
        over_bits_(table.over_bits_),
        inverse_(static_cast<std::uint64_t>(((Word{1} << (64 + over_bits_)) - 1) / before_)),
        cleared_(chunk_of(before_ - 1) + 1) {
    table.table_ =
        static_cast<Line*>(grow_zeroed(table.table_, before_ * sizeof(Line), after_ * sizeof(Line)));
    table.set_lines(after_);
    next_ = cleared_.size();
  }

  // Any number of threads; returns when no chunk is left to begin with.
  void help() {
    std::vector<Word> moving(chunk * slots_per_line);
    std::vector<Word> astray;
    for (;;) {
      const std::uint64_t left = next_.fetch_sub(1, std::memory_order_relaxed);
      if (static_cast<std::int64_t>(left) <= 0) break;
      move_chunk(left - 1, moving, astray);
    }
    const std::scoped_lock hold(mutex_);
    astray_.insert(astray_.end(), astray.begin(), astray.end());
  }
  // After all have helped.
  void finish() {
    astray_.insert(astray_.end(), table_.astray_.begin(), table_.astray_.end());
    table_.astray_.clear();
    for (const Word word : astray_) table_.put(word);
  }

 private:
  static std::uint64_t chunk_of(std::uint64_t line) { return line / chunk; }
  std::uint64_t moved(std::uint64_t line) const {
    return static_cast<std::uint64_t>(static_cast<Word>(line) * after_ / before_);
  }

  // The words whose home is one line of the smaller table: the first of them, and what division left over.
  struct Origin {
    std::uint64_t line = ~std::uint64_t{0};
    Word first = 0;
    std::uint64_t over = 0;
  };
  // The word that `slot` of this line of the smaller table stands for.
  Word word_in(std::uint64_t line, std::uint64_t slot, Origin& origin) const {
    const std::uint64_t distance = (slot & distance_mask) - 1;
    const std::uint64_t home = line >= distance ? line - distance : line + before_ - distance;
    if (origin.line != home) {
      const Word begin = Word{home} << word_bits;
      const Word first = (begin + before_ - 1) / before_;
      origin = {home, first, static_cast<std::uint64_t>(first * before_ - begin)};
    }
    // The first one with these leading bits. Multiplied by an inverse, which is too small rather than too
    // large.
    const std::uint64_t leading = slot >> distance_bits;
    const Word least = Word{leading} << over_bits_;
    Word index = Word{leading} * inverse_ >> 64;
    while (origin.over + index * before_ < least) ++index;
    return origin.first + index;
  }

  void move_chunk(std::uint64_t number, std::vector<Word>& moving, std::vector<Word>& astray) {
    const std::uint64_t begin = number * chunk;
    const std::uint64_t end = std::min(before_, begin + chunk);
    std::size_t count = 0;
    Origin origin;
    for (std::uint64_t from = begin; from < end; ++from) {
      Line& line = table_.table_[from];
      for (const std::uint64_t slot : line.slots) {
        if (slot == 0) break;
        moving[count++] = word_in(from, slot, origin);
      }
      line = Line{};
    }
    cleared_[number].store(true, std::memory_order_release);
    const std::uint64_t to_begin = moved(begin);
    const std::uint64_t to_end = moved(end);
    wait_for_room(to_begin, to_end);
    for (std::size_t i = 0; i < count; ++i)
      if (!put_between(moving[i], to_begin, to_end)) astray.push_back(moving[i]);
  }
  // Returns when all that is left between them, and a little beyond, are digests that have moved.
  void wait_for_room(std::uint64_t begin, std::uint64_t end) {
    if (end > before_) {
      const std::uint64_t fresh = std::max(begin, before_);
      touch_zeroed(table_.table_ + fresh, (end - fresh) * sizeof(Line));
    }
    const std::uint64_t last = chunk_of(std::min(end + margin, before_ - 1));
    for (std::uint64_t number = chunk_of(begin); number <= last; ++number)
      while (!cleared_[number].load(std::memory_order_acquire)) std::this_thread::yield();
  }
  // False when it would be before the beginning, or further than `margin` beyond the end.
  bool put_between(Word word, std::uint64_t begin, std::uint64_t end) {
    auto [line, wanted] = table_.home_of(word);
    if (line < begin) return false;
    for (const std::uint64_t limit = std::min(end + margin, after_); line < limit; ++line, ++wanted) {
      const bool is_mine = begin + margin <= line && line < end;
      for (std::uint64_t& slot : table_.table_[line].slots) {
        std::uint64_t there = std::atomic_ref(slot).load(std::memory_order_relaxed);
        if (there != 0) continue;
        if (is_mine) {
          slot = wanted;
          return true;
        }
        if (table_.take(slot, there, wanted)) return true;
      }
      if ((wanted & distance_mask) == distance_mask) return false;
    }
    return false;
  }

  StateTable& table_;
  const std::uint64_t before_;  // lines
  const std::uint64_t after_;
  const int over_bits_;          // of the smaller table
  const std::uint64_t inverse_;  // 2^(64 + over_bits_) / before_
  std::atomic<std::uint64_t> next_;
  std::vector<std::atomic<bool>> cleared_;  // by chunk of the smaller table
  std::mutex mutex_;
  std::vector<Word> astray_;  // those whose line was not near the others'
};

StateTable::StateTable(unsigned threads) : threads_(threads) {
  set_lines(lines_least);
  table_ = static_cast<Line*>(take_zeroed(lines_ * sizeof(Line)));
}
StateTable::~StateTable() { give_back_zeroed(table_, lines_ * sizeof(Line)); }

void StateTable::write(std::ostream& out) const {
  write_value(out, size());
  write_value(out, lines_);
  write_block(out, table_, lines_ * sizeof(Line));
  write_value(out, std::uint64_t{astray_.size()});
  for (const Word word : astray_) write_value(out, word);
}

void StateTable::read(std::istream& in) {
  const auto size = read_value<std::uint64_t>(in);
  const auto lines = read_value<std::uint64_t>(in);
  if (lines < lines_least || is_too_many(size, 2 * lines)) throw BadCheckpoint("it is damaged");
  give_back_zeroed(std::exchange(table_, nullptr), std::exchange(lines_, 0) * sizeof(Line));
  table_ = static_cast<Line*>(take_zeroed(lines * sizeof(Line)));
  set_lines(lines);
  read_block(in, table_, lines_ * sizeof(Line));
  astray_.clear();
  for (auto left = read_value<std::uint64_t>(in); left > 0; --left) astray_.insert(read_value<Word>(in));
  size_ = size;
}

void StateTable::meet() {
  std::unique_lock hold(mutex_);
  if (!must_grow_.load(std::memory_order_relaxed)) return;
  const std::uint64_t growths = growths_;
  ++resting_;
  changed_.wait(hold, [&] { return growth_ != nullptr || growths_ != growths || resting_ == present_; });
  if (growths_ != growths) return;
  if (growth_ == nullptr) {
    must_grow_.store(false, std::memory_order_relaxed);
    try {
      growth_ = std::make_unique<Growth>(*this);
    } catch (...) {
      resting_ = 0;
      ++growths_;
      changed_.notify_all();
      throw;
    }
    changed_.notify_all();
  }
  hold.unlock();
  growth_->help();
  hold.lock();
  if (--resting_ > 0) return changed_.wait(hold, [&] { return growths_ != growths; });
  growth_->finish();
  growth_.reset();
  ++growths_;
  changed_.notify_all();
}

}  // namespace holdfast
