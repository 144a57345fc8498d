#include "syntax/language.h"

#include <gtest/gtest.h>

namespace clever::syntax {
namespace {

TEST(Language, IsKnownByTheNameOfTheFile) {
  EXPECT_EQ(language_of("a/b.c"), Language::kC);
  EXPECT_EQ(language_of("a/b.CC"), Language::kCpp);
  EXPECT_EQ(language_of("a/b.C"), Language::kCpp);
  EXPECT_EQ(language_of("x.tsx"), Language::kTsx);
  EXPECT_EQ(language_of("dir.py/Gemfile"), Language::kRuby);
  EXPECT_EQ(language_of("README.md"), Language::kMarkdown);
  EXPECT_EQ(language_of("dir.py/notes"), Language::kText);
  EXPECT_EQ(language_of("x.extremely-long-extension"), Language::kText);
  EXPECT_EQ(language_of(""), Language::kText);
}

TEST(Language, IsKnownByTheInterpreter) {
  EXPECT_EQ(language_of("tool", "#!/usr/bin/env -S python3.11 -u\n"), Language::kPython);
  EXPECT_EQ(language_of("tool", "#!/bin/sh"), Language::kBash);
  EXPECT_EQ(language_of("tool.in", "#! /usr/bin/env A=1 node\n"), Language::kJavaScript);
  EXPECT_EQ(language_of("tool", "#!/usr/bin/perl\n"), Language::kText);
  EXPECT_EQ(language_of("tool", "#!\n"), Language::kText);
  EXPECT_EQ(language_of("tool", "no interpreter"), Language::kText);
}

TEST(Language, AHeaderIsOfCppIfALineSaysSo) {
  EXPECT_EQ(language_of("a.h", "struct a { int x; };\n/* class of things */\n"), Language::kC);
  EXPECT_EQ(language_of("a.h", "int x;\n  namespace a {\n"), Language::kCpp);
  EXPECT_EQ(language_of("a.h", "class A;\n"), Language::kCpp);
  EXPECT_EQ(language_of("a.h"), Language::kC);
}

}  // namespace
}  // namespace clever::syntax
