#include "sandbox/workspace/internal/capture.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "sandbox/workspace/internal/layers.h"
#include "sandbox/workspace/internal/overlay_marks.h"

namespace clever::sandbox::internal {
namespace {

using git::FileMode;
using git::Node;
using git::TreePath;
using Kind = io::EntryFacts::Kind;

// Time stamps of a file system advance in ticks of some milliseconds: a file written in the last
// tick may change again without a new time stamp.
constexpr std::int64_t kTick = 20'000'000;

constexpr std::string_view kSecretName =
    "a name that secrets have (sandbox.include lists exceptions by name)";

bool is_submodule(const std::optional<Node>& node) {
  return node && node->mode == FileMode::kSubmodule;
}

class Capture {
 public:
  Capture(git::ObjectStore& store, const DiskFiles& files, const CaptureOptions& options,
          const base::StopToken& stop)
      : store_(store), files_(files), options_(options), stop_(stop) {
    for (const auto& [path, facts] : files.known) newest_ = std::max(newest_, facts.changed);
  }

  base::Result<DiskChanges> run() {
    CLEVER_TRY(folder(files_.folder, ""));
    // A copy holds every file, so a missing one was removed.
    if (!files_.overlay) CLEVER_TRY(remove_absent(std::nullopt));
    for (const TreePath& path : opaque_) CLEVER_TRY(remove_absent(path));
    CLEVER_TRY(remove_known_absent());
    for (auto& [path, change] : changes_) {
      CLEVER_ASSIGN(TreePath tree_path, TreePath::parse(path));
      result_.changes.push_back({std::move(tree_path), change});
    }
    return std::move(result_);
  }

 private:
  base::Result<void> folder(const io::Directory& folder, const std::string& prefix) {
    if (stop_.stop_requested()) return base::cancelled("stopped while taking over changes");
    std::map<std::string, Kind> names;  // sorted
    const auto listed = folder.list("", [&](std::string_view name, Kind kind) {
      names.emplace(name, kind);
      return true;
    });
    if (!listed.ok()) {
      skip(prefix, "cannot be read: " + listed.error().message());
      return {};
    }
    for (const auto& [name, kind] : names) {
      // The place of the workspace's own repository, which is mounted over it.
      const bool is_place = prefix.empty() && name == ".git" && kind == Kind::kDirectory;
      if (is_place && is_empty(folder, name)) continue;
      const auto path = TreePath::parse(prefix + name);
      if (!path.ok()) {
        skip(prefix + name, path.error().message());
        continue;
      }
      CLEVER_TRY(one(folder, name, *path, kind));
    }
    return {};
  }

  static bool is_empty(const io::Directory& above, const std::string& name) {
    bool empty = true;
    const auto listed = above.list(name, [&empty](std::string_view, Kind) {
      empty = false;
      return false;
    });
    return listed.ok() && empty;
  }

  base::Result<void> one(const io::Directory& above, const std::string& name, const TreePath& path,
                         Kind kind) {
    CLEVER_ASSIGN(const auto before, git::find(store_, options_.shown, path));
    if (is_submodule(before)) return {};
    if (kind == Kind::kDirectory) return enter(above, name, path, before);
    if (kind != Kind::kOther) return file(above, name, path, kind, before);
    const bool whiteout = files_.overlay && is_whiteout(above, name);
    if (!whiteout) {
      if (!before && options_.rules.ignores(path.text(), false)) return {};
      skip(path.text(), special_kind(above, name));
    }
    return before ? remove_at(path, *before) : base::Result<void>();
  }

  base::Result<void> enter(const io::Directory& above, const std::string& name,
                           const TreePath& path, const std::optional<Node>& before) {
    const bool had_folder = before && is_folder(*before);
    if (before && !had_folder) CLEVER_TRY(remove_at(path, *before));
    if (!had_folder && options_.rules.ignores(path.text(), true)) return {};
    if (!had_folder && options_.secrets.secrecy(path.text()) == git::Secrecy::kSecret) {
      skip(path.text(), kSecretName);
      return {};
    }
    const auto below = above.open_below(name);
    if (!below.ok()) {
      skip(path.text(), "cannot be entered: " + below.error().message());
      return {};
    }
    if (files_.overlay && had_folder && is_opaque(*below)) opaque_.push_back(path);
    return folder(*below, path.text() + "/");
  }

