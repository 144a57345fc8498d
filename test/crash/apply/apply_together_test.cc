// Several processes apply to one project at once while a person keeps saving one of the files: each
// apply is whole or nothing, one after another, and no save is lost.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "apply/apply.h"
#include "io/file_descriptor.h"
#include "support/changes.h"
#include "support/child_process.h"
#include "support/repository.h"

namespace clever::apply::crash {
namespace {

constexpr std::size_t kProcesses = 3;
constexpr std::size_t kPlans = 2;  // of the first process; two more of each after it
constexpr const char* kLastSave = "the last save\n";

// One bit each in the exit code of a process.
std::size_t plans_of(std::size_t process) { return kPlans * (process + 1); }

std::string own_file(std::size_t process, std::size_t plan) {
  return "own-" + std::to_string(process) + "-" + std::to_string(plan);
}

void save_in_place(const std::filesystem::path& path, std::string_view content) {
  const io::FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (::write(file.number(), content.data(), content.size()) < 0) ::_exit(9);
}

void save_by_renaming(const std::filesystem::path& path, std::string_view content) {
  const std::filesystem::path beside = path.string() + "~";
  save_in_place(beside, content);
  std::filesystem::rename(beside, path);
}

// Edits and goes back to what the plans expect, again and again until the marker is there.
void keep_saving(const std::filesystem::path& path, const std::filesystem::path& marker) {
  for (std::size_t round = 0; !std::filesystem::exists(marker); ++round) {
    const std::string text = "save " + std::to_string(round) + "\n";
    round % 2 == 0 ? save_in_place(path, text) : save_by_renaming(path, text);
    round % 3 == 0 ? save_in_place(path, "shared\n") : save_by_renaming(path, "shared\n");
    // The file is what the plans expect for a while.
    for (int look = 0; look < 10'000 && !std::filesystem::exists(marker); ++look) {
    }
  }
  save_in_place(path, kLastSave);
}

// What every plan does to the project; each also makes a file of its own.
class Together : public ::testing::Test {
 protected:
  Together() {
    repository_.write("shared", "shared\n");
    repository_.commit("first");
    project_ = git::Project::find(repository_.path()).value();
    changes_.emplace(project_, repository_.beside("store"));
    shared_ = changes_->state("shared\n");
    content_ = changes_->state("changed by a plan\n");
  }

  [[nodiscard]] Request request(std::size_t process, std::size_t plan, bool shared) const {
    Request request{.project = project_,
                    .store = changes_->store(),
                    .plan = test::Changes::new_plan(),
                    .digest = {},
                    .changes = {{.path = own_file(process, plan), .after = content_}},
                    .mode = shared ? Mode::kWorkingTree : Mode::kCommit,
                    .message = own_file(process, plan),
                    .expected_branch = "refs/heads/main",
                    .state_folder = repository_.beside("state")};
    if (shared) request.changes.push_back({"shared", shared_, content_});
    request.digest = model::digest_of(request.changes);
    return request;
  }

  // The plans that landed, as bits.
  [[nodiscard]] int apply_all(std::size_t process, bool shared) const {
    int landed = 0;
    for (std::size_t plan = 0; plan < plans_of(process); ++plan) {
      const auto outcome = apply(request(process, plan, shared));
      if (outcome.ok() && outcome->kind == Outcome::Kind::kApplied) landed |= 1 << plan;
    }
    return landed;
  }

  test::Repository repository_;
  git::Project project_;
  std::optional<test::Changes> changes_;
  model::FileState shared_;
  model::FileState content_;
};

TEST_F(Together, EachCommitsItsOwn) {
  std::array<std::unique_ptr<test::ChildProcess>, kProcesses> processes;
  for (std::size_t index = 0; index < kProcesses; ++index) {
    processes[index] = std::make_unique<test::ChildProcess>(
        [&, index] { return apply_all(index, /*shared=*/false); });
  }
  for (std::size_t index = 0; index < kProcesses; ++index) {
    EXPECT_EQ(processes[index]->wait(), (1 << plans_of(index)) - 1);
  }
  EXPECT_EQ(repository_.git({"status", "--porcelain"}), "");
  EXPECT_EQ(repository_.line({"rev-list", "--count", "HEAD"}),
            std::to_string(plans_of(0) + plans_of(1) + plans_of(2) + 1));
}

TEST_F(Together, NoSaveIsLostAndNoPlanHalfLands) {
  test::ChildProcess saver([&] {
    keep_saving(repository_ / "shared", repository_.beside("enough"));
    return 0;
  });
  std::array<std::unique_ptr<test::ChildProcess>, kProcesses> processes;
  for (std::size_t index = 0; index < kProcesses; ++index) {
    processes[index] = std::make_unique<test::ChildProcess>(
        [&, index] { return apply_all(index, /*shared=*/true); });
  }
  for (std::size_t index = 0; index < kProcesses; ++index) {
    const int landed = processes[index]->wait();
    // The last save comes while the others are still at work.
    if (index == 0) save_in_place(repository_.beside("enough"), "");
    ASSERT_GE(landed, 0);
    for (std::size_t plan = 0; plan < plans_of(index); ++plan) {
      EXPECT_EQ(std::filesystem::exists(repository_ / own_file(index, plan)),
                (landed & (1 << plan)) != 0);
    }
  }
  EXPECT_EQ(saver.wait(), 0);
  bool found = false;
  for (const auto& entry : std::filesystem::directory_iterator(repository_.path())) {
    const std::string name = entry.path().filename().string();
    found = found || (name.starts_with("shared") && repository_.read(name) == kLastSave);
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(recover(project_, repository_.beside("state")).value(), "");
}

}  // namespace
}  // namespace clever::apply::crash
