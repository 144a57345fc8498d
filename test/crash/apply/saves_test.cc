// A person saves files at any two steps of an apply, as editors do: it is wholly before or wholly
// after with the saves in place, or the error names each file and what it holds.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <map>
#include <set>

#include "apply/apply.h"
#include "base/random.h"
#include "crash/seeds.h"
#include "io/file_descriptor.h"
#include "support/changes.h"
#include "support/child_process.h"
#include "support/repository.h"

namespace clever::apply::crash {
namespace {

using storage::crash::replay;

// Steps of an apply that is taken back, and a few more.
constexpr std::uint64_t kSteps = 34;
constexpr auto kFiles = std::to_array<const char*>({"changed", "removed", "created"});
enum class Way : std::uint8_t { kAppend, kInPlace, kByRenaming, kDeleteAndCreate, kDelete };
constexpr std::uint64_t kWays = 5;

struct Save {
  std::uint64_t step = 0;
  std::string file;
  Way way = Way::kInPlace;
};

void write(const std::filesystem::path& path, int flags, const std::string& text) {
  const io::FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644));
  ASSERT_EQ(::write(file.number(), text.data(), text.size()), std::ssize(text));
}

class SavesTest : public ::testing::Test {
 protected:
  SavesTest() {
    repository_.write("changed", "changed, before\n");
    repository_.write("removed", "removed, before\n");
    repository_.commit("first");
    const auto project = git::Project::find(repository_.path()).value();
    test::Changes changes(project, repository_.beside("store"));
    changes.modify("changed", "changed, before\n", "changed by the plan\n")
        .remove("removed", "removed, before\n")
        .create("created", "created by the plan\n");
    request_.emplace(Request{.project = project,
                             .store = changes.store(),
                             .plan = test::Changes::new_plan(),
                             .digest = model::digest_of(changes.sorted()),
                             .changes = changes.sorted(),
                             .message = "Change everything",
                             .expected_branch = "refs/heads/main",
                             .state_folder = repository_.beside("state")});
  }

  void save(const Save& save, std::uint64_t seed) {
    const std::filesystem::path path = repository_ / save.file;
    if (save.way == Way::kDelete && !std::filesystem::exists(path)) return;
    const std::string text = "saved at " + std::to_string(save.step) + "\n" + std::to_string(seed);
    const std::filesystem::path beside = repository_.beside("editor");
    switch (save.way) {
      case Way::kAppend:
        write(path, O_APPEND, text);
        break;
      case Way::kInPlace:
        write(path, O_TRUNC, text);
        break;
      case Way::kByRenaming:
        write(beside, O_TRUNC, text);
        std::filesystem::rename(beside, path);
        break;
      case Way::kDeleteAndCreate:
        std::filesystem::remove(path);
        write(path, O_EXCL, text);
        break;
      case Way::kDelete:
        std::filesystem::remove(path);
        break;
    }
    last_[save.file] = content(save.file);
    ever_.insert(last_[save.file]);
  }

  // "" if it is not there.
  [[nodiscard]] std::string content(const std::string& file) const {
    return repository_.read(file);
  }

