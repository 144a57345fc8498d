#include "storage/postgres/internal/parameters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace clever::storage::postgres {
namespace {

using namespace std::string_view_literals;

void check_encoded(const Value& value, Oid kind, std::string_view bytes) {
  const std::vector<Value> values{value};
  const Parameters parameters(values);
  ASSERT_EQ(parameters.count(), 1);
  EXPECT_EQ(parameters.types()[0], kind);
  EXPECT_EQ(parameters.formats()[0], 1);
  ASSERT_NE(parameters.values()[0], nullptr);
  EXPECT_EQ(
      std::string_view(parameters.values()[0], static_cast<std::size_t>(parameters.lengths()[0])),
      bytes);
}

TEST(ParametersTest, EveryKindOfValueHasItsTypeAndBytes) {
  check_encoded(std::int64_t{258}, type::kInt8, "\0\0\0\0\0\0\1\2"sv);
  check_encoded(std::int64_t{-1}, type::kInt8, "\xff\xff\xff\xff\xff\xff\xff\xff"sv);
  check_encoded(1.0, type::kFloat8, "\x3f\xf0\0\0\0\0\0\0"sv);
  check_encoded(std::string("hé"), type::kText, "hé"sv);
  check_encoded(Blob{std::string("\0\1"sv)}, type::kBytes, "\0\1"sv);
  check_encoded(Blob{}, type::kBytes, "");
  check_encoded(IntegerList{}, type::kInt8Array, "\0\0\0\0\0\0\0\0\0\0\0\x14"sv);
  check_encoded(IntegerList{{7}}, type::kInt8Array,
                "\0\0\0\1\0\0\0\0\0\0\0\x14\0\0\0\1\0\0\0\1\0\0\0\x08\0\0\0\0\0\0\0\7"sv);
}

TEST(ParametersTest, ANullHasNeitherTypeNorBytes) {
  const std::vector<Value> values{Null{}};
  const Parameters parameters(values);
  EXPECT_EQ(parameters.types()[0], type::kUnknown);
  EXPECT_EQ(parameters.values()[0], nullptr);
}

TEST(ParametersTest, NumbersStayWhereTheyAreWhenMoreFollow) {
  std::vector<Value> values;
  for (std::int64_t i = 0; i < 100; ++i) values.emplace_back(i);
  const Parameters parameters(values);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(decode(type::kInt8, {parameters.values()[i], 8}).value(),
              Value(static_cast<std::int64_t>(i)));
  }
}

TEST(CheckParametersTest, TextMustBeUtf8WithoutNul) {
  const auto check = [](std::string text) {
    const std::vector<Value> values{std::int64_t{1}, std::move(text)};
    return check_parameters(values);
  };
  EXPECT_TRUE(check("").ok());
  EXPECT_TRUE(check("naïve 🦊").ok());
  EXPECT_EQ(check(std::string("a\0b"sv)).error().code(), base::ErrorCode::kInvalidArgument);
  const auto refused = check("\xc3(");
  EXPECT_EQ(refused.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message().find("$2"), std::string::npos);
}

void check_decoded(Oid kind, std::string_view bytes, const Value& value) {
  EXPECT_EQ(decode(kind, bytes).value(), value) << kind;
}

TEST(DecodeTest, EveryTypeOfColumnHasItsValue) {
  check_decoded(type::kInt8, "\xff\xff\xff\xff\xff\xff\xff\xfe"sv, std::int64_t{-2});
  check_decoded(type::kInt4, "\xff\xff\xff\xfe"sv, std::int64_t{-2});
  check_decoded(type::kInt2, "\xff\xfe"sv, std::int64_t{-2});
  check_decoded(type::kOid, "\xff\xff\xff\xfe"sv, std::int64_t{4294967294});
  check_decoded(type::kBool, "\1"sv, std::int64_t{1});
  check_decoded(type::kFloat8, "\x40\x04\0\0\0\0\0\0"sv, 2.5);
  check_decoded(type::kFloat4, "\x40\x20\0\0"sv, 2.5);
  check_decoded(type::kText, "hé", std::string("hé"));
  check_decoded(type::kName, "n", std::string("n"));
  check_decoded(type::kVarchar, "v", std::string("v"));
  check_decoded(type::kBytes, "\0\1"sv, Blob{std::string("\0\1"sv)});
  check_decoded(type::kVoid, "", Null{});
}

TEST(DecodeTest, ATypeWithoutAValueIsRefused) {
  constexpr Oid kTimestamp = 1114;
  EXPECT_EQ(decode(kTimestamp, "12345678").error().code(), base::ErrorCode::kInternal);
}

// Count, weight, sign, scale, then groups of four digits.
TEST(DecodeTest, WholeNumericsThatFitAreIntegers) {
  check_decoded(type::kNumeric, "\0\0\0\0\0\0\0\0"sv, std::int64_t{0});
  check_decoded(type::kNumeric, "\0\2\0\1\0\0\0\0\0\1\0\2"sv, std::int64_t{10002});
  check_decoded(type::kNumeric, "\0\1\0\1\x40\0\0\0\0\3"sv, std::int64_t{-30000});
  // 9223372036854775807 and one more.
  check_decoded(type::kNumeric, "\0\5\0\4\0\0\0\0\3\x9a\x0d\x2c\x01\x70\x15\x65\x16\xaf"sv,
                std::numeric_limits<std::int64_t>::max());
  check_decoded(type::kNumeric, "\0\5\0\4\0\0\0\0\3\x9a\x0d\x2c\x01\x70\x15\x65\x16\xb0"sv,
                9223372036854775808.0);
}

TEST(DecodeTest, OtherNumericsAreReals) {
  check_decoded(type::kNumeric, "\0\2\0\0\0\0\0\1\0\1\x13\x88"sv, 1.5);
  check_decoded(type::kNumeric, "\0\2\0\0\x40\0\0\1\0\1\x13\x88"sv, -1.5);
  check_decoded(type::kNumeric, "\0\0\0\0\xd0\0\0\0"sv, std::numeric_limits<double>::infinity());
  check_decoded(type::kNumeric, "\0\0\0\0\xf0\0\0\0"sv, -std::numeric_limits<double>::infinity());
  const auto nan = decode(type::kNumeric, "\0\0\0\0\xc0\0\0\0"sv).value();
  EXPECT_TRUE(std::isnan(std::get<double>(nan)));
}

}  // namespace
}  // namespace clever::storage::postgres
