#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "config/edit.h"
#include "config/settings.h"
#include "io/file.h"
#include "support/campaign.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace clever::config {
namespace {

using test::ChildProcess;
using test::TemporaryDirectory;
using ::testing::ElementsAre;

TEST(EditFromProcesses, FiftyAtOnceLoseNothing) {
  constexpr int kProcesses = 50;
  const TemporaryDirectory folder;
  folder.write("config.toml", "# mine\n[log]\nlevel = 'info'\n");
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int i = 0; i < kProcesses; ++i) {
    children.push_back(std::make_unique<ChildProcess>([&folder, i] {
      const std::string name = "model.alias.n" + std::to_string(i);
      return set_value(folder / "config.toml", name, "openai/m" + std::to_string(i)).ok() ? 0 : 1;
    }));
  }
  for (auto& child : children) EXPECT_EQ(child->wait(), 0);
  const Settings settings = load_settings({.home = folder.path()}).value();
  for (int i = 0; i < kProcesses; ++i) {
    EXPECT_EQ(settings.text("model.alias.n" + std::to_string(i)), "openai/m" + std::to_string(i));
  }
  EXPECT_EQ(settings.text("log.level"), "info");
  EXPECT_THAT(folder.names(), ElementsAre("config.toml", "config.toml.lock"));
}

// Sets one alias after the other, for ever.
int write_for_ever(const std::filesystem::path& file) {
  for (int i = 0;; ++i) {
    const auto result = set_value(file, "model.alias.n" + std::to_string(i % 7), "openai/m");
    const auto reset = set_value(file, "model.default", "openai/m" + std::to_string(i));
    if (!result.ok() || !reset.ok()) return 1;
  }
}

// One of the states that writing for ever goes through: aliases in order, all with one value.
void expect_a_written_state(const Settings& settings) {
  bool ended = false;
  for (int i = 0; i < 7; ++i) {
    const auto alias = settings.find("model.alias.n" + std::to_string(i));
    EXPECT_FALSE(alias && ended) << "a later alias without an earlier one";
    ended = ended || !alias;
    EXPECT_EQ(alias ? alias->text : "openai/m", "openai/m");
  }
  EXPECT_EQ(settings.text("log.level"), "info");
}

TEST(EditFromProcesses, AKillAtAnyMomentLeavesAWholeFile) {
  const TemporaryDirectory folder;
  const auto file = folder.write("config.toml", "# mine\n[log]\nlevel = 'info'\n");
  base::SeededRandom random(50);
  for (std::size_t kills = test::campaign(50, 1000); kills > 0; --kills) {
    ChildProcess writer([&file] { return write_for_ever(file); });
    // Let it get to a moment that the seed chooses: so many looks at the file after its first
    // write.
    const std::string before = io::read_file(file).value();
    while (io::read_file(file).value() == before) ::sched_yield();
    for (std::uint64_t looks = random.below(1000); looks > 0; --looks) {
      ASSERT_TRUE(io::read_file(file).ok());
    }
    EXPECT_EQ(writer.kill_and_wait(), -SIGKILL);
    const auto settings = load_settings({.home = folder.path()});
    ASSERT_TRUE(settings.ok()) << settings.error().to_string();
    expect_a_written_state(*settings);
    ASSERT_LE(folder.names().size(), 3U) << "unfinished files pile up";
  }
  set_value(file, "log.level", "debug").value();
  EXPECT_THAT(folder.names(), ElementsAre("config.toml", "config.toml.lock"));
}

}  // namespace
}  // namespace clever::config
