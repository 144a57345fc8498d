#include "service/access/projects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_directory.h"
#include "support/together.h"

namespace clever::service {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ProjectsTest : public ::testing::Test {
 protected:
  std::string add(const std::string& path) { return projects_.add(path, "", {}).value().id; }

  test::TemporaryDirectory folder_;
  Projects projects_{folder_.path()};
  const Caller all_ = command_line_caller();
};

TEST_F(ProjectsTest, GetIdsOfTheirNames) {
  EXPECT_THAT(projects_.list(all_).value(), IsEmpty());
  EXPECT_EQ(add("/home/ada/My Project"), "my-project");
  EXPECT_EQ(add("/srv/my project"), "my-project-2");
  EXPECT_EQ(add("/home/ada/My Project"), "my-project");
  EXPECT_EQ(add("/..."), "project");
  EXPECT_EQ(projects_.find(all_, "my-project-2").value().path, "/srv/my project");
}

TEST_F(ProjectsTest, UnknownOnesAreAnsweredWithThoseThereAre) {
  EXPECT_THAT(projects_.find(all_, "a").error().message(), HasSubstr("none is registered"));
  add("/b");
  EXPECT_THAT(projects_.find(all_, "a").error().message(), HasSubstr("there are b"));
}

TEST_F(ProjectsTest, TheOnlyOneIsMeantWhereNoneIsNamed) {
  EXPECT_FALSE(projects_.only(all_).ok());
  add("/a");
  EXPECT_EQ(projects_.only(all_).value().id, "a");
  add("/b");
  EXPECT_THAT(projects_.only(all_).error().message(), HasSubstr("there are a, b"));
}

TEST_F(ProjectsTest, ManyAtOnceLoseNone) {
  test::together(4, [&](int worker) {
    for (int i = 0; i < 5; ++i) add("/" + std::to_string(worker) + "-" + std::to_string(i));
  });
  EXPECT_THAT(projects_.list(all_).value(), SizeIs(20));
}

TEST_F(ProjectsTest, ABrokenFileIsSaid) {
  add("/a");
  folder_.write("server/projects.json", "{\"projects\":[{}]}");
  EXPECT_EQ(projects_.list(all_).error().code(), base::ErrorCode::kCorruption);
}

}  // namespace
}  // namespace clever::service
