#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/testing/syntax_of.h"

namespace clever::syntax::internal {
namespace {

using testing::ElementsAre;

constexpr std::string_view kRustText =
    R"(use std::collections::{self, HashMap, hash_map::Entry as E};
use crate::plan::*;
mod util;
extern crate serde;
/// Doc
#[derive(Debug)]
pub struct Point<T> { pub x: T }
pub enum Color { Red, Blue(u8) }
pub trait Shape: Base { fn area(&self, k: Kind) -> f64; }
impl<T> Shape for geometry::Point<T> {
    const N: usize = 3;
    fn area(&self, k: Kind) -> f64 {
        const HIDDEN: usize = 1;
        let (a, b) = pair(k);
        if let Some(c) = Wrapped::open(b) { println!("{}", GLOBAL); }
        a.run(HIDDEN, |z| z + c)
    }
}
mod inner { pub fn f() {} }
static S: i32 = 1;
type Alias = HashMap<String, Point<i32>>;
macro_rules! mac {
    ($x:expr) => { foo($x) }
}
)";

TEST(RulesRust, DefinesItemsAndImplementations) {
  EXPECT_THAT(definitions(parsed(Language::kRust, kRustText)),
              ElementsAre("module util", "struct Point", "  field x", "enum Color",
                          "  constant Red", "  constant Blue", "interface Shape", "  method area",
                          "class Point", "  constant N", "  method area", "module inner",
                          "  function f", "variable S", "type Alias", "macro mac"));
}

TEST(RulesRust, AttributesAreAboveASignature) {
  const Syntax syntax = parsed(Language::kRust, kRustText);
  EXPECT_EQ(signature(syntax, kRustText, "Point"), "pub struct Point<T>");
  EXPECT_EQ(symbol_named(syntax, "Point")->range.first_line, 5U);
  EXPECT_EQ(signature(syntax, kRustText, "mac"), "macro_rules! mac {");
}

TEST(RulesRust, CallsAreFunctionsMethodsAndMacros) {
  EXPECT_THAT(references(parsed(Language::kRust, kRustText), ReferenceKind::kCall),
              ElementsAre("open", "pair", "println", "run"));
}

TEST(RulesRust, UsesAreSpelledOut) {
  EXPECT_THAT(
      parsed(Language::kRust, kRustText).imports,
      ElementsAre("std::collections", "std::collections::HashMap",
                  "std::collections::hash_map::Entry", "crate::plan::*", "self::util", "serde"));
}

}  // namespace
}  // namespace clever::syntax::internal
