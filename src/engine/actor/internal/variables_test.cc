#include "engine/actor/internal/variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::engine::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::map<std::string, std::string> kValues = {{"a", "1"}, {"b", "${a}"}};

TEST(Variables, AreReplacedOnce) {
  EXPECT_EQ(expand("x ${a} y ${b} ${a}", kValues), "x 1 y ${a} 1");
  EXPECT_EQ(expand("${unknown}", kValues), "");
}

TEST(Variables, ADollarByItself) {
  EXPECT_EQ(expand("$a $ $$ $${a} ${a", kValues), "$a $ $$ ${a} ${a");
  EXPECT_EQ(expand("$$${a}", kValues), "$${a}");
  EXPECT_THAT(variables_in("$${a} ${a"), IsEmpty());
}

TEST(Variables, AreFound) {
  EXPECT_THAT(variables_in("${a}${b c}${a}${}"), ElementsAre("a", "b c", "a", ""));
  EXPECT_EQ(sole_variable("${a}"), "a");
  EXPECT_EQ(sole_variable("${a} "), std::nullopt);
  EXPECT_EQ(sole_variable("a"), std::nullopt);
  EXPECT_EQ(sole_variable(""), std::nullopt);
}

TEST(Variables, NamesOfThem) {
  EXPECT_TRUE(is_variable_name("a_1"));
  for (const char* name : {"", "1a", "A", "a-b", "_a"})
    EXPECT_FALSE(is_variable_name(name)) << name;
  EXPECT_FALSE(is_variable_name(std::string(65, 'a')));
  for (const char* name : {"paths", "path", "project"}) EXPECT_TRUE(is_fixed_variable(name));
}

TEST(Variables, AnUnknownOneNamesTheNearest) {
  EXPECT_TRUE(check_variables("${from}", {"from"}).ok());
  EXPECT_EQ(check_variables("${form}", {"from"}).error().message(),
            "there is no variable ${form}; did you mean ${from}? Known: from ($${ writes ${ "
            "itself)");
  EXPECT_EQ(check_variables("${zzzzzz}", {}).error().message(),
            "there is no variable ${zzzzzz}; known: none ($${ writes ${ itself)");
}

}  // namespace
}  // namespace clever::engine::internal
