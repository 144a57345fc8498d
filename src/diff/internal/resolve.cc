#include "diff/internal/resolve.h"

#include "diff/internal/contents.h"
#include "diff/text_diff.h"

namespace clever::diff::internal {
namespace {

constexpr std::uint64_t kLargestText = std::uint64_t{16} << 20U;

struct Contents {
  std::string base;
  std::string ours;
  std::string theirs;

  [[nodiscard]] bool is_text() const {
    return !is_binary(base) && !is_binary(ours) && !is_binary(theirs);
  }
};

Resolution keep_ours(const Sides& sides, ConflictKind kind) {
  return {.node = sides.ours, .conflict = kind};
}

bool has(const Sides& sides, git::FileMode mode) {
  return sides.ours->mode == mode || sides.theirs->mode == mode;
}

std::optional<git::Node> base_file(const Sides& sides) {
  return is_file(sides.base) ? sides.base : std::nullopt;
}

// Returns nothing if they cannot be read as text.
base::Result<std::optional<Contents>> contents_of(git::ObjectStore& store, const Sides& sides) {
  Contents contents;
  const auto read = [&](const std::optional<git::Node>& node,
                        std::string& content) -> base::Result<bool> {
    if (!node) return true;
    CLEVER_ASSIGN(const std::uint64_t size, size_of(store, *node));
    if (size > kLargestText) return false;
    CLEVER_ASSIGN(content, content_of(store, node));
    return true;
  };
  CLEVER_ASSIGN(const bool base, read(base_file(sides), contents.base));
  CLEVER_ASSIGN(const bool ours, read(sides.ours, contents.ours));
  CLEVER_ASSIGN(const bool theirs, read(sides.theirs, contents.theirs));
  if (!base || !ours || !theirs || !contents.is_text()) return std::optional<Contents>();
  return std::optional(std::move(contents));
}

base::Result<MergedText> combine(const Contents& contents, TextRule rule, const TextNames& names) {
  if (rule == TextRule::kReplay) {
    return replay_text(contents.base, contents.ours, contents.theirs, names);
  }
  return merge_texts(contents.base, contents.ours, contents.theirs, names);
}

// As in git: the mode of the side that changed it, and ours if both did.
git::FileMode merged_mode(const Sides& sides) {
  const std::optional<git::Node> base = base_file(sides);
  return base && base->mode == sides.ours->mode ? sides.theirs->mode : sides.ours->mode;
}

base::Result<Resolution> merge_contents(git::ObjectStore& store, const Sides& sides, TextRule rule,
                                        const TextNames& names) {
  CLEVER_ASSIGN(const std::optional<Contents> contents, contents_of(store, sides));
  if (!contents) return keep_ours(sides, ConflictKind::kBinary);
  CLEVER_ASSIGN(const MergedText merged, combine(*contents, rule, names));
  CLEVER_ASSIGN(const git::ObjectId id, store.put(git::ObjectKind::kBlob, merged.content));
  Resolution resolution{.node = git::Node{merged_mode(sides), id}};
  if (merged.conflicts > 0) {
    resolution.conflict = base_file(sides) ? ConflictKind::kContent : ConflictKind::kBothAdded;
    resolution.marked = id;
  }
  return resolution;
}

base::Result<Resolution> resolve_contents(git::ObjectStore& store, const Sides& sides,
                                          TextRule rule, const TextNames& names) {
  const std::optional<git::Node> base = base_file(sides);
  const git::FileMode mode = merged_mode(sides);
  if (sides.ours->id == sides.theirs->id || (base && base->id == sides.theirs->id)) {
    return Resolution{.node = git::Node{mode, sides.ours->id}};
  }
  if (base && base->id == sides.ours->id) {
    return Resolution{.node = git::Node{mode, sides.theirs->id}};
  }
  return merge_contents(store, sides, rule, names);
}

base::Result<Resolution> resolve_files(git::ObjectStore& store, const Sides& sides, TextRule rule,
                                       const TextNames& names) {
  CLEVER_ASSIGN(Resolution resolution, resolve_contents(store, sides, rule, names));
  const bool modes_clash = !base_file(sides) && sides.ours->mode != sides.theirs->mode;
  if (modes_clash && !resolution.conflict) return keep_ours(sides, ConflictKind::kMode);
  return resolution;
}

}  // namespace

base::Result<Resolution> resolve(git::ObjectStore& store, const Sides& sides, TextRule rule,
                                 const TextNames& names) {
  if (sides.ours == sides.base || sides.ours == sides.theirs) return Resolution{sides.theirs};
  if (sides.theirs == sides.base) return Resolution{sides.ours};
  if (!sides.theirs) return keep_ours(sides, ConflictKind::kDeletedByThem);
  if (!sides.ours) return keep_ours(sides, ConflictKind::kDeletedByUs);
  if (has(sides, git::FileMode::kSubmodule)) return keep_ours(sides, ConflictKind::kSubmodule);
  if (has(sides, git::FileMode::kLink)) return keep_ours(sides, ConflictKind::kLink);
  return resolve_files(store, sides, rule, names);
}

}  // namespace clever::diff::internal
