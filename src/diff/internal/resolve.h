#pragma once
#include <optional>
#include <string>

#include "base/result.h"
#include "diff/merge.h"
#include "git/object_store.h"

namespace clever::diff::internal {

/// One file on all three sides; a folder counts as nothing. A value.
struct Sides {
  std::optional<git::Node> base{};
  std::optional<git::Node> ours{};
  std::optional<git::Node> theirs{};
};

/// The result. A value.
struct Resolution {
  std::optional<git::Node> node{};
  std::optional<ConflictKind> conflict{};
  /// With markers; then `node` holds it too.
  std::optional<git::ObjectId> marked{};
};

/// How to merge two texts.
enum class TextRule : std::uint8_t { kThreeWay, kReplay };

/// Merges one file. Reads content only if both sides changed it.
[[nodiscard]] base::Result<Resolution> resolve(git::ObjectStore& store, const Sides& sides,
                                               TextRule rule, const TextNames& names);

}  // namespace clever::diff::internal
