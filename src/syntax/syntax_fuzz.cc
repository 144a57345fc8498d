#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "syntax/testing/exercise.h"

// The first byte chooses the language.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const auto language = static_cast<clever::syntax::Language>(data[0] % clever::syntax::kLanguages);
  const std::string_view content(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string broken = clever::syntax::internal::broken_promise(language, content);
  CLEVER_CHECK(broken.empty(), broken);
  return 0;
}
