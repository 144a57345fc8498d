#include <cstddef>
#include <cstdint>

#include "config/testing/exercise.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  clever::config::internal::exercise({reinterpret_cast<const char*>(data), size});
  return 0;
}
