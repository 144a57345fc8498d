#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "plan/edits.h"

// Any text is a list of edits or a mistake that is named; one that was read comes back as it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever::plan;
  const auto read = edits_from_json({reinterpret_cast<const char*>(data), size});
  if (!read.ok()) {
    CLEVER_CHECK(read.error().code() == clever::base::ErrorCode::kCorruption, "a strange code");
    return 0;
  }
  const auto again = edits_from_json(edits_to_json(*read));
  CLEVER_CHECK(again.ok() && *again == *read, "not the same again");
  return 0;
}