  base::Result<void> file(const io::Directory& above, const std::string& name, const TreePath& path,
                          Kind kind, const std::optional<Node>& before) {
    const std::string& text = path.text();
    present_.insert(text);
    const auto facts = above.facts(name);
    if (!facts.ok()) return facts.error();
    if (is_known(text, *facts)) {
      result_.known.insert_or_assign(text, *facts);
      return {};
    }
    const bool had_file = before && !is_folder(*before);
    if (!had_file && options_.rules.ignores(text, false)) return {};
    if (!had_file && is_secret(above, name, path)) {
      skip(text, kSecretName);
      return {};
    }
    if (std::ranges::binary_search(options_.read_only, path)) {
      skip(text, "read-only here (an external filter makes its content)");
      keep_known(text);
      return {};
    }
    CLEVER_ASSIGN(const auto node, take(above, name, text, kind, *facts));
    if (!node) {
      keep_known(text);
      return {};
    }
    if (before && is_folder(*before)) CLEVER_TRY(remove_at(path, *before));
    if (!had_file || *before != *node) changes_.insert_or_assign(text, *node);
    result_.known.insert_or_assign(text, *facts);
    return {};
  }

  [[nodiscard]] bool is_secret(const io::Directory& above, const std::string& name,
                               const TreePath& path) const {
    if (std::ranges::binary_search(options_.hidden, path)) return true;
    return options_.secrets.hides(path.text(),
                                  [&] { return above.read_file(name, options_.largest_file); });
  }

  [[nodiscard]] bool is_known(const std::string& path, const io::EntryFacts& facts) const {
    const auto known = files_.known.find(path);
    return known != files_.known.end() && known->second == facts && facts.changed < newest_ - kTick;
  }

  // Skips the file now, but still reports its removal later.
  void keep_known(const std::string& path) {
    const auto known = files_.known.find(path);
    if (known != files_.known.end()) result_.known.insert(*known);
  }

  base::Result<std::optional<Node>> take(const io::Directory& above, const std::string& name,
                                         const std::string& path, Kind kind,
                                         const io::EntryFacts& facts) {
    if (kind == Kind::kFile && facts.size > options_.largest_file) {
      skip(path, "larger than " + std::to_string(options_.largest_file >> 20U) + " MiB");
      return std::optional<Node>();
    }
    const auto content =
        kind == Kind::kLink ? above.read_link(name) : above.read_file(name, options_.largest_file);
    if (!content.ok()) {
      skip(path, "cannot be read: " + content.error().message());
      return std::optional<Node>();
    }
    CLEVER_ASSIGN(const auto id, store_.put(git::ObjectKind::kBlob, *content));
    if (kind == Kind::kLink) return std::optional(Node{FileMode::kLink, id});
    const bool executable = (facts.mode & 0100U) != 0;
    return std::optional(Node{executable ? FileMode::kExecutable : FileMode::kFile, id});
  }

  // Removes the file, or all files of the folder.
  base::Result<void> remove_at(const TreePath& path, const Node& before) {
    if (!is_folder(before)) {
      changes_.emplace(path.text(), std::nullopt);
      return {};
    }
    return git::walk(store_, options_.shown, path, [&](const std::string& file, const Node& node) {
      if (node.mode != FileMode::kSubmodule) changes_.emplace(file, std::nullopt);
      return true;
    });
  }

  base::Result<void> remove_absent(const std::optional<TreePath>& below) {
    return git::walk(
        store_, options_.shown, below,
        [&](const std::string& file, const Node& node) {
          if (node.mode != FileMode::kSubmodule && !present_.contains(file)) {
            changes_.emplace(file, std::nullopt);
          }
          return true;
        },
        stop_);
  }

  // Removing a file that the base lacks leaves no whiteout.
  base::Result<void> remove_known_absent() {
    for (const auto& [text, facts] : files_.known) {
      if (present_.contains(text) || changes_.contains(text)) continue;
      CLEVER_ASSIGN(const TreePath path, TreePath::parse(text));
      CLEVER_ASSIGN(const auto before, git::find(store_, options_.shown, path));
      if (before && !is_folder(*before) && !is_submodule(before)) {
        changes_.emplace(text, std::nullopt);
      }
    }
    return {};
  }

  void skip(const std::string& path, std::string_view why) {
    result_.skipped.push_back(git::printable(path) + ": " + std::string(why));
  }

  git::ObjectStore& store_;
  const DiskFiles& files_;
  const CaptureOptions& options_;
  const base::StopToken& stop_;
  std::int64_t newest_ = 0;
  std::set<std::string, std::less<>> present_;
  std::vector<TreePath> opaque_;
  std::map<std::string, std::optional<Node>> changes_;
  DiskChanges result_;
};

}  // namespace

base::Result<DiskChanges> capture(git::ObjectStore& store, const DiskFiles& files,
                                  const CaptureOptions& options, const base::StopToken& stop) {
  return Capture(store, files, options, stop).run();
}

}  // namespace clever::sandbox::internal
