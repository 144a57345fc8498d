#pragma once
#include <string>
#include <string_view>

#include "base/random.h"

namespace clever::test {

/// The bytes that matter to whoever reads YAML with words to be filled in.
inline constexpr std::string_view kYamlBytes = "{}[]\":,$-1.()\\/ \n&*!#ab'\x80\xFF";

/// A text with a few bytes changed, added or taken away; `bytes` are those that matter to whoever
/// reads it. Never empty.
inline std::string mutated(std::string_view text, std::string_view bytes, base::Random& random) {
  std::string changed(text);
  for (std::uint64_t i = random.below(4) + 1; i > 0; --i) {
    const std::size_t at = random.below(changed.size());
    const char byte = bytes[random.below(bytes.size())];
    switch (random.below(3)) {
      case 0:
        changed[at] = byte;
        break;
      case 1:
        changed.insert(at, 1, byte);
        break;
      default:
        changed.erase(at, random.below(4));
    }
    if (changed.empty()) changed = bytes.front();
  }
  return changed;
}

}  // namespace clever::test
