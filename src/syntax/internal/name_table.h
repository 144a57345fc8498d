#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/syntax.h"

namespace clever::syntax::internal {

/// Longer names are machine-generated.
inline constexpr std::size_t kLongestName = 256;

/// Counts a file's uses of names. Names are views of the file's text. Its memory is reused for the
/// next file. Used by one thread at a time.
class NameTable {
 public:
  NameTable();

  void clear();
  /// The most pairs of name and kind that are kept.
  void limit(std::size_t most) { most_ = most; }

  /// From now on the name is local inside `scope`, which is not 0.
  void declare_local(std::string_view name, std::uint32_t scope);
  /// A use in `scope`; 0: in none, or one that no local name can hide.
  void use(std::string_view name, ReferenceKind kind, std::uint32_t line, std::uint32_t scope);

  [[nodiscard]] bool overflowed() const noexcept { return overflowed_; }
  /// Sorted by name, then kind.
  [[nodiscard]] std::vector<Reference> references() const;

 private:
  struct Entry {
    std::string_view name;
    std::size_t hash = 0;
    std::uint32_t local_in = 0;
    std::array<std::uint32_t, 3> counts{};
    std::array<std::uint32_t, 3> lines{};
  };

  [[nodiscard]] std::size_t slot_of(std::string_view name, std::size_t hash) const;
  Entry& entry(std::string_view name);
  void grow();

  std::vector<Entry> entries_;
  /// Index into entries_ plus one; 0: free. The size is a power of two.
  std::vector<std::uint32_t> slots_;
  std::size_t most_ = 0;
  std::size_t kept_ = 0;
  bool overflowed_ = false;
};

}  // namespace clever::syntax::internal
