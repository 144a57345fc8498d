#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>
#include <memory>

#include "base/thread_pool.h"
#include "clobber/worker.h"
#include "git/project.h"
#include "git/snapshot.h"
#include "support/campaign.h"
#include "support/repository.h"
#include "support/together.h"

namespace clever::clobber {
namespace {

constexpr int kWorkspaces = 64;

/// Everything about every file below a folder, .git included.
std::map<std::string, std::string> fingerprint(const std::filesystem::path& folder) {
  std::map<std::string, std::string> facts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    struct stat status{};
    if (::lstat(entry.path().c_str(), &status) != 0) std::abort();
    std::string text = std::to_string(status.st_mode) + " " + std::to_string(status.st_ino) + " " +
                       std::to_string(status.st_mtim.tv_sec) + "." +
                       std::to_string(status.st_mtim.tv_nsec) + " ";
    if (entry.is_symlink()) {
      text += std::filesystem::read_symlink(entry.path()).string();
    } else if (entry.is_regular_file()) {
      std::ifstream in(entry.path(), std::ios::binary);
      text.append(std::istreambuf_iterator<char>(in), {});
    }
    facts[entry.path().string()] = std::move(text);
  }
  return facts;
}

/// Committed, changed since and untracked files, and what the snapshot must hold.
Model make_project(const test::Repository& repository) {
  Model model;
  const auto both = [&](const std::string& path, const std::string& content, bool executable) {
    repository.write(path, content, executable);
    model.write(path, content);
    model.set_executable(path, executable);
  };
  both(".gitignore", "*.o\n", false);
  for (int i = 0; i < 40; ++i) {
    both("src/" + std::to_string(i), "v" + std::to_string(i) + "\nalpha\nbeta beta\n", i % 5 == 0);
  }
  both("p/q/r", "v\nalpha\n", false);
  repository.commit();
  both("src/3", "uncommitted\nalpha\n", false);
  both("untracked", "alpha\n", true);
  repository.write("user.o", "ignored");
  return model;
}

TEST(Clobber, EachWorkspaceEndsAsItsModelSays) {
  const test::Repository repository;
  const Model model = make_project(repository);
  const auto before = fingerprint(repository.path());

  const auto project = git::Project::find(repository.path()).value();
  const std::shared_ptr<git::ObjectStore> store =
      git::ObjectStore::open(
          {.folder = repository.beside("store"), .borrowed = project.object_folders})
          .value();
  const auto base =
      std::make_shared<git::BaseSnapshot>(git::snapshot_working_tree(project, *store).value());
  base::ThreadPool pool({.name = "search", .threads = 4});
  const std::size_t steps = test::campaign(40, 4000);

  test::together(kWorkspaces, [&](int worker) {
    const std::string name = std::to_string(worker);
    const auto workspace = sandbox::Workspace::open({.store = store,
                                                     .base = base,
                                                     .project_root = repository.path(),
                                                     .folder = repository.beside("own" + name),
                                                     .shared_folder = repository.beside("shared"),
                                                     .pool = &pool})
                               .value();
    const bool overlay = worker % 4 != 0;
    Worker work(workspace, model, repository.path(), static_cast<std::uint64_t>(worker) + 1,
                overlay);
    for (std::size_t i = 0; i < steps && !testing::Test::HasFailure(); ++i) work.step();
    if (!testing::Test::HasFailure()) work.compare_all();
  });

  EXPECT_EQ(fingerprint(repository.path()), before);
}

}  // namespace
}  // namespace clever::clobber
