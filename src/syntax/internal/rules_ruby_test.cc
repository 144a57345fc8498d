#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/testing/syntax_of.h"

namespace clever::syntax::internal {
namespace {

using testing::ElementsAre;

constexpr std::string_view kRubyText = R"(require "json"
require_relative "lib/x"
# Doc
module M
  class A::B < Base
    LIMIT = 3
    attr_accessor :name, :size
    # doc of m
    def m(a, b = 2, *c, k: 1)
      x, y = helper(a)
      items.each { |i| puts i.go(x) }
      z = Other.new(y)
    end
    def self.s; end
  end
end
def top; bare; end
)";

TEST(RulesRuby, DefinesModulesClassesAndMethods) {
  EXPECT_THAT(definitions(parsed(Language::kRuby, kRubyText)),
              ElementsAre("module M", "  class B", "    constant LIMIT", "    field name",
                          "    field size", "    method m", "    method s", "function top"));
}

TEST(RulesRuby, UsesAndImports) {
  const Syntax syntax = parsed(Language::kRuby, kRubyText);
  EXPECT_THAT(references(syntax, ReferenceKind::kCall),
              ElementsAre("attr_accessor", "each", "go", "helper", "new", "puts", "require",
                          "require_relative"));
  EXPECT_THAT(references(syntax, ReferenceKind::kOther), ElementsAre("bare", "items"));
  EXPECT_THAT(references(syntax, ReferenceKind::kType), ElementsAre("A", "Base", "Other"));
  EXPECT_THAT(syntax.imports, ElementsAre("json", "./lib/x"));
}

TEST(RulesRuby, CommentsBelongToTheMethodBelow) {
  const Syntax syntax = parsed(Language::kRuby, kRubyText);
  EXPECT_EQ(symbol_named(syntax, "m")->range.first_line, 8U);
  EXPECT_EQ(signature(syntax, kRubyText, "m"), "def m(a, b = 2, *c, k: 1)");
}

}  // namespace
}  // namespace clever::syntax::internal
