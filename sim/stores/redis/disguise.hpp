// Most scripts of locks only compare texts and pass them on. What such a script does depends on which of its
// texts are equal, and not on what they say: so they can be replaced by others, as long as equal ones stay
// equal. Runs that differ in nothing but their texts become one, which is remembered.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/command.hpp"
#include "sim/core/reply.hpp"

namespace holdfast::redis {

// The texts that a script itself contains, if it only compares texts and passes them on. nullopt: it may look
// into them. REQUIRES: `source` compiles.
std::optional<std::vector<std::string>> texts_of_carrier(std::string_view source);
// Whether it may look at single signs of a text, beyond the first. What joins texts, takes off their first
// sign, or asks which is less, does the same with others that have the same first signs, sizes and order.
bool may_take_texts_apart(std::string_view source);

// The texts of one run of such a script, and what stands for them meanwhile: the first is "\0" "0", and so
// on. Texts of the script stay as they are.
class Disguise {
 public:
  // `own_texts` must outlive it.
  explicit Disguise(const std::vector<std::string>& own_texts) : own_texts_(own_texts) {}
  // Of what stands for a text, as long as there are few.
  static constexpr std::size_t usual_size = 3;

  // Until the next call, if the script does not contain it itself.
  std::string_view hide(std::string_view text);
  // What bulk replies say. Status and error replies stay as they are: scripts change their texts.
  void hide(Reply& reply);
  std::string_view show(std::string_view word) const;
  Reply show(Reply reply) const;
  // Of all texts together.
  std::size_t hidden_bytes() const { return hidden_.argv().bytes(); }

 private:
  const std::vector<std::string>& own_texts_;
  Command hidden_{Command::Reserve{8, 128}};  // room for the texts of most runs
  std::array<char, 12> name_{};
};

}  // namespace holdfast::redis
