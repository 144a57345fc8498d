#pragma once
#include <string_view>

#include "base/check.h"
#include "provider/replay/cassette.h"

// What must hold for any text at all; shared by the fuzzer and by tests.
namespace clever::provider::internal {

/// Reads `text` as a cassette, and what was read as another. Aborts if that breaks a promise.
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
