// Real threads: many plans of many projects in one process, while projects are closed and opened
// again.
#include <gtest/gtest.h>

#include <fstream>

#include "support/runtime_world.h"

namespace clever::engine {
namespace {

using test::RuntimeWorld;

int threads_now() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Threads:")) return std::stoi(line.substr(8));
  }
  return 0;
}

struct Figures {
  int threads = 0;
  std::size_t complete = 0;
};

/// So many plans in turn over the projects, all at once.
Figures run_plans(RuntimeWorld& world, const RuntimeOptions& options,
                  const std::vector<std::string>& projects, std::size_t count) {
  const auto runtime = Runtime::open(options, {}).value();
  std::vector<model::PlanId> plans;
  for (std::size_t i = 0; i < count; ++i) {
    const plan::Create task = world.task(*runtime, projects[i % projects.size()]);
    plans.push_back(runtime->plans().create(task, storage::Caps{}).value());
  }
  Figures figures;
  for (const model::PlanId& plan : plans) {
    const auto state = runtime->plans().wait(plan).value();
    EXPECT_EQ(state->state, model::PlanState::kComplete) << state->reason;
    figures.threads = std::max(figures.threads, threads_now());
    if (state->state == model::PlanState::kComplete) ++figures.complete;
  }
  return figures;
}

std::vector<std::string> add_projects(RuntimeWorld& world, int count) {
  std::vector<std::string> projects;
  for (int i = 0; i < count; ++i) projects.push_back(world.add_project());
  return projects;
}

TEST(RuntimeStress, ManyProjectsNeedNoMoreThreadsThanOne) {
  constexpr std::size_t kPlans = 60;
  RuntimeWorld world;
  world.searches = true;
  const auto projects = add_projects(world, 12);
  const RuntimeOptions options = world.options();
  const Figures one = run_plans(world, options, {projects.front()}, kPlans);
  const Figures many = run_plans(world, options, projects, kPlans);
  EXPECT_EQ(one.complete, kPlans);
  EXPECT_EQ(many.complete, kPlans);
  EXPECT_LE(many.threads, one.threads);
}

TEST(RuntimeStress, ProjectsAreClosedWhileOthersBegin) {
  RuntimeWorld world;
  const auto projects = add_projects(world, 6);
  RuntimeOptions options = world.options();
  options.idle = base::Duration::zero();
  options.most_idle = 1;
  EXPECT_EQ(run_plans(world, options, projects, 60).complete, 60U);
}

}  // namespace
}  // namespace clever::engine
