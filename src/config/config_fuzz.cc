#include <cstddef>
#include <cstdint>

#include "config/internal/exercise.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  clever::config::internal::exercise({reinterpret_cast<const char*>(data), size});
  return 0;
}
