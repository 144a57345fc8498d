#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/thread.h"
#include "config/edit.h"
#include "config/settings.h"
#include "support/temporary_directory.h"

namespace clever::config {
namespace {

TEST(ConfigStress, EightThreadsLoseNothing) {
  constexpr int kThreads = 8;
  constexpr int kKeys = 10;
  const test::TemporaryDirectory folder;
  {
    std::vector<std::unique_ptr<base::Thread>> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.push_back(
          std::make_unique<base::Thread>("writer", [&folder, thread](const base::StopToken&) {
            for (int i = 0; i < kKeys; ++i) {
              const std::string name = std::to_string(thread) + "-" + std::to_string(i);
              set_value(folder / "config.toml", "model.alias.n" + name, "openai/" + name).value();
              load_settings({.home = folder.path()}).value();
            }
          }));
    }
  }
  const Settings settings = load_settings({.home = folder.path()}).value();
  for (int thread = 0; thread < kThreads; ++thread) {
    for (int i = 0; i < kKeys; ++i) {
      const std::string name = std::to_string(thread) + "-" + std::to_string(i);
      EXPECT_EQ(settings.text("model.alias.n" + name), "openai/" + name);
    }
  }
}

}  // namespace
}  // namespace clever::config
