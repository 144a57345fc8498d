#pragma once
#include <string_view>

#include "base/check.h"
#include "storage/database_url.h"

// Checks that hold for any URL; shared by the fuzzer and the seeded test.
namespace clever::storage::internal {

/// Parses `text` as the URL of a database, and parses its spellings again. Aborts if a check fails.
inline void exercise_url(std::string_view text) {
  const DatabaseUrl::Folders folders{.home = "/home", .directory = "/place", .user = "/user"};
  const auto url = DatabaseUrl::parse(text, folders);
  if (!url.ok()) {
    CLEVER_CHECK(url.error().code() == base::ErrorCode::kInvalidArgument, url.error().to_string());
    CLEVER_CHECK(url.error().message().size() < 200, "an endless message");
    return;
  }
  const auto shown = DatabaseUrl::parse(url->normalised(), folders);
  CLEVER_CHECK(shown.ok(), "the normalised text cannot be read: " + url->normalised());
  CLEVER_CHECK(shown->normalised() == url->normalised(), "normalised twice: " + url->normalised());
  const auto whole = DatabaseUrl::parse(url->connection_string(), folders);
  CLEVER_CHECK(whole.ok(), "the whole text cannot be read: " + url->connection_string());
  CLEVER_CHECK(*whole == *url, "the whole text is another database: " + url->connection_string());
}

}  // namespace clever::storage::internal
