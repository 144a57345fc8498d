#include "git/object_store.h"

#include <git2.h>

#include <cstring>
#include <optional>
#include <utility>
#include <variant>

#include "git/initialise.h"
#include "git/internal/alternates.h"
#include "git/internal/git_objects.h"
#include "git/internal/group_commit.h"
#include "git/internal/keep_objects.h"
#include "git/internal/log_files.h"
#include "git/internal/recent_trees.h"
#include "git/internal/tree_bytes.h"
#include "io/directory.h"
#include "io/file.h"

namespace clever::git {
namespace {

using internal::GitObjects;
using internal::GroupCommit;
using internal::LogPlace;
using internal::ObjectFacts;
using internal::StoredObject;

constexpr std::string_view kLogFolder = "log";

class FolderStore;

// Where an object was found, and its facts.
struct Located {
  ObjectStore::Header header;
  FolderStore* store = nullptr;
  /// Empty for objects in git's own folders.
  std::optional<GroupCommit::Found> kept{};
};

class FolderStore final : public ObjectStore {
 public:
  FolderStore(std::filesystem::path folder, std::vector<std::filesystem::path> object_folders,
              std::vector<std::shared_ptr<FolderStore>> parents, io::Directory logs)
      : folder_(std::move(folder)),
        parents_(std::move(parents)),
        git_objects_(std::move(object_folders)),
        logs_(folder_ / kLogFolder, std::move(logs)),
        commit_([this](const internal::Batch& batch) { return logs_.append(batch); }) {}

  base::Result<ObjectId> put(ObjectKind kind, std::string_view content) override {
    const ObjectId id = object_id_of(kind, content);
    if (!id) return base::invalid_argument("the content was made to break SHA-1; it is refused");
    if (!commit_.is_kept(id)) commit_.add(internal::store_form(id, kind, content));
    return id;
  }

  base::Result<void> sync(const base::StopToken& stop, base::Deadline deadline) override {
    return commit_.sync(stop, deadline);
  }

  base::Result<bool> contains(const ObjectId& id) override {
    CLEVER_ASSIGN(const auto located, locate(id));
    return located.has_value();
  }

  base::Result<Header> header(const ObjectId& id) override {
    CLEVER_ASSIGN(const auto located, locate(id));
    if (!located) return missing(id);
    return located->header;
  }

  base::Result<std::string> read(const ObjectId& id, ObjectKind kind, std::size_t limit) override {
    if (kind != ObjectKind::kTree) return read_anew(id, kind, limit);
    if (const auto known = trees_.find(id); known != nullptr && known->size() <= limit) {
      return *known;
    }
    CLEVER_ASSIGN(std::string content, read_anew(id, kind, limit));
    trees_.keep(id, content);
    return content;
  }

  base::Result<std::string> read_anew(const ObjectId& id, ObjectKind kind, std::size_t limit) {
    CLEVER_ASSIGN(const auto located, locate(id));
    if (!located) return missing(id);
    if (located->header.kind != kind) return other_kind(id, kind, located->header.kind);
    if (located->header.size > limit) return too_large(id, located->header.size, limit);
    if (id == empty_tree()) return std::string();
    return located->store->content(id, located->kept);
  }

  base::Result<std::vector<TreeEntry>> tree(const ObjectId& id) override {
    CLEVER_ASSIGN(const std::string content, read(id, ObjectKind::kTree, internal::kLargestFolder));
    std::vector<TreeEntry> entries;
    internal::TreeBytes bytes(content);
    while (true) {
      CLEVER_ASSIGN(const auto entry, bytes.next());
      if (!entry) return entries;
      entries.push_back({.name = std::string(entry->name), .node = entry->node});
    }
  }

  base::Result<ObjectId> put_tree(std::vector<TreeEntry> entries) override {
    CLEVER_ASSIGN(const std::string content, internal::tree_content(std::move(entries)));
    return put(ObjectKind::kTree, content);
  }

  base::Result<void> refresh() override {
    git_objects_.forget();
    CLEVER_ASSIGN(const auto places, logs_.scan());
    commit_.add_places(places);
    return {};
  }

  const std::filesystem::path& folder() const override { return folder_; }

 private:
  static base::Error missing(const ObjectId& id) {
    return base::not_found("object " + id.to_hex() +
                           " is neither in the store nor in the project's repository");
  }
  static base::Error other_kind(const ObjectId& id, ObjectKind wanted, ObjectKind found) {
    return base::invalid_argument("object " + id.to_hex() + " is a " +
                                  std::string(to_string(found)) + ", not a " +
                                  std::string(to_string(wanted)));
  }
  static base::Error too_large(const ObjectId& id, std::uint64_t size, std::size_t limit) {
    return base::resource_exhausted("object " + id.to_hex() + " has " + std::to_string(size) +
                                    " bytes; at most " + std::to_string(limit) + " are read here");
  }
  static Header header_of(const GroupCommit::Found& found) {
    const ObjectFacts& facts = std::holds_alternative<LogPlace>(found)
                                   ? std::get<LogPlace>(found).facts
                                   : std::get<0>(found)->facts;
    return {.kind = facts.kind, .size = facts.size};
  }

