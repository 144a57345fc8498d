#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace clever::index::internal {

/// Counts the identifiers of one text, in their spelling: nearly all of them occur more than once,
/// so that only the different ones are taken apart. Small enough for the processor's cache. Used by
/// one thread at a time; keeps its table between texts.
class IdentifierCounter {
 public:
  struct Counted {
    std::string_view identifier;
    std::uint32_t count;
    std::uint32_t hash;
  };

  IdentifierCounter();
  /// The different identifiers of a text, which must outlive the answer, in the order in which they
  /// first occur; valid until the next call.
  const std::vector<Counted>& count(std::string_view text);
  /// How many there were in all.
  [[nodiscard]] std::uint32_t total() const noexcept { return total_; }

 private:
  void add(std::string_view identifier);
  void clear();
  void grow();

  std::vector<Counted> counted_;
  // Index into counted_ plus one; 0: free.
  std::vector<std::uint32_t> slots_;
  std::uint32_t total_ = 0;
};

}  // namespace clever::index::internal
