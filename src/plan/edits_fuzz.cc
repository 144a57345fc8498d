#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "plan/edits.h"

// Any text yields a list of edits or a named mistake; edits survive being written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever::plan;
  const auto read = edits_from_json({reinterpret_cast<const char*>(data), size});
  if (!read.ok()) {
    CLEVER_CHECK(read.error().code() == clever::base::ErrorCode::kCorruption, "a strange code");
    return 0;
  }
  const auto again = edits_from_json(edits_to_json(*read));
  CLEVER_CHECK(again.ok() && *again == *read, "writing and reading changed it");
  return 0;
}
