#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/testing/syntax_of.h"

namespace clever::syntax::internal {
namespace {

using testing::ElementsAre;

constexpr std::string_view kPythonText = R"(import os, sys as system
from . import util
from .pkg import thing as other
from django.db import models
from __future__ import annotations

LIMIT = 3
name: str = "x"

@decorator(1)
class A(Base, models.Model):
    """Doc of A.

    More."""
    size = 3

    @property
    def p(self, a: Kind, *rest, b=DEFAULT, **more) -> "Other":
        """
        Doc of p.
        """
        x = helper(a, key=b)
        for i, j in pairs(x):
            print(i, GLOBAL, self.x.go())
        with open(x) as f:
            f.read()
        return Thing(lambda q: q + j)

def outer():
    def inner(): pass
)";

TEST(RulesPython, DefinesClassesFunctionsAndVariables) {
  EXPECT_THAT(definitions(parsed(Language::kPython, kPythonText)),
              ElementsAre("constant LIMIT", "variable name", "class A", "  field size",
                          "  method p", "function outer", "  function inner"));
}

TEST(RulesPython, SignaturesHaveDecoratorsAndTheFirstLineOfTheDocstring) {
  const Syntax syntax = parsed(Language::kPython, kPythonText);
  EXPECT_EQ(signature(syntax, kPythonText, "A"),
            "@decorator(1)\nclass A(Base, models.Model):\n    \"\"\"Doc of A.");
  EXPECT_EQ(signature(syntax, kPythonText, "p"),
            "@property\n    def p(self, a: Kind, *rest, b=DEFAULT, **more) -> \"Other\":\n"
            "        \"\"\"\n        Doc of p.");
  EXPECT_EQ(signature(syntax, kPythonText, "outer"), "def outer():");
}

TEST(RulesPython, UsesAreCallsTypesAndOthers) {
  const Syntax syntax = parsed(Language::kPython, kPythonText);
  EXPECT_THAT(references(syntax, ReferenceKind::kCall),
              ElementsAre("Thing", "decorator", "go", "helper", "open", "pairs", "print", "read"));
  EXPECT_THAT(references(syntax, ReferenceKind::kType),
              ElementsAre("Base", "Kind", "Model", "models", "str"));
  EXPECT_THAT(references(syntax, ReferenceKind::kOther),
              testing::IsSupersetOf({"DEFAULT", "GLOBAL", "x"}));
}

TEST(RulesPython, ANameImportedFromAPackageMayBeAModule) {
  EXPECT_THAT(
      parsed(Language::kPython, kPythonText).imports,
      ElementsAre("os", "sys", ".util", ".pkg", ".pkg.thing", "django.db", "django.db.models"));
}

}  // namespace
}  // namespace clever::syntax::internal
