#include <cstddef>
#include <cstdint>

#include "storage/testing/exercise_url.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  clever::storage::internal::exercise_url({reinterpret_cast<const char*>(data), size});
  return 0;
}
