#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "git/tree.h"
#include "sandbox/workspace.h"
#include "support/temporary_directory.h"
#include "support/test_workspace.h"

// Workspaces for the tests of tools.
namespace clever::test {

/// A workspace over files that are in no repository; everything is removed with it.
class ToolWorkspace {
 public:
  explicit ToolWorkspace(const std::vector<TestFile>& files) {
    std::filesystem::create_directory(folder / "project");
    store = git::ObjectStore::open({.folder = folder / "store"}).value();
    std::vector<git::TreeChange> changes;
    for (const TestFile& file : files) {
      const auto id = store->put(git::ObjectKind::kBlob, file.content).value();
      changes.push_back({path_of(file.path), git::Node{file.mode, id}});
    }
    auto snapshot = std::make_shared<git::BaseSnapshot>();
    const auto none = store->put_tree({}).value();
    snapshot->tree = git::edit_tree(*store, none, std::move(changes)).value();
    base = snapshot;
    workspace = open("workspace");
  }

  /// Another one on the same base.
  [[nodiscard]] std::shared_ptr<sandbox::Workspace> open(std::string_view name) const {
    return sandbox::Workspace::open({.store = store,
                                     .base = base,
                                     .project_root = root(),
                                     .folder = folder / name,
                                     .shared_folder = folder / "shared"})
        .value();
  }
  [[nodiscard]] std::filesystem::path root() const { return folder / "project"; }

  /// Paths and contents of all files now.
  [[nodiscard]] std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    git::walk(*store, workspace->tree().value(), std::nullopt,
              [&](const std::string& path, const git::Node& node) {
                found[path] = store->blob(node.id).value();
                return true;
              })
        .value();
    return found;
  }

  TemporaryDirectory folder;
  std::shared_ptr<git::ObjectStore> store;
  std::shared_ptr<const git::BaseSnapshot> base;
  std::shared_ptr<sandbox::Workspace> workspace;
};

}  // namespace clever::test
