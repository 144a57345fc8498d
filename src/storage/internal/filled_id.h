#pragma once
#include <string>

#include "base/result.h"
#include "base/ulid.h"
#include "storage/keys.h"

namespace clever::storage::internal {

/// Fills up the beginning of an id with a character.
template <class Id>
[[nodiscard]] base::Result<Blob> filled_id(const std::string& prefix, char with) {
  std::string text = prefix;
  if (text.size() < base::Ulid::kTextSize) text.resize(base::Ulid::kTextSize, with);
  CLEVER_ASSIGN(const Id id, Id::parse(text));
  return to_blob(id);
}

}  // namespace clever::storage::internal
