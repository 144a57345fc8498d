#pragma once
#include <string_view>

#include "base/check.h"
#include "provider/replay/cassette.h"

// Checks that hold for any text; shared by the fuzzer and tests.
namespace clever::provider::internal {

/// Parses `text` as a cassette, and the written result as another. Aborts if a check fails.
inline void exercise_cassette(std::string_view text) {
  const auto cassette = Cassette::parse(text, "c");
  if (!cassette.ok()) {
    CLEVER_CHECK(cassette.error().code() == base::ErrorCode::kInvalidArgument,
                 cassette.error().to_string());
    return;
  }
  const base::Redactor redactor;
  std::string again = cassette_header();
  for (const CassetteEntry& entry : cassette->entries) again += to_line(entry, redactor);
  const auto second = Cassette::parse(again, "c");
  CLEVER_CHECK(second.ok(), "what was written cannot be read");
  CLEVER_CHECK(second->entries.size() == cassette->entries.size(), "entries were lost");
  (void)request_difference(text, again);
}

}  // namespace clever::provider::internal
