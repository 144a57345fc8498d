#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/glob.h"

// The first line is a pattern, the rest a text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using clever::base::Glob;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const std::string_view pattern = input.substr(0, end);
  const std::string_view text = input.substr(end + 1);
  const bool wild = clever::base::matches_wildcards(pattern, text);
  if (Glob(pattern, {.names = false, .sets = false}).matches(text) != wild) std::abort();
  for (unsigned bits = 0; bits < 16; ++bits) {
    const Glob glob(pattern, {.names = (bits & 1U) != 0,
                              .sets = (bits & 2U) != 0,
                              .characters = (bits & 4U) != 0,
                              .loose = (bits & 8U) != 0});
    const std::string_view prefix = text.substr(0, text.find('/'));
    if (!glob.is_valid() || !glob.matches(text)) continue;
    if (prefix.size() < text.size() && !glob.may_continue(prefix)) std::abort();
  }
  return 0;
}
