#include <cstddef>
#include <cstdint>

#include "tool/testing/exercise_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  clever::tool::internal::exercise_input({reinterpret_cast<const char*>(data), size});
  return 0;
}
