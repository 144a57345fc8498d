#include "base/hmac.h"

#include <gtest/gtest.h>

#include <string>

namespace clever::base {
namespace {

void check(std::string_view key, std::string_view text, std::string_view expected) {
  EXPECT_EQ(hmac_sha256(key, text).to_hex(), expected);
}

// RFC 4231.
TEST(Hmac, IsThatOfTheStandard) {
  check("Jefe", "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  check(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

}  // namespace
}  // namespace clever::base
