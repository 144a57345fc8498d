#include <optional>

#include "apply/apply.h"
#include "apply/internal/image.h"
#include "apply/internal/new_id.h"
#include "apply/internal/repository.h"
#include "apply/internal/request_check.h"
#include "diff/merge.h"
#include "diff/text_diff.h"
#include "git/tree_path.h"
#include "io/directory.h"
#include "io/file.h"

namespace clever::apply {
namespace {

using internal::Image;
using State = std::optional<model::FileState>;

constexpr std::size_t kLargestMerged = std::size_t{64} << 20U;
constexpr std::uint32_t kLinkMode = 0120000;

bool same(const State& one, const State& other) {
  if (!one || !other) return !one && !other;
  return one->mode == other->mode && one->hash == other->hash;
}

// The mode that only one side changed; ours if both did.
std::uint32_t merged_mode(const State& base, const model::FileState& ours,
                          const model::FileState& theirs) {
  return base && ours.mode == base->mode ? theirs.mode : ours.mode;
}

class Remerge {
 public:
  Remerge(const Request& request, io::Directory root, std::filesystem::path scratch,
          const base::StopToken& stop, base::Deadline deadline)
      : request_(request),
        root_(std::move(root)),
        scratch_(std::move(scratch)),
        repository_(request.project, stop, deadline) {}

  base::Result<Remerged> run() {
    for (const model::NetChange& change : request_.changes) {
      CLEVER_TRY(merge(change).context("merging " + git::printable(change.path)));
    }
    result_.digest = model::digest_of(result_.changes);
    return std::move(result_);
  }

 private:
  base::Result<void> merge(const model::NetChange& change) {
    CLEVER_ASSIGN(const State present, present_state(change.path));
    if (blocked_) return conflict(change, change.before);
    if (same(present, change.before)) return keep(change.path, change.before, change.after);
    if (same(present, change.after)) return {};  // it is there already
    if (!present || !change.after) return conflict(change, present);
    return merge_contents(change, *present);
  }

  base::Result<void> merge_contents(const model::NetChange& change,
                                    const model::FileState& present) {
    const std::uint32_t mode = merged_mode(change.before, present, *change.after);
    CLEVER_ASSIGN(const std::string base, content(change.before));
    CLEVER_ASSIGN(const std::string ours, content(present));
    CLEVER_ASSIGN(const std::string theirs, content(change.after));
    const bool links = present.mode == kLinkMode || change.after->mode == kLinkMode;
    if (links || diff::is_binary(ours) || diff::is_binary(theirs)) return conflict(change, present);
    CLEVER_ASSIGN(const diff::MergedText merged,
                  diff::merge_texts(base, ours, theirs,
                                    {.ours = "yours", .base = "before", .theirs = "the plan's"}));
    if (merged.conflicts > 0) result_.conflicts.push_back(change.path);
    CLEVER_ASSIGN(model::FileState after, stored(merged.content, mode));
    if (same(after, present)) return {};
    return keep(change.path, present, std::move(after));
  }

  base::Result<void> conflict(const model::NetChange& change, const State& present) {
    result_.conflicts.push_back(change.path);
    return keep(change.path, present, change.after);
  }

  base::Result<void> keep(const std::string& path, State before, State after) {
    if (!same(before, after))
      result_.changes.push_back({path, std::move(before), std::move(after)});
    return {};
  }

  [[nodiscard]] base::Result<std::string> content(const State& state) const {
    if (!state) return std::string();
    CLEVER_ASSIGN(const git::ObjectId id, git::ObjectId::from_hex(state->object));
    return request_.store->blob(id, kLargestMerged);
  }

  [[nodiscard]] base::Result<model::FileState> stored(std::string_view content,
                                                      std::uint32_t mode) const {
    CLEVER_ASSIGN(const git::ObjectId id, request_.store->put(git::ObjectKind::kBlob, content));
    return model::FileState{.mode = mode, .hash = base::sha256(content), .object = id.to_hex()};
  }

  // What is there now as git would keep it. Sets blocked_ if that is neither file nor link.
  base::Result<State> present_state(const std::string& path) {
    CLEVER_ASSIGN(const Image image, internal::image_at(root_, path));
    blocked_ = image.kind == Image::Kind::kOther;
    if (blocked_ || image.kind == Image::Kind::kNothing) return State();
    if (image.kind == Image::Kind::kLink) {
      CLEVER_ASSIGN(const std::string target, root_.read_link(path));
      CLEVER_ASSIGN(model::FileState state, stored(target, kLinkMode));
      return State(std::move(state));
    }
    CLEVER_ASSIGN(std::string bytes, root_.read_file(path, kLargestMerged));
    if (request_.project.kind == git::ProjectKind::kRepository) {
      CLEVER_ASSIGN(bytes, repository_.normalised(path, bytes, scratch_));
    }
    const bool executable = image.kind == Image::Kind::kExecutable;
    CLEVER_ASSIGN(model::FileState state, stored(bytes, executable ? 0100755 : 0100644));
    return State(std::move(state));
  }

  const Request& request_;
  io::Directory root_;
  std::filesystem::path scratch_;
  internal::Repository repository_;
  bool blocked_ = false;
  Remerged result_{};
};

}  // namespace

base::Result<Remerged> remerge(const Request& request, const base::StopToken& stop,
                               base::Deadline deadline) {
  CLEVER_TRY(internal::check_request(request));
  CLEVER_ASSIGN(io::Directory root, io::Directory::open(request.project.root));
  CLEVER_TRY(io::make_directories(request.state_folder));
  CLEVER_ASSIGN(const io::Directory state, io::Directory::open(request.state_folder));
  const std::string scratch = "remerge-" + internal::new_id();
  auto merged =
      Remerge(request, std::move(root), request.state_folder / scratch, stop, deadline).run();
  CLEVER_TRY(state.remove_all(scratch));
  if (!merged.ok()) return merged;
  CLEVER_TRY(request.store->sync(stop, deadline));
  return merged;
}

}  // namespace clever::apply
