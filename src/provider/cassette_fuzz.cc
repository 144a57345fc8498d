#include <cstddef>
#include <cstdint>

#include "provider/testing/exercise_cassette.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  clever::provider::internal::exercise_cassette({reinterpret_cast<const char*>(data), size});
  return 0;
}
