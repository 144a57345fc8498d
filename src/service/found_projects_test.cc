#include "service/found_projects.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "support/repository.h"

namespace clever::service {
namespace {

TEST(FoundProjects, CountForTwoSeconds) {
  const test::Repository repository;
  base::SimulatedClock clock;
  FoundProjects projects(clock);
  const auto kind = [&] { return projects.find(repository.path(), {}).value().kind; };
  EXPECT_EQ(kind(), git::ProjectKind::kRepository);
  repository.remove(".git");
  EXPECT_EQ(kind(), git::ProjectKind::kRepository);
  clock.advance(std::chrono::seconds(2));
  EXPECT_EQ(kind(), git::ProjectKind::kFolder);
}

TEST(FoundProjects, ARemovedFolderCountsAtOnce) {
  const test::Repository repository;
  base::SimulatedClock clock;
  FoundProjects projects(clock);
  const std::filesystem::path folder = repository.path() / "inner";
  std::filesystem::create_directory(folder);
  EXPECT_TRUE(projects.find(folder, {}).ok());
  std::filesystem::remove(folder);
  EXPECT_EQ(projects.find(folder, {}).error().code(), base::ErrorCode::kNotFound);
}

}  // namespace
}  // namespace clever::service
