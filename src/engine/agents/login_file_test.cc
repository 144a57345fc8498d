#include "engine/agents/login_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "model/document_json.h"

namespace clever::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

model::Document parsed_login(std::string_view text) { return model::parse_document(text).value(); }

class LoginFileTest : public ::testing::Test {
 protected:
  std::string renewed(std::string_view theirs, std::string_view copy) {
    const auto merged = with_renewed(parsed_login(theirs), parsed_login(copy), login_);
    return merged.ok() ? model::to_json(*merged) : "refused: " + merged.error().message();
  }
  static std::string web_token(const std::string& claims) {
    std::string middle = base::to_base64(claims);
    while (middle.ends_with('=')) middle.pop_back();
    return "eyJhbGciOiJub25lIn0." + middle + ".c2ln";
  }

  AgentLogin login_{.file = "~/.agent/auth.json",
                    .fields = {"*.type", "*.key", "*.expires"},
                    .tokens = {"*.key"},
                    .renewed = {"*.expires"},
                    .account = {"*.type"}};
};

TEST_F(LoginFileTest, OnlyNamedFieldsAreCopied) {
  const auto file =
      parsed_login(R"({"one":{"type":"api","key":"k1","cmd":"evil"},"two":3,"x":{"key":7}})");
  EXPECT_EQ(model::to_json(login_part(file, login_)),
            R"({"one":{"type":"api","key":"k1"},"x":{"key":7}})");
  EXPECT_THAT(login_secrets(file, login_), ElementsAre("k1"));
}

TEST_F(LoginFileTest, ARenewedTokenAndItsTimeGoBackAndNothingElse) {
  EXPECT_EQ(renewed(R"({"a":{"type":"oauth","key":"sk-ant-1","expires":5,"own":1},"b":2})",
                    R"({"a":{"type":"oauth","key":"sk-ant-2","expires":9,"cmd":"evil"},"c":3})"),
            R"({"a":{"type":"oauth","key":"sk-ant-2","expires":9,"own":1},"b":2})");
  EXPECT_EQ(renewed(R"({"a":{"type":"oauth","key":"k"}})", R"({"a":{"type":"oauth","key":"k"}})"),
            R"({"a":{"type":"oauth","key":"k"}})");
}

TEST_F(LoginFileTest, WhatIsNotTheSameLoginIsRefused) {
  const std::string theirs = R"({"a":{"type":"oauth","key":"sk-ant-1","expires":5}})";
  EXPECT_THAT(renewed(theirs, R"({"a":{"type":"api","key":"sk-ant-2","expires":5}})"),
              HasSubstr("another account"));
  EXPECT_THAT(renewed(theirs, R"({"a":{"type":"oauth","key":"sk-or-22","expires":5}})"),
              HasSubstr("a.key has another form"));
  EXPECT_THAT(renewed(theirs, R"({"a":{"type":"oauth","key":"","expires":5}})"),
              HasSubstr("a.key is no token"));
  EXPECT_THAT(renewed(theirs, R"({"a":{"type":"oauth","key":["x"],"expires":5}})"),
              HasSubstr("is no text"));
  EXPECT_THAT(renewed(theirs, R"({"a":{"type":"oauth","expires":5}})"), HasSubstr("is missing"));
  EXPECT_THAT(renewed(theirs, R"({"a":{"type":"oauth","key":"sk-ant-2","expires":{"x":1}}})"),
              HasSubstr("is no time"));
  EXPECT_THAT(renewed(theirs, R"({"a":{"type":"oauth","key":"sk-ant-)" + std::string(500, 'x') +
                                  R"(","expires":5}})"),
              HasSubstr("another form"));
}

TEST_F(LoginFileTest, AWebTokenOfAnotherPersonIsRefused) {
  const auto file = [](const std::string& token) {
    return R"({"a":{"type":"oauth","key":")" + token + R"("}})";
  };
  const std::string mine = file(web_token(R"({"sub":"me","exp":1})"));
  EXPECT_EQ(renewed(mine, file(web_token(R"({"sub":"me","exp":2})"))),
            file(web_token(R"({"sub":"me","exp":2})")));
  EXPECT_THAT(renewed(mine, file(web_token(R"({"sub":"you","exp":2})"))),
              HasSubstr("belongs to another account"));
  EXPECT_THAT(renewed(mine, file("opaque-token")), HasSubstr("has another form"));
}

}  // namespace
}  // namespace clever::engine
