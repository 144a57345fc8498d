#include "server/token.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "support/temporary_directory.h"

namespace clever::server {
namespace {

class TokenTest : public ::testing::Test {
 protected:
  base::Result<Token> load() { return load_token(home(), random_, {}); }
  [[nodiscard]] std::filesystem::path home() const { return folder_ / "home"; }
  [[nodiscard]] mode_t mode() const {
    struct stat facts{};
    EXPECT_EQ(::stat((home() / "server.token").c_str(), &facts), 0);
    return facts.st_mode & 07777U;
  }

  test::TemporaryDirectory folder_;
  base::SystemRandom random_;
};

TEST_F(TokenTest, IsMadeOnceAndForItsOwnerAlone) {
  const Token first = load().value();
  EXPECT_TRUE(first.is_new);
  EXPECT_EQ(first.secret.size(), 64U);
  EXPECT_EQ(mode(), 0600U);
  const Token again = load().value();
  EXPECT_FALSE(again.is_new);
  EXPECT_EQ(again.secret, first.secret);
}

TEST_F(TokenTest, ThatOthersCanReadIsRefused) {
  ASSERT_TRUE(load().ok());
  std::filesystem::permissions(home() / "server.token", std::filesystem::perms::group_read,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(load().error().code(), base::ErrorCode::kPermissionDenied);
}

TEST_F(TokenTest, AnInvalidOneIsReported) {
  std::filesystem::create_directories(home());
  folder_.write("home/server.token", "hello\n");
  std::filesystem::permissions(home() / "server.token", std::filesystem::perms::owner_read |
                                                            std::filesystem::perms::owner_write);
  EXPECT_EQ(load().error().code(), base::ErrorCode::kCorruption);
}

}  // namespace
}  // namespace clever::server
