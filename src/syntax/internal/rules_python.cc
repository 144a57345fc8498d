#include <algorithm>
#include <array>
#include <string>

#include "syntax/internal/handlers.h"
#include "syntax/internal/rules.h"

namespace clever::syntax::internal {
namespace {

// The outline of a definition includes the first line of its docstring.
void show_docstring(Walker& walker, TSNode body) {
  const TSNode string = named_child(named_child(body, 0), 0);
  if (!walker.is(string, "string")) {
    return;
  }
  const std::string_view text = walker.text(string);
  // """ alone on its line: the text starts on the next.
  const bool opens_alone = text.size() > 4 && text.find('\n') == 3;
  const std::size_t line_end = std::min(text.find('\n', opens_alone ? 4 : 0), text.size());
  walker.extend_signature(ts_node_start_byte(string) + static_cast<std::uint32_t>(line_end));
}

void python_function(Walker& walker, TSNode node) {
  const std::size_t before = walker.nesting();
  named_function(walker, node);
  if (walker.nesting() > before) {
    show_docstring(walker, walker.child(node, Field::kBody));
  }
}

void superclasses(Walker& walker, TSNode /*node*/) { walker.types_inside(); }

void class_definition(Walker& walker, TSNode node) {
  const bool added = walker.define({.node = node,
                                    .kind = SymbolKind::kClass,
                                    .name = walker.child(node, Field::kName),
                                    .body = walker.child(node, Field::kBody),
                                    .opens = Opens::kType});
  if (added) {
    show_docstring(walker, walker.child(node, Field::kBody));
  }
  walker.expect(Field::kSuperclasses, &superclasses);
}

void python_assignment(Walker& walker, TSNode node) {
  const TSNode left = walker.child(node, Field::kLeft);
  if (walker.in_function()) {
    if (!walker.is(left, "attribute") && !walker.is(left, "subscript")) {
      bind_pattern(walker, left);
    }
    return;
  }
  if (!walker.is(left, "identifier")) {
    return;
  }
  const SymbolKind kind = is_upper_case(walker.text(left)) ? SymbolKind::kConstant
                          : walker.in_type()               ? SymbolKind::kField
                                                           : SymbolKind::kVariable;
  walker.define(
      {.node = node, .kind = kind, .name = left, .value = walker.child(node, Field::kRight)});
}

void python_parameter(Walker& walker, TSNode node) {
  const TSNode name = walker.child(node, Field::kName);
  bind_pattern(walker, ts_node_is_null(name) ? named_child(node, 0) : name);
}

void python_parameters(Walker& walker, TSNode node) {
  const std::uint32_t count = named_child_count(node);
  for (std::uint32_t index = 0; index < count; ++index) {
    const TSNode each = named_child(node, index);
    if (walker.is(each, "identifier") || walker.is(each, "list_splat_pattern") ||
        walker.is(each, "dictionary_splat_pattern")) {
      bind_pattern(walker, each);
    }
  }
}

void python_loop(Walker& walker, TSNode node) {
  bind_pattern(walker, walker.child(node, Field::kLeft));
}
void bound_inside(Walker& walker, TSNode node) { bind_pattern(walker, node); }
void keyword_argument(Walker& walker, TSNode node) {
  walker.hide(walker.child(node, Field::kName));
}

void attribute(Walker& walker, TSNode node) {
  walker.member(walker.child(node, Field::kAttribute));
}

// Returns the name in `name`, or `name as other`.
std::string_view imported(const Walker& walker, TSNode node) {
  return walker.text(walker.is(node, "aliased_import") ? walker.child(node, Field::kName) : node);
}

void python_import(Walker& walker, TSNode node) {
  const std::uint32_t count = named_child_count(node);
  for (std::uint32_t index = 0; index < count; ++index) {
    walker.import(imported(walker, named_child(node, index)));
  }
}

// An import from a package may be one of its modules, so both are recorded.
void import_from(Walker& walker, TSNode node) {
  const TSNode module = walker.child(node, Field::kModuleName);
  const std::string from(walker.text(module));
  if (from.find_first_not_of('.') != std::string::npos) {
    walker.import(from);
  }
  const std::uint32_t count = named_child_count(node);
  for (std::uint32_t index = 1; index < count; ++index) {
    const TSNode each = named_child(node, index);
    if (walker.is(each, "dotted_name") || walker.is(each, "aliased_import")) {
      const std::string_view between = from.ends_with('.') ? "" : ".";
      walker.import(from + std::string(between) + std::string(imported(walker, each)));
    }
  }
}

constexpr std::array kPythonRules{
    Rule{"identifier", &plain_name},
    Rule{"comment", &comment},
    Rule{"attribute", &attribute},
    Rule{"call", &function_call},
    Rule{"assignment", &python_assignment},
    Rule{"function_definition", &python_function},
    Rule{"class_definition", &class_definition},
    Rule{"decorated_definition", &wrapper},
    Rule{"lambda", &nameless_function},
    Rule{"parameters", &python_parameters},
    Rule{"lambda_parameters", &python_parameters},
    Rule{"typed_parameter", &python_parameter},
    Rule{"default_parameter", &python_parameter},
    Rule{"typed_default_parameter", &python_parameter},
    Rule{"for_statement", &python_loop},
    Rule{"for_in_clause", &python_loop},
    Rule{"as_pattern_target", &bound_inside},
    Rule{"keyword_argument", &keyword_argument},
    Rule{"type", &types_inside},
    Rule{"import_statement", &python_import},
    Rule{"import_from_statement", &import_from},
    Rule{"future_import_statement", &nothing_inside},
};

}  // namespace

std::span<const Rule> python_rules() noexcept { return kPythonRules; }

}  // namespace clever::syntax::internal
