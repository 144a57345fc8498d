#include <array>
#include <string>

#include "syntax/internal/handlers.h"
#include "syntax/internal/rules.h"

// C and C++, whose grammar extends C's.
namespace clever::syntax::internal {
namespace {

constexpr int kLongestDeclarator = 32;

struct Declared {
  TSNode name{};
  bool is_function = false;
  bool is_qualified = false;
};

// Handles `*(&x)[3]` and similar nodes, which do not mark the child to follow.
TSNode unnamed_step(const Walker& walker, TSNode node) {
  const bool goes_on =
      walker.is(node, "parenthesized_declarator") || walker.is(node, "reference_declarator") ||
      walker.is(node, "attributed_declarator") || walker.is(node, "bitfield_clause");
  return goes_on ? named_child(node, 0) : TSNode{};
}

TSNode next_step(const Walker& walker, TSNode node) {
  for (const Field field : {Field::kDeclarator, Field::kName}) {
    if (const TSNode next = walker.child(node, field); !ts_node_is_null(next)) {
      return next;
    }
  }
  return unnamed_step(walker, node);
}

// From `*foo::f(int x)` to `f`.
Declared declared_by(const Walker& walker, TSNode declarator) {
  Declared result;
  for (int steps = 0; steps < kLongestDeclarator && !ts_node_is_null(declarator); ++steps) {
    result.name = declarator;
    const TSNode next = next_step(walker, declarator);
    if (walker.is(declarator, "function_declarator")) {
      // `(*f)(int)` is a pointer.
      result.is_function = !walker.is(next, "parenthesized_declarator");
    }
    result.is_qualified = result.is_qualified || walker.is(declarator, "qualified_identifier");
    declarator = next;
  }
  if (walker.is(result.name, "structured_binding_declarator") ||
      walker.is(result.name, "abstract_function_declarator")) {
    return {};
  }
  return result;
}

SymbolKind function_kind(const Walker& walker, const Declared& declared) {
  return walker.in_type() || declared.is_qualified ? SymbolKind::kMethod : SymbolKind::kFunction;
}

SymbolKind variable_kind(const Walker& walker, const Declared& declared) {
  if (walker.in_type()) {
    return SymbolKind::kField;
  }
  const TSNode whole = walker.expecting();
  const std::string_view before =
      walker.text(whole).substr(0, ts_node_start_byte(declared.name) - ts_node_start_byte(whole));
  return before.find("const") != std::string_view::npos ? SymbolKind::kConstant
                                                        : SymbolKind::kVariable;
}

// TEST(Suite, Name) {…} defines "Suite.Name": the leading arguments that are plain words.
std::string macro_arguments(const Walker& walker, TSNode declarator) {
  const TSNode parameters = walker.child(declarator, Field::kParameters);
  std::string result;
  for (std::uint32_t index = 0; index < named_child_count(parameters); ++index) {
    const TSNode each = named_child(parameters, index);
    if (named_child_count(each) != 1 ||
        !walker.is(walker.child(each, Field::kType), "type_identifier")) {
      break;
    }
    result += (result.empty() ? "" : ".") + std::string(walker.text(each));
  }
  return result;
}

void rename_macro_call(Walker& walker, TSNode node, const Declared& declared) {
  if (!is_upper_case(walker.text(declared.name)) ||
      !ts_node_is_null(walker.child(node, Field::kType))) {
    return;
  }
  const std::string name = macro_arguments(walker, walker.child(node, Field::kDeclarator));
  if (!name.empty()) {
    walker.rename_last(name);
  }
}

void c_function(Walker& walker, TSNode node) {
  const Declared declared = declared_by(walker, walker.child(node, Field::kDeclarator));
  const bool added = walker.define({.node = node,
                                    .kind = function_kind(walker, declared),
                                    .name = declared.name,
                                    .body = walker.child(node, Field::kBody),
                                    .opens = Opens::kFunction});
  if (added) {
    rename_macro_call(walker, node, declared);
  }
}

void declarator(Walker& walker, TSNode node) {
  const Declared declared = declared_by(walker, node);
  if (walker.in_function()) {
    walker.local(declared.name);
    return;
  }
  if (ts_node_is_null(declared.name)) {
    return;
  }
  walker.define({.node = walker.expecting(),
                 .kind = declared.is_function ? function_kind(walker, declared)
                                              : variable_kind(walker, declared),
                 .name = declared.name,
                 .value = walker.child(node, Field::kValue)});
}

void c_declaration(Walker& walker, TSNode /*node*/) {
  walker.expect(Field::kDeclarator, &declarator);
}

void c_parameter(Walker& walker, TSNode node) {
  walker.local(declared_by(walker, walker.child(node, Field::kDeclarator)).name);
}

void type_definition(Walker& walker, TSNode node) {
  const TSNode type = walker.child(node, Field::kType);
  walker.define({.node = node,
                 .kind = SymbolKind::kType,
                 .name = declared_by(walker, walker.child(node, Field::kDeclarator)).name,
                 .body = walker.child(type, Field::kBody),
                 .opens = Opens::kType});
}

template <SymbolKind kKind>
void specifier(Walker& walker, TSNode node) {
  const TSNode body = walker.child(node, Field::kBody);
  if (ts_node_is_null(body)) {
    return;
  }
  const TSNode name = walker.child(node, Field::kName);
  if (ts_node_is_null(name)) {
    walker.open(Opens::kType);
    return;
  }
  walker.define({.node = node,
                 .kind = kKind,
                 .name = declared_by(walker, name).name,
                 .body = body,
                 .opens = Opens::kType});
}

void c_namespace(Walker& walker, TSNode node) {
  const TSNode name = walker.child(node, Field::kName);
  if (ts_node_is_null(name)) {
    walker.open(Opens::kModule);
  } else {
    named<SymbolKind::kModule, Opens::kModule>(walker, node);
  }
}

void macro(Walker& walker, TSNode node) {
  const TSNode value = walker.child(node, Field::kValue);
  const TSNode name = walker.child(node, Field::kName);
  // The name in a header's guard is not a definition.
  if (ts_node_is_null(value) && walker.is(parent_of(node), "preproc_ifdef") &&
      walker.text(walker.child(parent_of(node), Field::kName)) == walker.text(name)) {
    walker.hide(name);
    return;
  }
  walker.define({.node = node, .kind = SymbolKind::kMacro, .name = name, .value = value});
}

// The body of a macro is not parsed, but its names count as used.
void macro_text(Walker& walker, TSNode node) {
  const std::string_view text = walker.text(node);
  const std::uint32_t line = ts_node_start_point(node).row + 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && is_word_character(text[at])) {
      ++at;
    }
    if (at == begin) {
      ++at;
    } else if (at - begin > 1 && (text[begin] < '0' || text[begin] > '9')) {
      const bool called = at < text.size() && text[at] == '(';
      walker.mention(text.substr(begin, at - begin),
                     called ? ReferenceKind::kCall : ReferenceKind::kOther, line);
    }
  }
}

