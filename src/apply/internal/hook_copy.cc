#include "apply/internal/hook_copy.h"

#include <algorithm>
#include <array>
#include <set>

#include "apply/internal/list_output.h"
#include "confine/world.h"
#include "git/tree_path.h"
#include "io/environment.h"
#include "io/file.h"

namespace clever::apply::internal {
namespace {

constexpr std::size_t kLargestHookFile = std::size_t{1} << 30U;
constexpr std::size_t kMessageLimit = std::size_t{1} << 20U;
constexpr const char* kMessage = "COMMIT_EDITMSG";

// Settings about authors and text; none that may hold an address, a key or a program.
bool is_copied(std::string_view name) {
  constexpr auto kCopied = std::to_array<std::string_view>(
      {"user.name", "user.email", "core.autocrlf", "core.eol", "core.safecrlf", "core.filemode",
       "core.ignorecase", "core.commentchar", "i18n.commitencoding", "commit.template"});
  return std::ranges::find(kCopied, name) != kCopied.end() || name.starts_with("hooks.");
}

std::string alternates(const git::Project& project, const std::filesystem::path& copy) {
  std::string all = (copy / ".git/objects").string();
  for (const auto& folder : project.object_folders) all += ":" + folder.string();
  return all;
}

std::set<std::string> differing(const Entries& one, const Entries& other) {
  std::set<std::string> paths;
  const auto add = [&](const Entries& from, const Entries& to) {
    for (const auto& [path, entry] : from) {
      const auto found = to.find(path);
      if (found == to.end() || !(found->second == entry)) paths.insert(path);
    }
  };
  add(one, other);
  add(other, one);
  return paths;
}

std::string borrowed(std::size_t index) { return "borrowed" + std::to_string(index); }

}  // namespace

HookCopy::HookCopy(const Request& request, std::filesystem::path folder,
                   const base::StopToken& stop, base::Deadline deadline)
    : request_(request), folder_(std::move(folder)), copy_(folder_ / "project") {
  options_.stop = stop;
  options_.deadline = deadline;
  options_.environment = {"GIT_DIR=" + (folder_ / "trusted").string(),
                          "GIT_WORK_TREE=" + copy_.string(),
                          "GIT_INDEX_FILE=" + (copy_ / ".git/index").string(),
                          "GIT_OBJECT_DIRECTORY=" + (copy_ / ".git/objects").string(),
                          "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + alternates(request.project, copy_),
                          "GIT_LITERAL_PATHSPECS=1"};
}

base::Result<std::string> HookCopy::git(std::vector<std::string> arguments,
                                        std::string input) const {
  git::GitCommandOptions options = options_;
  options.standard_input = std::move(input);
  return git::git_output(copy_, std::move(arguments), options);
}

base::Result<void> HookCopy::make() {
  CLEVER_TRY(make_repositories());
  CLEVER_TRY(write_settings());
  CLEVER_TRY(write_objects());
  CLEVER_TRY(stage_changes());
  CLEVER_ASSIGN(expected_, entries());
  return {};
}

base::Result<void> HookCopy::make_repositories() {
  CLEVER_TRY(io::make_directories(copy_));
  const git::GitCommandOptions plain{.stop = options_.stop, .deadline = options_.deadline};
  for (const auto& [folder, bare] :
       {std::pair{copy_, false}, std::pair{folder_ / "trusted", true}}) {
    std::vector<std::string> arguments = {"init", "--quiet", "--template="};
    if (bare) arguments.emplace_back("--bare");
    arguments.push_back(folder.string());
    CLEVER_TRY(git::git_output(folder_, std::move(arguments), plain));
  }
  std::string lines;
  for (std::size_t index = 0; index < request_.project.object_folders.size(); ++index) {
    CLEVER_TRY(io::make_directories(copy_ / ".git" / borrowed(index)));
    lines += "../" + borrowed(index) + "\n";
  }
  CLEVER_TRY(io::make_directories(copy_ / ".git/hooks"));
  CLEVER_TRY(io::make_directories(copy_ / ".git/objects/info"));
  CLEVER_TRY(io::write_file_atomically(copy_ / ".git/objects/info/alternates", lines));
  CLEVER_ASSIGN(const git::HeadState head, git::head_state(request_.project));
  if (head.commit) head_ = head.commit->to_hex();
  const std::string branch = head.branch.empty() ? "refs/heads/detached" : head.branch;
  CLEVER_TRY(io::write_file_atomically(copy_ / ".git/HEAD", "ref: " + branch + "\n"));
  if (head_.empty()) return {};
  CLEVER_TRY(io::make_directories((copy_ / ".git" / branch).parent_path()));
  return io::write_file_atomically(copy_ / ".git" / branch, head_ + "\n");
}

base::Result<void> HookCopy::write_settings() const {
  const git::GitCommandOptions plain{.stop = options_.stop, .deadline = options_.deadline};
  CLEVER_ASSIGN(const std::string all,
                git::git_output(request_.project.root, {"config", "--list", "-z"}, plain));
  for (const std::string_view setting : split(all, '\0')) {
    const std::size_t end = setting.find('\n');
    const std::string name(setting.substr(0, end));
    if (end == std::string_view::npos || !is_copied(name)) continue;
    const std::string value(setting.substr(end + 1));
    for (const auto& file : {copy_ / ".git/config", folder_ / "trusted/config"}) {
      CLEVER_TRY(git::git_output(folder_, {"config", "--file", file.string(), name, value}, plain));
    }
  }
  return {};
}

base::Result<void> HookCopy::write_objects() const {
  for (const model::NetChange& change : request_.changes) {
    if (!change.after) continue;
    CLEVER_ASSIGN(const git::ObjectId id, git::ObjectId::from_hex(change.after->object));
    CLEVER_ASSIGN(const std::string content, request_.store->blob(id, kLargestHookFile));
    CLEVER_TRY(git({"hash-object", "-w", "--stdin"}, content));
  }
  return {};
}

base::Result<void> HookCopy::stage_changes() const {
  if (!head_.empty()) CLEVER_TRY(git({"read-tree", head_}));
  std::vector<IndexEntry> entries;
  for (const model::NetChange& change : request_.changes) {
    entries.push_back({.path = change.path,
                       .mode = change.after ? change.after->mode : 0,
                       .object = change.after ? change.after->object : ""});
  }
  CLEVER_TRY(git({"update-index", "-z", "--index-info"}, index_lines(entries)));
  CLEVER_TRY(git({"checkout-index", "--all", "--force", "--quiet", "--index"}));
  return {};
}

std::filesystem::path HookCopy::hooks_inside(const std::filesystem::path& hooks) const {
  const std::string common = request_.project.common_folder.string() + "/";
  if (hooks.string().starts_with(common)) return request_.project.root / ".git/hooks";
  return hooks;
}

base::Result<std::vector<confine::Mount>> HookCopy::mounts(
    const std::filesystem::path& hooks) const {
  using Kind = confine::Mount::Kind;
  const std::filesystem::path& root = request_.project.root;
  std::vector<confine::Mount> mounts = {{.kind = Kind::kWritable, .target = root, .source = copy_}};
  for (std::size_t index = 0; index < request_.project.object_folders.size(); ++index) {
    mounts.push_back({.kind = Kind::kReadOnly,
                      .target = root / ".git" / borrowed(index),
                      .source = request_.project.object_folders[index]});
  }
  CLEVER_ASSIGN(const auto dependencies, confine::dependency_folders(root, {}));
  std::vector<std::filesystem::path> shown;
  for (const auto& dependency : dependencies) shown.push_back(root / dependency.path);
  const std::filesystem::path inside = hooks_inside(hooks);
  if (inside.string().starts_with(root.string() + "/")) {
    CLEVER_TRY(io::make_directories(copy_ / inside.lexically_relative(root)));
  }
  for (const std::filesystem::path& path : shown) {
    if (io::file_kind(path) != io::FileKind::kDirectory) continue;
    CLEVER_TRY(io::make_directories(copy_ / path.lexically_relative(root)));
    mounts.push_back({.kind = Kind::kReadOnly, .target = path, .source = path});
  }
  mounts.push_back({.kind = Kind::kReadOnly, .target = inside, .source = hooks});
  return mounts;
}

base::Result<void> HookCopy::write_message(const std::string& message) const {
  return io::write_file_atomically(copy_ / ".git" / kMessage, message);
}

base::Result<std::string> HookCopy::message() const {
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(copy_));
  return folder.read_file(std::string(".git/") + kMessage, kMessageLimit);
}

