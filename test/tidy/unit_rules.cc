// Several sources are compiled as one unit (cmake/CleverUnity.cmake): what one of them keeps to
// itself must not stand in another's way.
#include <algorithm>
#include <map>
#include <tuple>

#include "tidy/match.h"
#include "tidy/rules.h"
#include "tidy/scopes.h"

namespace clever::tidy {
namespace {

// The sources that may share a unit: those of a module, of its tests, of its stress tests, and of a
// folder of test/.
std::string unit_group(const File& file) {
  if (file.in("test")) return file.path.substr(0, file.path.rfind('/'));
  if (file.path.ends_with("_stress_test.cc")) return file.module() + " stress";
  return file.module() + (file.path.ends_with("_test.cc") ? " tests" : "");
}

bool shares_units(const File& file) {
  return file.path.ends_with(".cc") && !file.path.ends_with("_fuzz.cc") &&
         (file.in("src") || file.in("test")) && !file.in("test/compile_fail");
}

const Names& not_named() {
  static const Names kNames = {"static_assert", "namespace", "template", "friend", "operator"};
  return kNames;
}

// TEST(…), INSTANTIATE_TEST_SUITE_P(…), CLEVER_ALL_ENGINES(…): what they define is named by their
// words.
bool is_macro(const Token& token) {
  return token.text.size() > 1 && std::ranges::all_of(token.text, [](char c) {
           return c == '_' || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

// The name after `class`, `struct`, `enum class` …, unless it is the type of something else.
std::string type_name(Tokens tokens, bool has_body) {
  static const Names kKeys = {"class", "struct", "union", "enum", "final"};
  if (!kKeys.contains(tokens.front().text)) return {};
  std::string name;
  for (const Token& token : tokens) {
    if (kKeys.contains(token.text)) continue;
    if (token.kind != TokenKind::kIdentifier || !name.empty()) break;
    name = token.text;
  }
  // `struct Found x = …` declares x.
  const bool declares_only = !has_body && tokens.size() > 2 && !contains(tokens, ":");
  return declares_only ? std::string() : name;
}

// What a declaration in a namespace introduces; empty if nothing that can stand in the way.
std::string declared_name(const Declaration& declaration) {
  const Tokens tokens = declaration.tokens;
  if (tokens.empty() || is_macro(tokens.front())) return {};
  if (tokens.front().is("using")) {
    const bool alias = tokens.size() > 2 && tokens[2].is("=");
    return alias ? tokens[1].text : std::string();
  }
  if (std::ranges::any_of(tokens,
                          [](const Token& token) { return not_named().contains(token.text); })) {
    return {};
  }
  if (std::string name = type_name(tokens, declaration.has_body); !name.empty()) return name;
  std::string name;
  for (const Token& token : tokens) {
    if (token.is("(") || token.is("=") || token.is("[")) break;
    // A member that is defined outside its class.
    if (token.is("::") && declaration.has_body) return {};
    if (token.kind == TokenKind::kIdentifier) name = token.text;
  }
  return name;
}

// Two aliases that say the same may stand beside each other.
std::string alias_text(const Declaration& declaration) {
  if (!declaration.tokens.front().is("using")) return {};
  std::string text;
  for (const Token& token : declaration.tokens) text += token.text + " ";
  return text;
}

struct Owner {
  const File* file;
  std::string alias;
};

}  // namespace

void check_unit_names(const Tree& tree, Findings& findings) {
  std::map<std::tuple<std::string, std::string, std::string>, Owner> owners;
  for (const File& file : tree.files) {
    if (!shares_units(file)) continue;
    for (const Declaration& declaration : declarations_of(file.source.tokens)) {
      if (declaration.scope != Scope::kNamespace || !declaration.unnamed) continue;
      const std::string name = declared_name(declaration);
      if (name.empty()) continue;
      const Owner owner{.file = &file, .alias = alias_text(declaration)};
      const auto [at, added] =
          owners.try_emplace({unit_group(file), declaration.enclosing, name}, owner);
      const bool same_alias = !owner.alias.empty() && owner.alias == at->second.alias;
      if (added || at->second.file == &file || same_alias) continue;
      findings.push_back({file.path, declaration.tokens.front().line, "unit-name",
                          "'" + name + "' is also defined in the unnamed namespace of " +
                              at->second.file->path + ", which may be compiled in the same unit",
                          "share one definition, or give each a name that says what it is about"});
    }
  }
}

}  // namespace clever::tidy
