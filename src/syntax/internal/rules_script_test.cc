#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/testing/syntax_of.h"

namespace clever::syntax::internal {
namespace {

using testing::ElementsAre;

constexpr std::string_view kScript = R"(import React, { useState } from './react';
const fs = require("fs");
export * from "./all";
/** Doc */
export default class Foo extends Bar {
  #secret = 1;
  static go = () => { run(); };
  constructor(a, {b, c}, d = 3) { super(a); this.x = new Thing(b); }
  get value() { return this.#secret; }
}
export async function load(a) { const q = a.find(c => c + K); return q; }
const short = (x) => x + 1, MOST = 2;
exports.named = function (y) { for (const z of list) h(z, y); };
module.exports = { key: function () { return 1; }, method() {}, other: 3 };
function App() { const [s, set] = useState(0); return <Widget a={s}><div/></Widget>; }
import("./lazy");
)";

TEST(RulesScript, DefinesWhatIsDeclaredAssignedOrInAnObject) {
  EXPECT_THAT(definitions(parsed(Language::kJavaScript, kScript)),
              ElementsAre("variable fs", "class Foo", "  field #secret", "  method go",
                          "  method constructor", "  method value", "function load",
                          "function short", "constant MOST", "function named", "function key",
                          "method method", "function App"));
}

TEST(RulesScript, AnExportIsPartOfTheSignature) {
  const Syntax syntax = parsed(Language::kJavaScript, kScript);
  EXPECT_EQ(signature(syntax, kScript, "Foo"), "export default class Foo extends Bar");
  EXPECT_EQ(signature(syntax, kScript, "load"), "export async function load(a)");
  EXPECT_EQ(symbol_named(syntax, "Foo")->range.first_line, 4U);
}

TEST(RulesScript, CallsAreFunctionsConstructorsAndElements) {
  EXPECT_THAT(references(parsed(Language::kJavaScript, kScript), ReferenceKind::kCall),
              ElementsAre("Thing", "Widget", "find", "h", "require", "run", "useState"));
}

TEST(RulesScript, ImportsAreTheirPaths) {
  EXPECT_THAT(parsed(Language::kJavaScript, kScript).imports,
              ElementsAre("./react", "fs", "./all", "./lazy"));
}

constexpr std::string_view kTyped = R"(import type { A } from "./a";
export interface Shape<T> extends Base { readonly area: number; run(a: Kind): void; }
export type Alias = { x: number } | Shape<string>;
export enum Color { Red, Blue = 3 }
abstract class C implements I {
  private x: Kind = 1;
  constructor(private readonly service: Service) {}
  abstract go(): void;
  async m<T>(a: T, b?: U): Promise<V> { return this.service.call(a as W); }
}
declare module "foo" { function bar(x: number): string; }
namespace N { export const q = 1; }
export const fn = async (a: string): Promise<void> => { let z: Local = a; };
)";

TEST(RulesScript, TypeScriptHasInterfacesTypesAndEnums) {
  for (const Language language : {Language::kTypeScript, Language::kTsx}) {
    EXPECT_THAT(
        definitions(parsed(language, kTyped)),
        ElementsAre("interface Shape", "  field area", "  method run", "type Alias", "  field x",
                    "enum Color", "  constant Red", "  constant Blue", "class C", "  field x",
                    "  method constructor", "  method go", "  method m", "module foo",
                    "  function bar", "module N", "  variable q", "function fn"));
  }
}

TEST(RulesScript, TypeScriptNamesTypes) {
  EXPECT_THAT(references(parsed(Language::kTypeScript, kTyped), ReferenceKind::kType),
              testing::IsSupersetOf({"Base", "I", "Kind*2", "Local", "Promise*2", "Service", "W"}));
}

}  // namespace
}  // namespace clever::syntax::internal
