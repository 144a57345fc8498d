#include <cstddef>
#include <cstdint>

#include "engine/testing/exercise_offer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  clever::engine::internal::exercise_skill({reinterpret_cast<const char*>(data), size});
  return 0;
}
