#include "syntax/internal/grammar.h"

#include <algorithm>

#include "base/check.h"
#include "syntax/internal/rules.h"

extern "C" {
const TSLanguage* tree_sitter_bash(void);
const TSLanguage* tree_sitter_c(void);
const TSLanguage* tree_sitter_cpp(void);
const TSLanguage* tree_sitter_go(void);
const TSLanguage* tree_sitter_java(void);
const TSLanguage* tree_sitter_javascript(void);
const TSLanguage* tree_sitter_json(void);
const TSLanguage* tree_sitter_markdown(void);
const TSLanguage* tree_sitter_python(void);
const TSLanguage* tree_sitter_ruby(void);
const TSLanguage* tree_sitter_rust(void);
const TSLanguage* tree_sitter_tsx(void);
const TSLanguage* tree_sitter_typescript(void);
const TSLanguage* tree_sitter_yaml(void);
}

namespace clever::syntax::internal {
namespace {

constexpr std::array<std::string_view, kFields> kFieldNames{
    "alias", "argument", "arguments",    "attribute", "body",    "constructor", "declarator",
    "field", "function", "key",          "left",      "macro",   "method",      "module_name",
    "name",  "object",   "parameters",   "path",      "pattern", "property",    "receiver",
    "right", "source",   "superclasses", "trait",     "type",    "value"};

struct Entry {
  const TSLanguage* (*tables)(void);
  std::span<const Rule> (*rules)() noexcept;
};

// In the order of Language, from kC on.
constexpr std::array<Entry, kLanguages - 1> kEntries{{
    {&tree_sitter_c, &c_rules},
    {&tree_sitter_cpp, &c_rules},
    {&tree_sitter_python, &python_rules},
    {&tree_sitter_javascript, &script_rules},
    {&tree_sitter_typescript, &script_rules},
    {&tree_sitter_tsx, &script_rules},
    {&tree_sitter_go, &go_rules},
    {&tree_sitter_rust, &rust_rules},
    {&tree_sitter_java, &java_rules},
    {&tree_sitter_ruby, &ruby_rules},
    {&tree_sitter_bash, &bash_rules},
    {&tree_sitter_json, &data_rules},
    {&tree_sitter_yaml, &data_rules},
    {&tree_sitter_markdown, &markdown_rules},
}};

const Entry& entry_of(Language language) {
  CLEVER_CHECK(language != Language::kText, "text has no grammar");
  return kEntries[static_cast<std::size_t>(language) - 1];
}

Handler handler_named(std::span<const Rule> rules, std::string_view node) {
  const auto found = std::ranges::find(rules, node, &Rule::node);
  return found == rules.end() ? nullptr : found->handler;
}

}  // namespace

Grammar::Grammar(Language language) : language_(entry_of(language).tables()) {
  const std::span<const Rule> rules = entry_of(language).rules();
  handlers_.resize(ts_language_symbol_count(language_));
  for (std::size_t index = 0; index < handlers_.size(); ++index) {
    const auto symbol = static_cast<TSSymbol>(index);
    if (ts_language_symbol_type(language_, symbol) != TSSymbolTypeRegular) {
      continue;  // a keyword may have the name of a node type
    }
    handlers_[index] = handler_named(rules, ts_language_symbol_name(language_, symbol));
  }
  for (std::size_t index = 0; index < kFields; ++index) {
    const std::string_view name = kFieldNames[index];
    fields_[index] = ts_language_field_id_for_name(language_, name.data(),
                                                   static_cast<std::uint32_t>(name.size()));
  }
}

}  // namespace clever::syntax::internal
