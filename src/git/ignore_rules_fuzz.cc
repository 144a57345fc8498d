#include <cstddef>
#include <cstdint>
#include <string_view>

#include "git/ignore_file.h"

// The first line is a path, the rest an ignore file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return 0;
  const clever::git::IgnoreFile file(text.substr(end + 1));
  (void)file.decides(text.substr(0, end), true);
  (void)file.decides(text.substr(0, end), false);
  return 0;
}
