#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/testing/syntax_of.h"

namespace clever::syntax::internal {
namespace {

using testing::ElementsAre;

constexpr std::string_view kJavaText = R"(package a.b;
import java.util.List;
import static org.junit.Assert.*;
/** Doc */
@Deprecated
public class A<T> extends Base implements Face {
  private static final int MOST = 3;
  List<String> names, others;
  enum Color { RED, BLUE }
  interface In { void run(int a); }
  record P(int x) {}
  @Override
  public int area(int scale, String... more) throws Err {
    int q = helper(scale, more);
    for (Kind k : kinds()) { k.run(q); }
    go(e -> e.size, (f) -> this.f());
    try { new Thing<>(q); } catch (Err e) { e.print(); }
    return Other.FIELD + q;
  }
  A() { super(); }
}
@interface Ann { int value(); }
)";

TEST(RulesJava, DefinesTypesAndMembers) {
  EXPECT_THAT(
      definitions(parsed(Language::kJava, kJavaText)),
      ElementsAre("class A", "  constant MOST", "  field names", "  field others", "  enum Color",
                  "    constant RED", "    constant BLUE", "  interface In", "    method run",
                  "  class P", "  method area", "  method A", "interface Ann", "  method value"));
}

TEST(RulesJava, AnnotationsArePartOfTheSignature) {
  const Syntax syntax = parsed(Language::kJava, kJavaText);
  EXPECT_EQ(signature(syntax, kJavaText, "area"),
            "@Override\n  public int area(int scale, String... more) throws Err");
  EXPECT_EQ(symbol_named(syntax, "A")->range.first_line, 4U);
}

TEST(RulesJava, UsesAndImports) {
  const Syntax syntax = parsed(Language::kJava, kJavaText);
  EXPECT_THAT(references(syntax, ReferenceKind::kCall),
              ElementsAre("Thing", "f", "go", "helper", "kinds", "print", "run"));
  EXPECT_THAT(references(syntax, ReferenceKind::kOther),
              ElementsAre("Deprecated", "FIELD", "Other", "Override", "size"));
  EXPECT_THAT(syntax.imports, ElementsAre("java.util.List", "org.junit.Assert.*"));
}

}  // namespace
}  // namespace clever::syntax::internal
