#pragma once
#include <string_view>

namespace clever::service {

/// What the branches of a drawn tree are made of. A value.
struct TreeStrokes {
  std::string_view branch;
  std::string_view last;
  std::string_view down;
  std::string_view nothing;
};

[[nodiscard]] constexpr TreeStrokes tree_strokes(bool unicode) noexcept {
  if (unicode) return {"├─ ", "└─ ", "│  ", "   "};
  return {"|- ", "`- ", "|  ", "   "};
}

}  // namespace clever::service
