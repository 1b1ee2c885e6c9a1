// An arena: while it is entered, everything that this thread allocates lies in one block of memory at a fixed
// address. Saving and restoring all of it, coroutine frames included, is one copy of the used part.
//
// Entering redirects operator new; so no code needs to know about it. Code that keeps something of its own
// across runs (a cache) must allocate it Outside. Objects in an arena are not destroyed: the arena forgets
// them.
#pragma once

#include <cstddef>
#include <span>

namespace holdfast {

class Arena {
 public:
  // False under AddressSanitizer, which needs operator new for itself.
  static bool is_available();

  // Huge ones make a world of very many clients faster, which would touch more pages than the processor knows
  // where to find at once.
  enum class Pages : bool { usual, huge };
  // Reserves address space; memory is used as it is touched. At most one arena lives on a thread.
  // REQUIRES: is_available().
  explicit Arena(Pages pages = Pages::usual);
  ~Arena();
  Arena(const Arena&) = delete;

  // Everything in use, the free lists included; what to save.
  std::span<const std::byte> used() const;
  // Puts back what used() gave, from a copy of it. Pointers into the arena mean again what they meant then.
  void restore(std::span<const std::byte> saved);
  // Forgets everything.
  void clear();

  // As long as it lives, this thread allocates in the arena.
  class Inside {
   public:
    explicit Inside(Arena& arena) : Inside(&arena) {}
    // nullptr: changes nothing.
    explicit Inside(Arena* arena);
    ~Inside();
    Inside(const Inside&) = delete;

   private:
    Arena* before_;
  };
  // As long as it lives, this thread allocates as usual.
  class Outside {
   public:
    Outside();
    ~Outside();
    Outside(const Outside&) = delete;
    // Where this thread allocated before; nullptr if in no arena.
    Arena* before() const { return before_; }

   private:
    Arena* before_;
  };

  // For operator new and delete.
  void* allocate(std::size_t bytes);
  void deallocate(void* block, std::size_t bytes);
  bool contains(const void* block) const { return block >= begin_ && block < begin_ + capacity_; }

 private:
  struct Header;
  Header& header() const;
  const std::size_t capacity_;  // addresses, not memory
  std::byte* begin_;
};

}  // namespace holdfast
