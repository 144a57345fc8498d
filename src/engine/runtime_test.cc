#include "engine/runtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include "support/runtime_world.h"

namespace clever::engine {
namespace {

using model::PlanState;
using test::RuntimeWorld;
using ::testing::HasSubstr;

constexpr std::string_view kWrites =
    "rules:\n"
    "- match: {turn: 1}\n"
    "  tool_calls: {name: write_file, arguments: {path: new.txt, content: 'new'}}\n"
    "- reply: Done.\n";

class RuntimeTest : public ::testing::Test {
 protected:
  explicit RuntimeTest(std::string_view script = kWrites) : world_(script) {}

  void start() { runtime_ = Runtime::open(world_.options(), {}).value(); }
  model::PlanId begin(const std::string& project) {
    return runtime_->plans().create(world_.task(*runtime_, project), storage::Caps{}).value();
  }
  std::shared_ptr<const plan::State> end(const model::PlanId& plan) {
    return runtime_->plans().wait(plan).value();
  }

  RuntimeWorld world_;
  std::unique_ptr<Runtime> runtime_;
};

TEST_F(RuntimeTest, EachPlanWorksOnItsOwnProject) {
  const std::string api = world_.add_project();
  const std::string web = world_.add_project();
  std::ofstream(web + "/only_web.txt") << "web\n";
  start();
  const auto first = begin(api);
  const auto second = begin(web);
  const auto of_api = end(first);
  const auto of_web = end(second);
  ASSERT_EQ(of_api->state, PlanState::kComplete) << of_api->reason;
  ASSERT_EQ(of_web->state, PlanState::kComplete) << of_web->reason;
  EXPECT_EQ(of_api->base->uncommitted.size(), 0U);
  EXPECT_EQ(of_web->base->uncommitted.size(), 1U);
  EXPECT_EQ(runtime_->open_projects(), 2U);
  EXPECT_FALSE(std::filesystem::exists(api + "/new.txt"));
}

TEST_F(RuntimeTest, AProjectIsSharedWhileItIsHeld) {
  const std::string api = world_.add_project();
  start();
  const auto held = runtime_->project(api, {}).value();
  (void)end(begin(api));
  EXPECT_EQ(runtime_->project(api, {}).value().get(), held.get());
  EXPECT_TRUE(held->recovered().empty());
}

TEST_F(RuntimeTest, AProjectThatVanishedConcernsItsOwnPlansAlone) {
  const std::string gone = world_.add_project();
  const std::string here = world_.add_project();
  start();
  const auto first = begin(here);
  std::filesystem::remove_all(gone);
  const auto lost = end(begin(gone));
  EXPECT_EQ(lost->state, PlanState::kWaiting);
  EXPECT_THAT(lost->reason, HasSubstr(gone));
  EXPECT_EQ(end(first)->state, PlanState::kComplete);
  EXPECT_EQ(end(begin(here))->state, PlanState::kComplete);
}

TEST_F(RuntimeTest, AFolderThatBecamePartOfAnotherRepositoryIsNotAProject) {
  const std::string outer = world_.add_project();
  std::filesystem::create_directory(outer + "/below");
  start();
  const auto opened = runtime_->project(outer + "/below", {});
  ASSERT_FALSE(opened.ok());
  EXPECT_THAT(opened.error().sentence(), HasSubstr("part of " + outer));
}

TEST_F(RuntimeTest, SettingsThatCannotBeReadConcernTheirProjectAlone) {
  const std::string broken = world_.add_project();
  const std::string whole = world_.add_project();
  RuntimeOptions options = world_.options();
  options.project = [&](const std::string& folder) -> base::Result<ProjectOptions> {
    if (folder == broken) return base::corruption("config.toml:3: no such setting");
    return world_.project_options(folder);
  };
  runtime_ = Runtime::open(options, {}).value();
  const auto lost = end(begin(broken));
  EXPECT_EQ(lost->state, PlanState::kErrored);
  EXPECT_THAT(lost->reason, HasSubstr("config.toml:3"));
  EXPECT_EQ(end(begin(whole))->state, PlanState::kComplete);
}

TEST_F(RuntimeTest, ProjectsThatAreIdleAreClosedAndOpenedAgain) {
  std::vector<std::string> projects;
  for (int i = 0; i < 4; ++i) projects.push_back(world_.add_project());
  RuntimeOptions options = world_.options();
  options.most_idle = 0;
  runtime_ = Runtime::open(options, {}).value();
  for (int round = 0; round < 2; ++round) {
    for (const std::string& project : projects) {
      const auto state = end(begin(project));
      EXPECT_EQ(state->state, PlanState::kComplete) << state->reason;
    }
  }
  while (runtime_->open_projects() > 0) std::this_thread::yield();
}

// "VmRSS", "Threads": what the system says of this process.
std::int64_t of_process(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(what + ":")) return std::stoll(line.substr(what.size() + 1));
  }
  return 0;
}

/// The plans of so many at once, in turn over the projects.
std::int64_t most_threads(RuntimeWorld& world, Runtime& runtime,
                          const std::vector<std::string>& projects, std::size_t count) {
  std::vector<model::PlanId> plans;
  for (std::size_t i = 0; i < count; ++i) {
    plans.push_back(runtime.plans()
                        .create(world.task(runtime, projects[i % projects.size()]), storage::Caps{})
                        .value());
  }
  std::int64_t threads = 0;
  for (const model::PlanId& plan : plans) {
    const auto state = runtime.plans().wait(plan).value();
    EXPECT_EQ(state->state, PlanState::kComplete) << state->reason;
    threads = std::max(threads, of_process("Threads"));
  }
  return threads;
}

std::int64_t resident_kib() {
  ::malloc_trim(0);
  return of_process("VmRSS");
}

TEST(RuntimeScale, AHundredProjectsNeedTheThreadsOfOneAndLittleMemory) {
  constexpr std::size_t kProjects = 100;
  constexpr std::size_t kPlans = 1'000;
  constexpr std::int64_t kMostIdleKib = 1'024;
  RuntimeWorld world;
  world.searches = true;
  std::vector<std::string> projects;
  for (std::size_t i = 0; i < kProjects; ++i) projects.push_back(world.add_project());
  RuntimeOptions options = world.options();
  options.most_idle = kProjects;
  const auto runtime = Runtime::open(options, {}).value();
  const std::int64_t of_one = most_threads(world, *runtime, {projects.front()}, kPlans / 10);
  const std::int64_t before = resident_kib();
  EXPECT_LE(most_threads(world, *runtime, projects, kPlans), of_one);
  EXPECT_EQ(runtime->open_projects(), kProjects);
  const std::int64_t each = (resident_kib() - before) / static_cast<std::int64_t>(kProjects);
  EXPECT_LE(each, kMostIdleKib);
  std::cout << "threads: " << of_one << "; KiB for each idle project: " << each << "\n";
}

}  // namespace
}  // namespace clever::engine
