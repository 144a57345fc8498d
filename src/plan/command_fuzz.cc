#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "plan/command.h"

// Any text yields a command or a named mistake; commands survive being written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever::plan;
  const auto read = command_from_json({reinterpret_cast<const char*>(data), size});
  if (!read.ok()) {
    CLEVER_CHECK(read.error().code() == clever::base::ErrorCode::kInvalidArgument,
                 "a strange code");
    return 0;
  }
  const auto once = command_from_json(to_json(*read));
  CLEVER_CHECK(once.ok(), "what was written cannot be read");
  const auto twice = command_from_json(to_json(*once));
  CLEVER_CHECK(twice.ok() && to_json(*once) == to_json(*twice), "writing and reading changed it");
  return 0;
}
