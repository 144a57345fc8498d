#include "apply/internal/staging.h"

#include "apply/internal/exchange.h"
#include "apply/internal/image.h"
#include "base/crash_point.h"
#include "git/tree_path.h"

namespace clever::apply::internal {
namespace {

constexpr std::uint32_t kLinkMode = 0120000;
constexpr std::uint32_t kExecutableMode = 0100755;

std::string folder(const Beginning& beginning, std::string_view name) {
  return beginning.staging + "/" + std::string(name);
}

bool is_link(const model::NetChange& change) {
  return change.after && change.after->mode == kLinkMode;
}

}  // namespace

std::string staging_name(const io::Directory& root, const std::string& id) {
  const auto git = root.facts(".git");
  const bool inside = git.ok() && git->kind == io::EntryFacts::Kind::kDirectory;
  return (inside ? ".git/cleveragents-apply-" : ".cleveragents-apply-") + id;
}

std::filesystem::path Staging::index_path(std::string_view name) const {
  return request_.project.root / folder(beginning_, name);
}

base::Result<void> Staging::make_folder() {
  CLEVER_TRY(root_.make_directories(folder(beginning_, "files"), 0777));
  CLEVER_TRY(root_.make_directories(folder(beginning_, "objects"), 0700));
  CLEVER_TRY(root_.create_file(folder(beginning_, ".gitignore"), "*\n", 0644));
  CLEVER_ASSIGN(const io::EntryFacts facts, root_.facts(folder(beginning_, "files")));
  umask_ = 0777U & ~facts.mode;
  return {};
}

base::Result<std::string> Staging::content_of(const model::NetChange& change) const {
  const std::string doing = "reading the new " + git::printable(change.path);
  CLEVER_ASSIGN(const git::ObjectId id, git::ObjectId::from_hex(change.after->object));
  auto content = request_.store->blob(id, kLargestApplied);
  if (!content.ok()) return std::move(content).context(doing);
  // Only reviewed bytes may land.
  if (base::sha256(*content) == change.after->hash) return content;
  return base::corruption(doing + ": its bytes are not the ones that were approved");
}

base::Result<void> Staging::write_objects() {
  CLEVER_TRY(make_folder());
  std::vector<std::string> files;
  std::vector<std::string> expected;
  for (std::size_t index = 0; index < request_.changes.size(); ++index) {
    const model::NetChange& change = request_.changes[index];
    if (!change.after) continue;
    CLEVER_ASSIGN(const std::string content, content_of(change));
    files.push_back(folder(beginning_, "objects/") + std::to_string(index));
    expected.push_back(change.after->object);
    CLEVER_TRY(root_.create_file(files.back(), content, 0600));
  }
  CLEVER_ASSIGN(const std::vector<std::string> ids, repository_->write_blobs(files));
  if (ids == expected) return {};
  return base::corruption("the objects of the changes do not match their names");
}

base::Result<void> Staging::write_files(Prepared& prepared) {
  if (repository_ == nullptr) {
    CLEVER_TRY(make_folder());
  } else {
    CLEVER_TRY(write_objects());
    CLEVER_TRY(check_out_files());
  }
  for (std::size_t index = 0; index < request_.changes.size(); ++index) {
    const model::NetChange& change = request_.changes[index];
    if (!change.after) continue;
    base::crash_point("apply.stage");
    if (repository_ == nullptr || is_link(change)) {
      CLEVER_ASSIGN(const std::string content, content_of(change));
      CLEVER_TRY(write_plain(index, content));
    } else {
      CLEVER_TRY(root_.move_new(folder(beginning_, "out/") + change.path,
                                Exchange::slot(beginning_, index)));
    }
    CLEVER_TRY(finish_file(index, prepared));
  }
  CLEVER_TRY(root_.sync_directory(folder(beginning_, "files")));
  return root_.sync_directory(beginning_.staging);
}

base::Result<void> Staging::write_plain(std::size_t index, const std::string& content) {
  const std::string slot = Exchange::slot(beginning_, index);
  if (is_link(request_.changes[index])) return root_.create_link(slot, content);
  return root_.create_file(slot, content, 0600);
}

// Line ends and encodings as in the user's attributes and settings.
base::Result<void> Staging::check_out_files() {
  std::vector<IndexEntry> files = entries();
  std::erase_if(files,
                [](const IndexEntry& entry) { return entry.mode == 0 || entry.mode == kLinkMode; });
  if (files.empty()) return {};
  return repository_->check_out(files, index_path("checkout-index"), folder(beginning_, "out"));
}

base::Result<void> Staging::finish_file(std::size_t index, Prepared& prepared) {
  const std::string slot = Exchange::slot(beginning_, index);
  if (!is_link(request_.changes[index])) {
    CLEVER_TRY(root_.set_mode(slot, 0600));
    CLEVER_TRY(root_.sync_file(slot));
    CLEVER_TRY(root_.set_mode(slot, mode_for(index, prepared)));
  }
  CLEVER_ASSIGN(prepared.operations[index].after, image_at(root_, slot));
  return {};
}

// A file keeps its permissions except for the executable bits; a new one gets the usual ones.
mode_t Staging::mode_for(std::size_t index, const Prepared& prepared) const {
  const model::NetChange& change = request_.changes[index];
  const bool executable = change.after->mode == kExecutableMode;
  if (!change.before || change.before->mode == kLinkMode) {
    return (executable ? 0777U : 0666U) & ~umask_;
  }
  const mode_t old = prepared.modes[index];
  if (change.before->mode == change.after->mode) return old;
  return executable ? old | ((old & 0444U) >> 2U) : old & ~mode_t{0111};
}

std::vector<IndexEntry> Staging::entries() const {
  std::vector<IndexEntry> entries;
  for (const model::NetChange& change : request_.changes) {
    entries.push_back({.path = change.path,
                       .mode = change.after ? change.after->mode : 0,
                       .object = change.after ? change.after->object : ""});
  }
  return entries;
}

}  // namespace clever::apply::internal
