#pragma once
// A workspace for tests, over a base tree that is made of a few lines.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "git/tree.h"
#include "sandbox/workspace.h"
#include "support/temporary_directory.h"
#include "support/tree_paths.h"

namespace clever::test {

struct TestFile {
  std::string path;
  std::string content;
  git::FileMode mode = git::FileMode::kFile;
};

inline git::ObjectId tree_of(git::ObjectStore& store, const std::vector<TestFile>& files) {
  std::vector<git::TreeChange> changes;
  for (const TestFile& file : files) {
    const bool submodule = file.mode == git::FileMode::kSubmodule;
    const git::ObjectId id = submodule ? git::ObjectId::from_hex(file.content).value()
                                       : store.put(git::ObjectKind::kBlob, file.content).value();
    changes.push_back({path_of(file.path), git::Node{file.mode, id}});
  }
  return git::edit_tree(store, git::empty_tree(), std::move(changes)).value();
}

/// Folders, a store and a workspace, all removed with it.
class TestWorkspace {
 public:
  explicit TestWorkspace(const std::vector<TestFile>& files) : TestWorkspace(files, {}) {}
  TestWorkspace(const std::vector<TestFile>& files, git::BaseSnapshot snapshot)
      : store_(git::ObjectStore::open({.folder = folder_ / "store"}).value()) {
    std::filesystem::create_directory(folder_ / "project");
    snapshot.tree = tree_of(*store_, files);
    base_ = std::make_shared<const git::BaseSnapshot>(std::move(snapshot));
    workspace_ = sandbox::Workspace::open(options()).value();
  }

  [[nodiscard]] sandbox::WorkspaceOptions options(std::string_view name = "own") const {
    return {.store = store_,
            .base = base_,
            .project_root = folder_ / "project",
            .folder = folder_ / name,
            .shared_folder = folder_ / "shared"};
  }
  sandbox::Workspace* operator->() const { return workspace_.get(); }
  sandbox::Workspace& operator*() const { return *workspace_; }
  [[nodiscard]] const TemporaryDirectory& folder() const { return folder_; }
  [[nodiscard]] git::ObjectStore& store() const { return *store_; }

  [[nodiscard]] std::string read(std::string_view path) const {
    auto file = workspace_->read(path_of(path));
    return file.ok() ? file->content : std::string(to_string(file.error().code()));
  }
  [[nodiscard]] std::vector<std::string> all() const {
    return workspace_->list("", 1'000'000).value().paths;
  }
  /// "A path", "D path", "M path", each with a space between.
  [[nodiscard]] std::string status() const {
    std::string text;
    for (const auto& difference : workspace_->status().value()) {
      text += !difference.before ? "A " : !difference.after ? "D " : "M ";
      text += difference.path.text() + " ";
    }
    return text;
  }

 private:
  const TemporaryDirectory folder_;
  std::shared_ptr<git::ObjectStore> store_;
  std::shared_ptr<const git::BaseSnapshot> base_;
  std::shared_ptr<sandbox::Workspace> workspace_;
};

}  // namespace clever::test
