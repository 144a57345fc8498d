#include "git/private_repository.h"

#include <git2.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "git/git_command.h"
#include "git/initialise.h"
#include "git/internal/loose_objects.h"
#include "git/tree.h"
#include "io/directory.h"
#include "io/file.h"

namespace clever::git {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestRefs = std::size_t{64} << 20U;
constexpr std::size_t kLargestRef = 4096;
constexpr std::size_t kLargestCommit = std::size_t{1} << 20U;
constexpr std::size_t kLongestSubject = 200;
constexpr std::string_view kRefPrefix = "ref: ";
constexpr std::int64_t kNanoseconds = 1'000'000'000;

// Only modification times are compared with the project's files; nothing is ever packed or sent.
constexpr std::string_view kPrivateConfig =
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
    "\tlogAllRefUpdates = true\n\tcheckStat = minimal\n\ttrustctime = false\n"
    "\tfsmonitor = false\n"
    "[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n"
    "[user]\n\tname = agent\n\temail = agent@localhost\n[commit]\n\tgpgSign = false\n";

// Converts a line of `git for-each-ref`: the id, the name, and the tagged object.
std::string packed_ref(std::string_view line) {
  const auto words = base::split(line, ' ');
  if (words.size() < 2) return {};
  std::string text = std::string(words[0]) + " " + std::string(words[1]) + "\n";
  if (words.size() > 2 && !words[2].empty()) text += "^" + std::string(words[2]) + "\n";
  return text;
}

base::Result<std::string> packed_refs(const Project& project, const base::StopToken& stop) {
  CLEVER_ASSIGN(const std::string lines,
                git_output(project.root,
                           {"for-each-ref", "--format=%(objectname) %(refname) %(*objectname)",
                            "refs/heads", "refs/tags"},
                           {.output_limit = kLargestRefs, .stop = stop}));
  std::string text = "# pack-refs with: peeled fully-peeled sorted \n";
  for (const std::string_view line : base::split(lines, '\n')) text += packed_ref(line);
  return text;
}

base::Result<void> write_head(const HeadState& head, const io::Directory& repository) {
  if (head.branch.empty()) {
    const std::string id = head.commit ? head.commit->to_hex() : std::string();
    return repository.create_file("HEAD", id + "\n", 0644);
  }
  CLEVER_TRY(repository.create_file("HEAD", std::string(kRefPrefix) + head.branch + "\n", 0644));
  if (!head.commit) return {};
  CLEVER_TRY(repository.make_directories(fs::path(head.branch).parent_path().string(), 0755));
  return repository.create_file(head.branch, head.commit->to_hex() + "\n", 0644);
}

// ---- the index

struct FreeIndex {
  void operator()(git_index* index) const noexcept { git_index_free(index); }
};

base::Error index_error(const fs::path& file) {
  const git_error* last = git_error_last();
  return base::unavailable("cannot write the index " + file.string() + ": " +
                           (last == nullptr ? "unknown" : last->message));
}

void add_looks(const io::Directory& checkout, const std::string& path, git_index_entry& entry) {
  const auto facts = checkout.facts(path);
  if (!facts.ok()) return;
  entry.file_size = static_cast<std::uint32_t>(facts->size);
  entry.mtime.seconds = static_cast<std::int32_t>(facts->modified / kNanoseconds);
  entry.mtime.nanoseconds = static_cast<std::uint32_t>(facts->modified % kNanoseconds);
}

// ---- what was committed

struct ReadCommit {
  std::optional<ObjectId> parent{};
  std::string subject{};
};

ReadCommit read_commit(std::string_view content) {
  ReadCommit commit;
  const std::size_t end = content.find("\n\n");
  for (const std::string_view line : base::split(content.substr(0, end), '\n')) {
    if (!commit.parent && line.starts_with("parent ")) {
      if (auto id = ObjectId::from_hex(line.substr(7)); id.ok()) commit.parent = *id;
    }
  }
  if (end == std::string_view::npos) return commit;
  const std::string_view message = content.substr(end + 2);
  const std::string_view subject = base::trimmed(message.substr(0, message.find('\n')));
  commit.subject = base::utf8_prefix(base::to_valid_utf8(subject), kLongestSubject);
  return commit;
}

std::optional<ObjectId> packed_id(const io::Directory& repository, std::string_view name) {
  const auto packed = repository.read_file("packed-refs", kLargestRefs);
  if (!packed.ok()) return std::nullopt;
  for (const std::string_view line : base::split(*packed, '\n')) {
    if (!line.ends_with(name) || line.size() <= name.size()) continue;
    const std::size_t id_end = line.size() - name.size() - 1;
    if (line[id_end] != ' ') continue;
    const auto id = ObjectId::from_hex(line.substr(0, id_end));
    if (id.ok()) return *id;
  }
  return std::nullopt;
}

std::optional<ObjectId> head_of(const io::Directory& repository) {
  const auto head = repository.read_file("HEAD", kLargestRef);
  if (!head.ok()) return std::nullopt;
  std::string_view text = base::trimmed(*head);
  if (!text.starts_with(kRefPrefix)) {
    const auto id = ObjectId::from_hex(text);
    return id.ok() ? std::optional(*id) : std::nullopt;
  }
  text.remove_prefix(kRefPrefix.size());
  if (!text.starts_with("refs/")) return std::nullopt;
  const auto loose = repository.read_file(text, kLargestRef);
  if (!loose.ok()) return packed_id(repository, text);
  const auto id = ObjectId::from_hex(base::trimmed(*loose));
  return id.ok() ? std::optional(*id) : std::nullopt;
}

}  // namespace

