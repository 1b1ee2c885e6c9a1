// The words of a Redis command. They lie in one block of memory: a command costs one allocation, however many
// words it has, and to move it is to move a pointer.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/ticks.hpp"
#include "sim/core/time_text.hpp"

namespace holdfast {

class Command;

// Something that adds words to a command, with add_to(), and says first how much room they need.
template <class Part>
concept KnowsItsWords = requires(const Part& part) { part.room(); };

// The words of a command, or some of them that follow each other. Words hold any bytes; behind each stands a
// NUL that does not belong to it. REQUIRES: the command outlives this, and does not change meanwhile.
class WordsView {
  struct Block;

 public:
  class Iterator {
   public:
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;  // it gives values, no references
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = std::string_view;

    Iterator() = default;
    Iterator(const Block* block, std::uint32_t word) : block_(block), word_(word) {}
    std::string_view operator*() const { return block_->word(word_); }
    Iterator& operator++() {
      ++word_;
      return *this;
    }
    Iterator operator++(int) { return {block_, word_++}; }
    bool operator==(const Iterator& other) const { return word_ == other.word_; }

   private:
    const Block* block_ = nullptr;
    std::uint32_t word_ = 0;
  };
  using value_type = std::string_view;
  using iterator = Iterator;
  using const_iterator = Iterator;

  WordsView() = default;
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::string_view operator[](std::size_t i) const { return block_->word(first_ + i); }
  std::string_view front() const { return (*this)[0]; }
  std::string_view back() const { return (*this)[size_ - 1u]; }
  Iterator begin() const { return {block_, first_}; }
  Iterator end() const { return {block_, first_ + size_}; }
  WordsView first(std::size_t count) const { return {block_, first_, static_cast<std::uint32_t>(count)}; }
  // Without the first ones.
  WordsView subspan(std::size_t count) const {
    const auto left_out = static_cast<std::uint32_t>(count);
    return {block_, first_ + left_out, size_ - left_out};
  }
  // How many bytes all words have together.
  std::size_t bytes() const {
    return empty() ? 0 : block_->begin_of(first_ + size_) - block_->begin_of(first_) - size_;
  }

  operator std::vector<std::string>() const { return std::vector<std::string>(begin(), end()); }
  friend bool operator==(WordsView one, WordsView other) { return one.equals(other); }
  friend bool operator==(WordsView one, const std::vector<std::string>& other) { return one.equals(other); }

 private:
  friend class Command;
  // Stands in the middle of the memory of a command. Behind it is the text: each word, and its NUL. Before it
  // stands where each word begins in the text, the first one next to this, and where one more would.
  struct Block {
    std::uint32_t words_room;
    std::uint32_t text_room;
    std::uint32_t count;  // of words

    char* text() { return reinterpret_cast<char*>(this + 1); }
    const char* text() const { return reinterpret_cast<const char*>(this + 1); }
    std::uint32_t& begin_of(std::size_t word) { return *(reinterpret_cast<std::uint32_t*>(this) - 1 - word); }
    std::uint32_t begin_of(std::size_t word) const {
      return *(reinterpret_cast<const std::uint32_t*>(this) - 1 - word);
    }
    std::string_view word(std::size_t i) const {
      return {text() + begin_of(i), begin_of(i + 1) - begin_of(i) - 1u};
    }
  };

  WordsView(const Block* block, std::uint32_t first, std::uint32_t size)
      : block_(block), first_(first), size_(size) {}
  bool equals(const auto& other) const {
    return size() == other.size() && std::equal(begin(), end(), other.begin());
  }

  const Block* block_ = nullptr;
  std::uint32_t first_ = 0;
  std::uint32_t size_ = 0;
};

// The words of one request, exactly as they go over the wire.
class Command {
  using Block = WordsView::Block;

 public:
  // Room for so many words, and so many bytes in all of them.
  struct Reserve {
    std::size_t words;
    std::size_t bytes;
    friend Reserve operator+(Reserve one, Reserve other) {
      return {one.words + other.words, one.bytes + other.bytes};
    }
  };
  static constexpr std::size_t most_digits = 20;  // of a number, its sign among them
  static_assert(most_digits >= TimeMark::size);

  // Writes into a block that has room.
  class Writer {
   public:
    void add(std::string_view word) { end_word(std::copy(word.begin(), word.end(), end_)); }
    template <int unit>
    void add(TicksOf<unit> number) {
      if (number.is_unknown()) end_word(write_mark(end_, number));
      else add(number.bits());
    }
    void add(std::integral auto number) {
      end_word(std::to_chars(end_, end_ + most_digits, +number).ptr);  // +: letters and truths are numbers
    }
    void add(WordsView words) {
      for (const std::string_view word : words) add(word);
    }
    void add(const KnowsItsWords auto& part) { part.add_to(*this); }

