#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/testing/syntax_of.h"

namespace clever::syntax::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(RulesC, DefinesFunctionsTypesAndMacros) {
  const Syntax syntax = parsed(Language::kC, R"(
#define LIMIT 3
struct point { int x, y; };
typedef struct { int z; } point_t;
enum color { RED, BLUE = 2 };
extern int counter;
static const char *const names[] = { "a" };
int area(struct point *p);
static int *find(int a) { return 0; }
int (*callback)(int);
)");
  EXPECT_THAT(definitions(syntax),
              ElementsAre("macro LIMIT", "struct point", "  field x", "  field y", "type point_t",
                          "  field z", "enum color", "  constant RED", "  constant BLUE",
                          "variable counter", "constant names", "function area", "function find",
                          "variable callback"));
  EXPECT_FALSE(syntax.has_errors);
}

TEST(RulesC, AGuardIsNotADefinition) {
  const Syntax syntax = parsed(Language::kC, "#ifndef A_H\n#define A_H\nint f(void);\n#endif\n");
  EXPECT_THAT(definitions(syntax), ElementsAre("function f"));
}

TEST(RulesC, ForwardDeclarationsAreUses) {
  const Syntax syntax = parsed(Language::kC, "struct later;\nstruct later *f(enum kind k);\n");
  EXPECT_THAT(definitions(syntax), ElementsAre("function f"));
  EXPECT_THAT(references(syntax, ReferenceKind::kType), ElementsAre("kind", "later*2"));
}

TEST(RulesC, LocalNamesAreNoReferences) {
  const Syntax syntax = parsed(Language::kC, R"(
int f(int parameter) {
  int local = helper(parameter);
  local += global + table->local;
  return local;
}
int g(void) { return local; }
)");
  EXPECT_THAT(references(syntax, ReferenceKind::kCall), ElementsAre("helper"));
  // `local` once as a member, and once in g, where it is another.
  EXPECT_THAT(references(syntax, ReferenceKind::kOther), ElementsAre("global", "local*2", "table"));
}

TEST(RulesC, TheNamesInAMacroAreUsed) {
  const Syntax syntax = parsed(Language::kC, "#define SQUARE(x) multiply((x), FACTOR)\n");
  EXPECT_THAT(references(syntax, ReferenceKind::kCall), ElementsAre("multiply"));
  EXPECT_THAT(references(syntax, ReferenceKind::kOther), ElementsAre("FACTOR"));
}

TEST(RulesC, ImportsAreWhatIsIncluded) {
  const Syntax syntax =
      parsed(Language::kC, "#include <stdio.h>\n#include \"a/b.h\"\n#include <stdio.h>\n");
  EXPECT_THAT(syntax.imports, ElementsAre("stdio.h", "a/b.h"));
}

TEST(RulesC, ANestedTypeBelongsToItsVariableOnlyByPlace) {
  const Syntax syntax = parsed(Language::kC, "struct a { int x; } b;\n");
  EXPECT_THAT(definitions(syntax), ElementsAre("variable b", "struct a", "  field x"));
}

constexpr std::string_view kShape = R"(
namespace geometry::plane {
namespace { int hidden(); }
/// A shape.
/// With an area.
class Shape : public Base<int> {
 public:
  Shape();  // not its comment
  ~Shape() override;
  /// In square metres.
  virtual double area(int scale) const = 0;
  bool operator==(const Shape& other) const { return size_ == other.size_; }
  enum class Color { kRed };
 private:
  static constexpr int kMost = 3;
  std::vector<int> points_;
};
template <typename T>
T twice(T value) {
  auto each = [&](int offset) { return offset + value; };
  for (auto& item : items()) each(item);
  return value;
}
using Alias = std::map<int, Shape>;
}
double geometry::Shape::area(int scale) const { return scale * factor(); }
TEST(Suite, Name) { run(); }
)";

TEST(RulesCpp, DefinesClassesAndTheirMembers) {
  EXPECT_THAT(definitions(parsed(Language::kCpp, kShape)),
              ElementsAre("module geometry::plane", "  function hidden", "  class Shape",
                          "    method Shape", "    method ~Shape", "    method area",
                          "    method operator==", "    enum Color", "      constant kRed",
                          "    field kMost", "    field points_", "  function twice",
                          "  type Alias", "method area", "function Suite.Name"));
}

TEST(RulesCpp, ARangeHoldsTheCommentAndASignatureEndsBeforeTheBody) {
  const Syntax syntax = parsed(Language::kCpp, kShape);
  const Symbol* const shape = symbol_named(syntax, "Shape");
  ASSERT_NE(shape, nullptr);
  EXPECT_TRUE(kShape.substr(shape->range.begin).starts_with("/// A shape.\n"));
  EXPECT_EQ(shape->range.first_line, 4U);
  EXPECT_EQ(signature(syntax, kShape, "Shape"), "class Shape : public Base<int>");
  EXPECT_EQ(signature(syntax, kShape, "twice"), "template <typename T>\nT twice(T value)");
  EXPECT_EQ(signature(syntax, kShape, "area"), "virtual double area(int scale) const = 0;");
}

TEST(RulesCpp, ACommentBehindCodeBelongsToThatLine) {
  const Syntax syntax = parsed(Language::kCpp, kShape);
  const Symbol* const destructor = symbol_named(syntax, "~Shape");
  ASSERT_NE(destructor, nullptr);
  EXPECT_TRUE(kShape.substr(destructor->range.begin).starts_with("~Shape"));
}

TEST(RulesCpp, CallsAndTypesAreReferences) {
  const Syntax syntax = parsed(Language::kCpp, kShape);
  EXPECT_THAT(references(syntax, ReferenceKind::kCall), ElementsAre("factor", "items", "run"));
  EXPECT_THAT(references(syntax, ReferenceKind::kType),
              testing::IsSupersetOf({"Base", "Shape*3", "map", "vector"}));
}

TEST(RulesCpp, ATemplateIsPartOfTheDeclarationBelow) {
  constexpr std::string_view kText = "template <class T>\nT one(T x);\n";
  EXPECT_EQ(signature(parsed(Language::kCpp, kText), kText, "one"),
            "template <class T>\nT one(T x);");
}

TEST(RulesCpp, AnEmptyTextHasNothing) {
  EXPECT_THAT(parsed(Language::kCpp, "").symbols, IsEmpty());
}

}  // namespace
}  // namespace clever::syntax::internal