void include(Walker& walker, TSNode node) {
  const TSNode path = walker.child(node, Field::kPath);
  if (walker.is(path, "string_literal") || walker.is(path, "system_lib_string")) {
    walker.import(unquoted(walker.text(path)));
    walker.skip_children();
  }
}

constexpr std::array kCRules{
    Rule{"identifier", &plain_name},
    Rule{"field_identifier", &member_name},
    Rule{"type_identifier", &type_name},
    Rule{"namespace_identifier", &type_name},
    Rule{"call_expression", &function_call},
    Rule{"comment", &comment},
    Rule{"destructor_name", &nothing_inside},
    Rule{"operator_name", &nothing_inside},
    Rule{"preproc_params", &nothing_inside},
    Rule{"declaration", &c_declaration},
    Rule{"parameter_declaration", &c_parameter},
    Rule{"optional_parameter_declaration", &c_parameter},
    Rule{"variadic_parameter_declaration", &c_parameter},
    Rule{"for_range_loop", &c_parameter},
    Rule{"field_declaration", &c_declaration},
    Rule{"function_definition", &c_function},
    Rule{"inline_method_definition", &c_function},
    Rule{"lambda_expression", &nameless_function},
    Rule{"struct_specifier", &specifier<SymbolKind::kStruct>},
    Rule{"union_specifier", &specifier<SymbolKind::kStruct>},
    Rule{"class_specifier", &specifier<SymbolKind::kClass>},
    Rule{"enum_specifier", &specifier<SymbolKind::kEnum>},
    Rule{"enumerator", &named<SymbolKind::kConstant>},
    Rule{"type_definition", &type_definition},
    Rule{"alias_declaration", &named<SymbolKind::kType>},
    Rule{"concept_definition", &named<SymbolKind::kType>},
    Rule{"namespace_definition", &c_namespace},
    Rule{"namespace_alias_definition", &named<SymbolKind::kModule>},
    Rule{"template_declaration", &wrapper},
    Rule{"preproc_def", &macro},
    Rule{"preproc_function_def", &macro},
    Rule{"preproc_arg", &macro_text},
    Rule{"preproc_include", &include},
};

}  // namespace

std::span<const Rule> c_rules() noexcept { return kCRules; }

}  // namespace clever::syntax::internal