std::vector<BorrowedObjects> borrowed_objects(const Project& project) {
  std::vector<BorrowedObjects> borrowed;
  for (const fs::path& source : project.object_folders) {
    borrowed.push_back({"borrowed" + std::to_string(borrowed.size()), source});
  }
  return borrowed;
}

base::Result<void> make_private_repository(const Project& project, const HeadState& head,
                                           const fs::path& folder, const base::StopToken& stop) {
  CLEVER_TRY(io::make_directories(folder));
  CLEVER_ASSIGN(const io::Directory repository, io::Directory::open(folder));
  for (const char* name : {"refs/heads", "refs/tags", "objects/info", "info"}) {
    CLEVER_TRY(repository.make_directories(name, 0755));
  }
  CLEVER_TRY(repository.create_file("config", kPrivateConfig, 0644));
  CLEVER_ASSIGN(const std::string refs, packed_refs(project, stop));
  CLEVER_TRY(repository.create_file("packed-refs", refs, 0644));
  CLEVER_TRY(write_head(head, repository));
  if (project.shallow) {
    CLEVER_ASSIGN(const std::string shallow,
                  io::read_file(project.common_folder / "shallow", kLargestRefs));
    CLEVER_TRY(repository.create_file("shallow", shallow, 0644));
  }
  std::string alternates;
  for (const BorrowedObjects& borrowed : borrowed_objects(project)) {
    CLEVER_TRY(repository.make_directories(borrowed.name, 0755));
    // Relative to the repository's own `objects`.
    alternates += "../" + borrowed.name + "\n";
  }
  return repository.create_file("objects/info/alternates", alternates, 0644);
}

base::Result<void> write_index(ObjectStore& store, const ObjectId& tree, const ObjectId& shown,
                               const fs::path& checkout, const fs::path& file,
                               const base::StopToken& stop) {
  initialise();
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(checkout));
  CLEVER_ASSIGN(const auto differences, compare(store, tree, shown, stop));
  git_index* opened = nullptr;
  if (git_index_open(&opened, file.c_str()) != 0) return index_error(file);
  const std::unique_ptr<git_index, FreeIndex> index(opened);
  bool failed = false;
  CLEVER_TRY(walk(
      store, tree, std::nullopt,
      [&](const std::string& path, const Node& node) {
        git_index_entry entry{};
        entry.mode = static_cast<std::uint32_t>(node.mode);
        entry.path = path.c_str();
        std::ranges::copy(node.id.bytes(), std::begin(entry.id.id));
        const auto differs = std::ranges::lower_bound(
            differences, path, {},
            [](const TreeDifference& one) -> const std::string& { return one.path.text(); });
        const bool same = differs == differences.end() || differs->path.text() != path;
        if (same && node.mode != FileMode::kSubmodule) add_looks(folder, path, entry);
        failed = git_index_add(index.get(), &entry) != 0;
        return !failed;
      },
      stop));
  if (failed || git_index_write(index.get()) != 0) return index_error(file);
  return {};
}

std::vector<std::string> commit_subjects(const fs::path& folder, const ObjectId& base) {
  std::vector<std::string> subjects;
  const auto repository = io::Directory::open(folder);
  if (!repository.ok()) return subjects;
  std::optional<ObjectId> next = head_of(*repository);
  while (next && *next != base && subjects.size() < kMostSubjects) {
    const auto object = internal::read_loose_object(*repository, *next, kLargestCommit);
    if (!object.ok() || object->kind != ObjectKind::kCommit) break;
    ReadCommit commit = read_commit(object->content);
    subjects.push_back(std::move(commit.subject));
    next = commit.parent;
  }
  std::ranges::reverse(subjects);
  return subjects;
}

}  // namespace clever::git
