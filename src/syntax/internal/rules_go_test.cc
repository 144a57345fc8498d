#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/testing/syntax_of.h"

namespace clever::syntax::internal {
namespace {

using testing::ElementsAre;

constexpr std::string_view kGoText = R"(package main

import (
	"fmt"
	web "net/http"
)

// Shape has an area.
type Shape interface {
	Area(scale int) float64
}

type (
	Point struct {
		X, Y int
	}
	ID = string
)

const Red Color = iota

var Global, other = 1, 2

func (p *Point) Area(scale int) float64 {
	x := fmt.Sprint(scale)
	for i, v := range p.list() {
		go helper(i, v)
	}
	var local Kind
	return Global * x.y(local)
}

func main[T any](a, b T) { func() { Global = 3 }() }
)";

TEST(RulesGo, DefinesTypesFunctionsAndValues) {
  EXPECT_THAT(definitions(parsed(Language::kGo, kGoText)),
              ElementsAre("interface Shape", "  method Area", "struct Point", "  field X",
                          "  field Y", "type ID", "constant Red", "variable Global",
                          "variable other", "method Area", "function main"));
}

TEST(RulesGo, ASingleDeclarationHasItsKeyword) {
  const Syntax syntax = parsed(Language::kGo, kGoText);
  EXPECT_EQ(signature(syntax, kGoText, "Shape"), "type Shape interface {");
  EXPECT_EQ(symbol_named(syntax, "Shape")->range.first_line, 8U);
  EXPECT_EQ(signature(syntax, kGoText, "Point"), "Point struct {");
  EXPECT_EQ(signature(syntax, kGoText, "other"), "var Global, other = 1, 2");
}

TEST(RulesGo, UsesAndImports) {
  const Syntax syntax = parsed(Language::kGo, kGoText);
  EXPECT_THAT(references(syntax, ReferenceKind::kCall),
              ElementsAre("Sprint", "helper", "list", "y"));
  EXPECT_THAT(references(syntax, ReferenceKind::kOther), ElementsAre("Global*2", "fmt"));
  EXPECT_THAT(syntax.imports, ElementsAre("fmt", "net/http"));
}

}  // namespace
}  // namespace clever::syntax::internal
