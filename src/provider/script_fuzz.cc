#include <cstddef>
#include <cstdint>

#include "provider/testing/exercise_script.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  clever::provider::internal::exercise_script({reinterpret_cast<const char*>(data), size});
  return 0;
}
