#pragma once
#include <string_view>

#include "base/check.h"
#include "storage/database_url.h"

// What must hold for any URL at all; shared by the fuzzer and by the seeded test.
namespace clever::storage::internal {

/// Reads `text` as the URL of a database and its spellings again. Aborts if that breaks a promise.
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
