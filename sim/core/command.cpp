#include "sim/core/command.hpp"

#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "sim/core/invariant.hpp"

namespace holdfast {

Command::Holder Command::allocate(Reserve room) {
  constexpr std::size_t grain = 16;
  const std::size_t before = size_before(room.words);
  const std::size_t wanted = before + sizeof(Block) + room.words + room.bytes;  // each word has its NUL
  const std::size_t bytes = (wanted + grain - 1) / grain * grain;
  INVARIANT(bytes <= std::numeric_limits<std::uint32_t>::max(), "a command has less than 4 GiB");
  char* const memory = static_cast<char*>(::operator new(bytes));
  const auto text_room = static_cast<std::uint32_t>(bytes - before - sizeof(Block));
  Block* const block = new (memory + before) Block{static_cast<std::uint32_t>(room.words), text_room, 0};
  block->begin_of(0) = 0;
  return Holder(block);
}

Command::Command(const Command& other) {
  if (other.block_ == nullptr) return;
  const Block& from = *other.block_;
  block_ = allocate({from.words_room, from.text_room - from.words_room});
  std::memcpy(begin_of(block_.get()), begin_of(other.block_.get()), size_of(from));
}

// Doubles the room.
Command::Holder Command::grow(std::size_t bytes) {
  constexpr std::size_t fewest_words = 8;
  constexpr std::size_t fewest_bytes = 64;
  const WordsView words = argv();
  Command larger(
      Reserve{std::max(2 * words.size(), fewest_words), std::max(2 * words.bytes(), fewest_bytes) + bytes});
  for (const std::string_view word : words) larger.append(word);
  return std::exchange(block_, std::move(larger.block_));
}

}  // namespace holdfast
