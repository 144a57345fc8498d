#include "io/internal/authorities.h"

#include <gtest/gtest.h>

#include "io/file.h"
#include "support/temporary_directory.h"

namespace clever::io::internal {
namespace {

TEST(Authorities, AreTheSystemsAlone) {
  EXPECT_EQ(join_authorities("/system.pem", {})->file, "/system.pem");
}

TEST(Authorities, AreTheSystemsAndTheAdded) {
  const test::TemporaryDirectory folder;
  const auto joined =
      join_authorities(folder.write("system", "one").string(), folder.write("extra", "two"));
  ASSERT_TRUE(joined.ok());
  EXPECT_EQ(read_file(joined->file).value(), "one\ntwo");
}

TEST(Authorities, MayBeTheAddedAlone) {
  const test::TemporaryDirectory folder;
  for (const std::string system : {"", "/there/is/none"}) {
    const auto joined = join_authorities(system, folder.write("extra", "two"));
    ASSERT_TRUE(joined.ok());
    EXPECT_EQ(read_file(joined->file).value(), "\ntwo");
  }
}

TEST(Authorities, MustBeReadableIfAdded) {
  const auto joined = join_authorities("", "/there/is/none");
  ASSERT_FALSE(joined.ok());
  EXPECT_EQ(joined.error().code(), base::ErrorCode::kNotFound);
}

}  // namespace
}  // namespace clever::io::internal