base::Result<Entries> HookCopy::entries() const {
  CLEVER_ASSIGN(const std::string output, git({"ls-files", "-z", "-s", "-t"}));
  return parse_index_entries(output);
}

base::Result<std::optional<std::vector<model::NetChange>>> HookCopy::changed(bool all) const {
  if (all) CLEVER_TRY(git({"add", "--update", "."}));
  CLEVER_ASSIGN(const Entries found, entries());
  if (found == expected_) return std::nullopt;
  std::map<std::string, model::NetChange> changes;
  for (const model::NetChange& change : request_.changes) changes.emplace(change.path, change);
  for (const std::string& path : differing(found, expected_)) {
    const auto [at, is_new] = changes.try_emplace(path, model::NetChange{.path = path});
    if (is_new) {
      CLEVER_ASSIGN(at->second.before, state_of(expected_, path));
    }
    CLEVER_ASSIGN(at->second.after, state_of(found, path));
  }
  std::vector<model::NetChange> result;
  for (auto& [path, change] : changes) {
    if (change.before != change.after) result.push_back(std::move(change));
  }
  return std::optional(std::move(result));
}

base::Result<std::optional<model::FileState>> HookCopy::state_of(const Entries& entries,
                                                                 const std::string& path) const {
  const auto entry = entries.find(path);
  if (entry == entries.end()) return std::nullopt;
  CLEVER_ASSIGN(const std::string content, git({"cat-file", "blob", entry->second.object}));
  CLEVER_ASSIGN(const git::ObjectId id, request_.store->put(git::ObjectKind::kBlob, content));
  return std::optional(model::FileState{
      .mode = entry->second.mode, .hash = base::sha256(content), .object = id.to_hex()});
}

}  // namespace clever::apply::internal
