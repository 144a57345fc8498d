#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "model/message.h"

// Any text yields messages or a named mistake; messages survive being written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever::model;
  const auto read = messages_from_json({reinterpret_cast<const char*>(data), size});
  if (!read.ok()) {
    CLEVER_CHECK(read.error().code() == clever::base::ErrorCode::kInvalidArgument,
                 "a strange code");
    return 0;
  }
  const auto once = messages_from_json(to_json(*read));
  const auto twice = messages_from_json(to_json(*once));
  CLEVER_CHECK(*once == *twice, "writing and reading changed it");
  return 0;
}