   private:
    friend class Command;
    explicit Writer(Block& block)
        : block_(block), begin_(&block.begin_of(block.count)), text_(block.text()), end_(text_ + *begin_) {}
    void end_word(char* end) {
      *end = '\0';
      end_ = end + 1;
      *--begin_ = static_cast<std::uint32_t>(end_ - text_);
    }
    void finish() { block_.count = static_cast<std::uint32_t>(&block_.begin_of(0) - begin_); }

    Block& block_;
    std::uint32_t* begin_;
    char* const text_;
    char* end_;
  };

  Command() = default;
  // Texts, numbers, words of other commands, and types that know their words.
  template <class First, class... Rest>
  explicit Command(const First& first, const Rest&... rest)
      : block_(allocate((room_of(first) + ... + room_of(rest)))) {
    Writer writer(*block_);
    writer.add(first);
    (writer.add(rest), ...);
    writer.finish();
  }
  // None yet.
  explicit Command(Reserve room) : block_(allocate(room)) {}
  explicit Command(WordsView words) { take_over(words); }
  // Not explicit: a caller that has words at hand gives them to a function that takes a command.
  Command(std::initializer_list<std::string_view> words) { take_over(words); }
  Command(const std::vector<std::string>& words) { take_over(words); }

  Command(const Command& other);
  Command(Command&&) noexcept = default;
  Command& operator=(Command other) noexcept {
    block_.swap(other.block_);
    return *this;
  }
  ~Command() = default;

  Command& add(std::string_view word) {
    const Holder before = make_room(word.size());  // `word` may lie there
    append(word);
    return *this;
  }
  Command& add(std::integral auto number) {
    make_room(most_digits);
    append(number);
    return *this;
  }
  template <int unit>
  Command& add(TicksOf<unit> number) {
    make_room(most_digits);
    append(number);
    return *this;
  }
  // Keeps the room.
  void clear() {
    if (block_ != nullptr) block_->count = 0;
  }

  WordsView argv() const {
    return block_ == nullptr ? WordsView() : WordsView(block_.get(), 0, block_->count);
  }
  bool operator==(const Command& other) const { return argv() == other.argv(); }

 private:
  // With its size, which the arena needs to use it again.
  struct Free {
    void operator()(Block* block) const noexcept { ::operator delete(begin_of(block), size_of(*block)); }
  };
  using Holder = std::unique_ptr<Block, Free>;

  // The memory of a block that has room for so many words.
  static constexpr std::size_t size_before(std::size_t words) { return (words + 1) * sizeof(std::uint32_t); }
  static char* begin_of(Block* block) {
    return reinterpret_cast<char*>(block) - size_before(block->words_room);
  }
  static std::size_t size_of(const Block& block) {
    return size_before(block.words_room) + sizeof(Block) + block.text_room;
  }
  static Holder allocate(Reserve room);

  static Reserve room_of(std::string_view word) { return {1, word.size()}; }
  static constexpr Reserve room_of(std::integral auto) { return {1, most_digits}; }
  template <int unit>
  static constexpr Reserve room_of(TicksOf<unit>) {
    return {1, most_digits};
  }
  static Reserve room_of(WordsView words) { return {words.size(), words.bytes()}; }
  static Reserve room_of(const KnowsItsWords auto& part) { return part.room(); }

  template <class Texts>
  void take_over(const Texts& words) {
    if (words.size() == 0) return;
    Reserve room{0, 0};
    for (const std::string_view word : words) room = room + room_of(word);
    block_ = allocate(room);
    Writer writer(*block_);
    for (const std::string_view word : words) writer.add(word);
    writer.finish();
  }

  // For one more word of so many bytes. Returns where the words were, if they had to move.
  Holder make_room(std::size_t bytes) {
    const bool has_room = block_ != nullptr && block_->count < block_->words_room &&
                          block_->begin_of(block_->count) + bytes + 1 <= block_->text_room;
    return has_room ? Holder() : grow(bytes);
  }
  Holder grow(std::size_t bytes);
  // REQUIRES: there is room.
  void append(const auto& word) {
    Writer writer(*block_);
    writer.add(word);
    writer.finish();
  }

  Holder block_;  // null: no words
};

}  // namespace holdfast
