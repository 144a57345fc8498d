#include "git/tree_entry.h"

#include <array>
#include <charconv>

namespace clever::git {

std::string_view to_string(ObjectKind kind) noexcept {
  switch (kind) {
    case ObjectKind::kCommit:
      return "commit";
    case ObjectKind::kTree:
      return "tree";
    case ObjectKind::kBlob:
      return "blob";
    case ObjectKind::kTag:
      return "tag";
  }
  return "unknown";
}

std::string to_string(FileMode mode) {
  std::array<char, 12> digits{};
  constexpr int kOctal = 8;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                 static_cast<std::uint32_t>(mode), kOctal);
  return {digits.data(), end.ptr};
}

}  // namespace clever::git
