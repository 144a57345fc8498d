#include <algorithm>
#include <array>

#include "syntax/internal/handlers.h"
#include "syntax/internal/rules.h"

namespace clever::syntax::internal {
namespace {

bool is_function(const Walker& walker, TSNode value) {
  return walker.is(value, "arrow_function") || walker.is(value, "function_expression") ||
         walker.is(value, "generator_function") || walker.is(value, "function");
}

// Handles `name = value` with a function or class as value; the value opens its own scope.
void define_value(Walker& walker, TSNode node, TSNode name, TSNode value) {
  const bool is_class = walker.is(value, "class");
  walker.define({.node = node,
                 .kind = is_class           ? SymbolKind::kClass
                         : walker.in_type() ? SymbolKind::kMethod
                                            : SymbolKind::kFunction,
                 .name = name,
                 .body = walker.child(value, Field::kBody),
                 .opens = is_class ? Opens::kType : Opens::kFunction});
}

bool is_code(const Walker& walker, TSNode value) {
  return is_function(walker, value) || walker.is(value, "class");
}

void script_variable(Walker& walker, TSNode node) {
  const TSNode name = walker.child(node, Field::kName);
  const TSNode value = walker.child(node, Field::kValue);
  if (is_code(walker, value) && walker.is(name, "identifier")) {
    define_value(walker, node, name, value);
  } else if (walker.in_function()) {
    bind_pattern(walker, name);
  } else if (walker.is(name, "identifier")) {
    const bool is_constant = is_upper_case(walker.text(name));
    walker.define({.node = node,
                   .kind = is_constant ? SymbolKind::kConstant : SymbolKind::kVariable,
                   .name = name,
                   .value = value});
  }
}

// exports.name = function …; Type.prototype.name = …
void script_assignment(Walker& walker, TSNode node) {
  const TSNode left = walker.child(node, Field::kLeft);
  const TSNode value = walker.child(node, Field::kRight);
  const TSNode name = walker.child(left, Field::kProperty);
  if (is_code(walker, value) && walker.is(name, "property_identifier") &&
      walker.text(left) != "module.exports") {
    define_value(walker, node, name, value);
  }
}

// key: function …
void script_pair(Walker& walker, TSNode node) {
  const TSNode key = walker.child(node, Field::kKey);
  const TSNode value = walker.child(node, Field::kValue);
  if (is_function(walker, value) && walker.is(key, "property_identifier")) {
    define_value(walker, node, key, value);
  } else {
    walker.hide(key);
  }
}

void script_field(Walker& walker, TSNode node) {
  TSNode name = walker.child(node, Field::kProperty);
  if (ts_node_is_null(name)) {
    name = walker.child(node, Field::kName);
  }
  const TSNode value = walker.child(node, Field::kValue);
  if (is_code(walker, value)) {
    define_value(walker, node, name, value);
  } else {
    walker.define({.node = node, .kind = SymbolKind::kField, .name = name, .value = value});
  }
}

// module "name" {…}
void script_namespace(Walker& walker, TSNode node) {
  const std::size_t before = walker.nesting();
  named<SymbolKind::kModule, Opens::kModule>(walker, node);
  if (walker.nesting() > before) {
    walker.rename_last(unquoted(walker.text(walker.child(node, Field::kName))));
  }
}

void script_method(Walker& walker, TSNode node) {
  named<SymbolKind::kMethod, Opens::kFunction>(walker, node);
}

void enum_member(Walker& walker, TSNode node) {
  if (walker.is(node, "property_identifier")) {
    walker.define({.node = node, .kind = SymbolKind::kConstant, .name = node});
  }
}

void enum_body(Walker& walker, TSNode /*node*/) { walker.expect(Field::kName, &enum_member); }

void script_parameters(Walker& walker, TSNode node) {
  const std::uint32_t count = named_child_count(node);
  for (std::uint32_t index = 0; index < count; ++index) {
    const TSNode each = named_child(node, index);
    const TSNode pattern = walker.child(each, Field::kPattern);
    const TSNode left = walker.child(each, Field::kLeft);
    bind_pattern(walker, !ts_node_is_null(pattern) ? pattern
                         : !ts_node_is_null(left)  ? left
                                                   : each);
  }
}

void arrow_function(Walker& walker, TSNode node) {
  walker.open(Opens::kFunction);
  const TSNode only = child_at(node, 0);
  if (walker.is(only, "identifier")) {
    walker.local(only);
  }
}

void script_loop(Walker& walker, TSNode node) {
  const TSNode left = walker.child(node, Field::kLeft);
  if (!walker.is(left, "member_expression")) {
    bind_pattern(walker, left);
  }
}

void import_path(Walker& walker, TSNode string) {
  if (walker.is(string, "string")) {
    walker.import(unquoted(walker.text(string)));
  }
}

void script_call(Walker& walker, TSNode node) {
  const TSNode callee = walker.child(node, Field::kFunction);
  if (walker.is(callee, "import") || walker.text(callee) == "require") {
    import_path(walker, named_child(walker.child(node, Field::kArguments), 0));
  }
  walker.call(called_name(walker, callee));
}

void new_expression(Walker& walker, TSNode node) {
  walker.call(called_name(walker, walker.child(node, Field::kConstructor)));
}

// <Name …>
void element(Walker& walker, TSNode node) {
  const TSNode name = called_name(walker, walker.child(node, Field::kName));
  const std::string_view text = walker.text(name);
  if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z') {
    walker.call(name);
  } else {
    walker.hide(name);
  }
}

void script_import(Walker& walker, TSNode node) {
  import_path(walker, walker.child(node, Field::kSource));
}

void export_statement(Walker& walker, TSNode node) {
  import_path(walker, walker.child(node, Field::kSource));
  walker.wrap(node);
}

constexpr std::array kScriptRules{
    Rule{"identifier", &plain_name},
    Rule{"shorthand_property_identifier", &plain_name},
    Rule{"property_identifier", &member_name},
    Rule{"private_property_identifier", &member_name},
    Rule{"type_identifier", &type_name},
    Rule{"comment", &comment},
    Rule{"call_expression", &script_call},
    Rule{"new_expression", &new_expression},
    Rule{"jsx_opening_element", &element},
    Rule{"jsx_self_closing_element", &element},
    Rule{"variable_declarator", &script_variable},
    Rule{"lexical_declaration", &wrapper_of_one},
    Rule{"variable_declaration", &wrapper_of_one},
    Rule{"expression_statement", &wrapper},
    Rule{"assignment_expression", &script_assignment},
    Rule{"pair", &script_pair},
    Rule{"function_declaration", &named<SymbolKind::kFunction, Opens::kFunction>},
    Rule{"generator_function_declaration", &named<SymbolKind::kFunction, Opens::kFunction>},
    Rule{"function_signature", &named<SymbolKind::kFunction, Opens::kFunction>},
    Rule{"function_expression", &nameless_function},
    Rule{"generator_function", &nameless_function},
    Rule{"arrow_function", &arrow_function},
    Rule{"formal_parameters", &script_parameters},
    Rule{"for_in_statement", &script_loop},
    Rule{"class_declaration", &named<SymbolKind::kClass, Opens::kType>},
    Rule{"abstract_class_declaration", &named<SymbolKind::kClass, Opens::kType>},
    Rule{"class_heritage", &types_inside},
    Rule{"method_definition", &script_method},
    Rule{"method_signature", &script_method},
    Rule{"abstract_method_signature", &script_method},
    Rule{"field_definition", &script_field},
    Rule{"public_field_definition", &script_field},
    Rule{"property_signature", &script_field},
    Rule{"interface_declaration", &named<SymbolKind::kInterface, Opens::kType>},
    Rule{"type_alias_declaration", &named<SymbolKind::kType, Opens::kType>},
    Rule{"enum_declaration", &named<SymbolKind::kEnum, Opens::kType>},
    Rule{"enum_body", &enum_body},
    Rule{"enum_assignment", &named<SymbolKind::kConstant>},
    Rule{"internal_module", &script_namespace},
    Rule{"module", &script_namespace},
    Rule{"ambient_declaration", &wrapper},
    Rule{"import_statement", &script_import},
    Rule{"export_statement", &export_statement},
};

}  // namespace

std::span<const Rule> script_rules() noexcept { return kScriptRules; }

}  // namespace clever::syntax::internal