  // What the apply says, as "KIND MESSAGE".
  std::string apply_with(const std::vector<Save>& saves, std::uint64_t seed) {
    const std::filesystem::path answer = repository_.beside("answer");
    test::ChildProcess child([&] {
      ::setenv("CLEVER_STOP_AT", "apply.", /*overwrite=*/1);
      const auto outcome = apply(*request_);
      std::ofstream(answer) << (outcome.ok() ? std::to_string(static_cast<int>(outcome->kind))
                                             : "error " + outcome.error().sentence());
      return 0;
    });
    for (std::uint64_t step = 1; child.stops(); ++step) {
      for (const Save& one : saves) {
        if (one.step == step) save(one, seed);
      }
      child.go_on();
    }
    EXPECT_EQ(child.wait(), 0);
    std::ifstream in(answer);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // Saved files hold the last save; others are as they are in `untouched`, and so may be one that
  // was saved as it was before.
  void expect_files(const std::map<std::string, std::string>& untouched) {
    for (const char* file : kFiles) {
      const auto saved = last_.find(file);
      const bool as_before = saved != last_.end() && saved->second == kBefore.at(file);
      if (as_before && content(file) == untouched.at(file)) continue;
      EXPECT_EQ(content(file), saved != last_.end() ? saved->second : untouched.at(file)) << file;
    }
  }

  // Files beside, each with what the message says of it.
  void expect_kept_files(const std::string& said) {
    for (const auto& entry : std::filesystem::directory_iterator(repository_.path())) {
      const std::string name = entry.path().filename().string();
      EXPECT_FALSE(name.contains("cleveragents")) << name;
      if (!name.contains("saved-")) continue;
      ++kept_;
      const std::string text = content(name);
      if (said.contains(name + " is the file as it was before")) {
        EXPECT_TRUE(text == kBefore.at(name.substr(0, name.find('.')))) << text;
      } else {
        EXPECT_TRUE(said.contains(name + " is another version of it")) << said;
        EXPECT_TRUE(ever_.contains(text)) << text;
      }
    }
    EXPECT_FALSE(std::filesystem::exists(repository_ / ".git/index.lock"));
  }

  // How it ended: '0' applied, '2' constrained, 'e' an error.
  char expect_whole(const std::string& said) {
    expect_kept_files(said);
    const bool applied = said == "0";
    expect_files(applied ? kAfter : kBefore);
    const std::string subject = repository_.line({"log", "-1", "--format=%s"});
    EXPECT_EQ(subject, applied ? "Change everything" : "first");
    EXPECT_EQ(repository_.git({"diff", "--cached", "--stat"}), "");
    if (said.starts_with("error")) {
      EXPECT_TRUE(said.contains("was undone, but files were saved meanwhile")) << said;
      EXPECT_FALSE(said.contains("othing was applied")) << said;
    } else {
      EXPECT_EQ(kept_, 0U) << said;
    }
    return said.front();
  }

  static inline const std::map<std::string, std::string> kBefore = {
      {"changed", "changed, before\n"}, {"removed", "removed, before\n"}, {"created", ""}};
  static inline const std::map<std::string, std::string> kAfter = {
      {"changed", "changed by the plan\n"}, {"removed", ""}, {"created", "created by the plan\n"}};

  test::Repository repository_;
  std::optional<Request> request_;
  /// What the person left at a path last; and everything that was ever saved.
  std::map<std::string, std::string> last_;
  std::set<std::string> ever_;
  std::size_t kept_ = 0;
};

std::vector<Save> saves_of(std::uint64_t seed) {
  base::SeededRandom random(seed);
  std::vector<Save> saves;
  for (int i = 0; i < 2; ++i) {
    saves.push_back({.step = 1 + random.below(kSteps),
                     .file = kFiles.at(random.below(kFiles.size())),
                     .way = static_cast<Way>(random.below(kWays))});
  }
  return saves;
}

// One fixture for each: the person's files start over.
class EachSave : public SavesTest {
 public:
  char run(std::uint64_t seed) {
    const std::string said = apply_with(saves_of(seed), seed);
    SCOPED_TRACE(replay(seed) + ": " + said);
    return expect_whole(said);
  }
  void TestBody() override {}
};

TEST(ApplySavesTest, NoSaveIsLostAndTheMessageSaysWhatIsWhere) {
  std::map<char, std::size_t> ends;
  for (const std::uint64_t seed : storage::crash::Seeds(40, 3000)) {
    ++ends[EachSave().run(seed)];
    if (::testing::Test::HasFailure()) return;
  }
  RecordProperty("applied", std::to_string(ends['0']));
  RecordProperty("constrained", std::to_string(ends['2']));
  RecordProperty("taken back with a file beside", std::to_string(ends['e']));
  EXPECT_TRUE(ends.size() == 3 || std::getenv("CLEVER_CRASH_SEED") != nullptr);
}

}  // namespace
}  // namespace clever::apply::crash
