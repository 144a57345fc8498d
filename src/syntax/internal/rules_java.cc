#include <array>
#include <string>

#include "syntax/internal/handlers.h"
#include "syntax/internal/rules.h"

namespace clever::syntax::internal {
namespace {

void java_field(Walker& walker, TSNode node) {
  const TSNode name = walker.child(node, Field::kName);
  walker.define(
      {.node = walker.expecting(),
       .kind = is_upper_case(walker.text(name)) ? SymbolKind::kConstant : SymbolKind::kField,
       .name = name,
       .value = walker.child(node, Field::kValue)});
}

void java_fields(Walker& walker, TSNode /*node*/) {
  walker.expect(Field::kDeclarator, &java_field);
}
void locals(Walker& walker, TSNode /*node*/) { walker.expect(Field::kDeclarator, &local_name); }

// String... names: the grammar does not mark the child that is the name.
void spread_parameter(Walker& walker, TSNode node) {
  const std::uint32_t count = named_child_count(node);
  if (count > 0) {
    walker.local(walker.child(named_child(node, count - 1), Field::kName));
  }
}

void lambda(Walker& walker, TSNode node) {
  walker.open(Opens::kFunction);
  const TSNode parameters = walker.child(node, Field::kParameters);
  if (!walker.is(parameters, "formal_parameters")) {
    bind_pattern(walker, parameters);
  }
}

void method_invocation(Walker& walker, TSNode node) {
  const TSNode name = walker.child(node, Field::kName);
  walker.call(name);
  if (!ts_node_is_null(walker.child(node, Field::kObject))) {
    walker.member(name);
  }
}

void object_creation(Walker& walker, TSNode node) {
  TSNode type = walker.child(node, Field::kType);
  if (walker.is(type, "generic_type")) {
    type = named_child(type, 0);
  }
  if (walker.is(type, "type_identifier")) {
    walker.call(type);
  }
}

void field_access(Walker& walker, TSNode node) { walker.member(walker.child(node, Field::kField)); }

void import_declaration(Walker& walker, TSNode node) {
  const std::uint32_t last = named_child_count(node);
  const bool all = last > 0 && walker.is(named_child(node, last - 1), "asterisk");
  walker.import(std::string(walker.text(named_child(node, 0))) + (all ? ".*" : ""));
  walker.skip_children();
}

constexpr std::array kJavaRules{
    Rule{"identifier", &plain_name},
    Rule{"type_identifier", &type_name},
    Rule{"line_comment", &comment},
    Rule{"block_comment", &comment},
    Rule{"method_invocation", &method_invocation},
    Rule{"object_creation_expression", &object_creation},
    Rule{"field_access", &field_access},
    Rule{"class_declaration", &named<SymbolKind::kClass, Opens::kType>},
    Rule{"record_declaration", &named<SymbolKind::kClass, Opens::kType>},
    Rule{"interface_declaration", &named<SymbolKind::kInterface, Opens::kType>},
    Rule{"annotation_type_declaration", &named<SymbolKind::kInterface, Opens::kType>},
    Rule{"enum_declaration", &named<SymbolKind::kEnum, Opens::kType>},
    Rule{"enum_constant", &named<SymbolKind::kConstant>},
    Rule{"method_declaration", &named<SymbolKind::kMethod, Opens::kFunction>},
    Rule{"constructor_declaration", &named<SymbolKind::kMethod, Opens::kFunction>},
    Rule{"compact_constructor_declaration", &named<SymbolKind::kMethod, Opens::kFunction>},
    Rule{"annotation_type_element_declaration", &named<SymbolKind::kMethod>},
    Rule{"field_declaration", &java_fields},
    Rule{"constant_declaration", &java_fields},
    Rule{"local_variable_declaration", &locals},
    Rule{"formal_parameter", &local_name},
    Rule{"catch_formal_parameter", &local_name},
    Rule{"enhanced_for_statement", &local_name},
    Rule{"resource", &local_name},
    Rule{"spread_parameter", &spread_parameter},
    Rule{"lambda_expression", &lambda},
    Rule{"import_declaration", &import_declaration},
    Rule{"package_declaration", &nothing_inside},
};

}  // namespace

std::span<const Rule> java_rules() noexcept { return kJavaRules; }

}  // namespace clever::syntax::internal
