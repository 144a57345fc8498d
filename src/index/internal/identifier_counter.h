#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace clever::index::internal {

/// Counts the identifiers of one text as spelled: most occur more than once, so only distinct ones
/// are split into words. Fits into the processor's cache. Used by one thread at a time; keeps its
/// table between texts.
class IdentifierCounter {
 public:
  struct Counted {
    std::string_view identifier;
    std::uint32_t count;
    std::uint32_t hash;
  };

  IdentifierCounter();
  /// The distinct identifiers of a text, in order of first occurrence; valid until the next call.
  /// The text must outlive them.
  const std::vector<Counted>& count(std::string_view text);
  /// The number of all occurrences.
  [[nodiscard]] std::uint32_t total() const noexcept { return total_; }

 private:
  void add(std::string_view identifier);
  void clear();
  void grow();

  std::vector<Counted> counted_;
  // An index into counted_ plus one; 0: free.
  std::vector<std::uint32_t> slots_;
  std::uint32_t total_ = 0;
};

}  // namespace clever::index::internal
