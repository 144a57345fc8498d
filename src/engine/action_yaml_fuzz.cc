#include <cstddef>
#include <cstdint>

#include "engine/testing/exercise_yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  clever::engine::internal::exercise_action(text);
  clever::engine::internal::exercise_title(text);
  return 0;
}
