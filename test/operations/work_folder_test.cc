#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "support/cli_run.h"
#include "support/repository.h"

namespace clever::cli {
namespace {

using namespace service;

using testing::HasSubstr;

class WorkFolderTest : public testing::Test {
 protected:
  WorkFolderTest() { folder_.write("a.txt", "alpha\n"); }

  int search(std::optional<std::string> answer) {
    cli_.console.read_line = [answer](const base::StopToken&) {
      return base::Result<std::optional<std::string>>(answer);
    };
    return cli_.run({"-C", folder_.path().string(), "context", "search", "alpha"});
  }

  test::Repository folder_{test::Repository::Kind::kPlainFolder};
  test::CliRun cli_;
};

TEST_F(WorkFolderTest, APersonIsAsked) {
  EXPECT_EQ(search("yes"), 0);
  EXPECT_THAT(cli_.error_output, HasSubstr("is not a git repository. Work on all the files in it"));
  EXPECT_THAT(cli_.output, HasSubstr("a.txt"));
}

TEST_F(WorkFolderTest, AnythingElseThanYesBeginsNothing) {
  EXPECT_NE(search("no"), 0);
  EXPECT_NE(search(std::nullopt), 0);
  EXPECT_THAT(cli_.error_output, HasSubstr("no plan was started"));
}

}  // namespace
}  // namespace clever::cli