  // Searches memory first, also that of the stores above: asking git's folders for a missing object
  // costs a look at all their packs.
  base::Result<std::optional<Located>> locate(const ObjectId& id) {
    if (id == empty_tree()) return Located{.header = {ObjectKind::kTree, 0}, .store = this};
    if (auto kept = locate_kept(id)) return kept;
    CLEVER_ASSIGN(auto located, locate_in_git(id, GitObjects::Lookup::kAsKnown));
    if (located) return located;
    return locate_in_git(id, GitObjects::Lookup::kLookAgain);
  }

  std::optional<Located> locate_kept(const ObjectId& id) {
    if (auto found = commit_.find(id)) {
      const Header header = header_of(*found);
      return Located{.header = header, .store = this, .kept = std::move(found)};
    }
    for (const auto& parent : parents_) {
      if (auto located = parent->locate_kept(id)) return located;
    }
    return std::nullopt;
  }

  base::Result<std::optional<Located>> locate_in_git(const ObjectId& id,
                                                     GitObjects::Lookup lookup) {
    CLEVER_ASSIGN(const auto header, git_objects_.header(id, lookup));
    if (header) {
      return Located{.header = {.kind = header->kind, .size = header->size}, .store = this};
    }
    for (const auto& parent : parents_) {
      CLEVER_ASSIGN(auto located, parent->locate_in_git(id, lookup));
      if (located) return located;
    }
    return std::optional<Located>();
  }

  base::Result<std::string> content(const ObjectId& id,
                                    const std::optional<GroupCommit::Found>& kept) {
    if (!kept) return git_objects_.read(id);
    if (const auto* place = std::get_if<LogPlace>(&*kept)) return logs_.read(*place);
    const auto& object = std::get<std::shared_ptr<const StoredObject>>(*kept);
    return internal::content_of(object->facts, object->bytes);
  }

  // Constant after construction.
  const std::filesystem::path folder_;
  const std::vector<std::shared_ptr<FolderStore>> parents_;
  // Thread-safe themselves.
  internal::RecentTrees trees_;
  GitObjects git_objects_;
  internal::LogFiles logs_;
  GroupCommit commit_;
};

base::Result<std::vector<std::shared_ptr<FolderStore>>> folder_stores(
    const std::vector<std::shared_ptr<ObjectStore>>& stores) {
  std::vector<std::shared_ptr<FolderStore>> found;
  for (const auto& store : stores) {
    found.push_back(std::dynamic_pointer_cast<FolderStore>(store));
    if (found.back() == nullptr) {
      return base::invalid_argument("a store above another must come from ObjectStore::open()");
    }
  }
  return found;
}

}  // namespace

base::Result<std::shared_ptr<ObjectStore>> ObjectStore::open(Options options) {
  const std::filesystem::path folder = io::absolute_path(options.folder);
  CLEVER_ASSIGN(auto parents, folder_stores(options.parents));
  const std::filesystem::path objects = folder / "objects";
  const bool is_new = io::file_kind(objects) == io::FileKind::kMissing;
  CLEVER_TRY(io::make_directories(objects / "pack"));
  CLEVER_TRY(io::make_directories(folder / kLogFolder));
  const auto borrowed = internal::with_alternates(options.borrowed);
  if (options.keep_packs) internal::keep_packs(borrowed, objects);
  if (options.keep_packs && options.keep_loose && is_new) {
    internal::keep_loose_objects(borrowed, objects);
  }
  std::vector<std::filesystem::path> object_folders = {objects};
  object_folders.insert(object_folders.end(), borrowed.begin(), borrowed.end());
  CLEVER_ASSIGN(io::Directory logs, io::Directory::open(folder / kLogFolder));
  const auto store = std::make_shared<FolderStore>(folder, std::move(object_folders),
                                                   std::move(parents), std::move(logs));
  CLEVER_TRY(store->refresh());
  return std::shared_ptr<ObjectStore>(store);
}

ObjectId object_id_of(ObjectKind kind, std::string_view content) {
  initialise();
  git_oid oid{};
  ObjectId::Bytes bytes{};
  if (git_odb_hash(&oid, content.data(), content.size(), static_cast<git_object_t>(kind)) == 0) {
    std::memcpy(bytes.data(), oid.id, bytes.size());
  }
  return ObjectId(bytes);
}

ObjectId empty_tree() {
  return ObjectId({0x4b, 0x82, 0x5d, 0xc6, 0x42, 0xcb, 0x6e, 0xb9, 0xa0, 0x60,
                   0xe5, 0x4b, 0xf8, 0xd6, 0x92, 0x88, 0xfb, 0xee, 0x49, 0x04});
}

}  // namespace clever::git
