#include <array>

#include "syntax/internal/handlers.h"
#include "syntax/internal/rules.h"

namespace clever::syntax::internal {
namespace {

void type_spec(Walker& walker, TSNode node) {
  const TSNode type = walker.child(node, Field::kType);
  const bool is_struct = walker.is(type, "struct_type");
  const bool is_interface = walker.is(type, "interface_type");
  walker.define({.node = node,
                 .kind = is_struct      ? SymbolKind::kStruct
                         : is_interface ? SymbolKind::kInterface
                                        : SymbolKind::kType,
                 .name = walker.child(node, Field::kName),
                 .value = is_struct || is_interface ? type : TSNode{},
                 .opens = Opens::kType});
}

template <SymbolKind kKind>
void name_in_spec(Walker& walker, TSNode name) {
  if (walker.in_function()) {
    walker.local(name);
    return;
  }
  walker.define({.node = walker.expecting(),
                 .kind = kKind,
                 .name = name,
                 .value = walker.child(walker.expecting(), Field::kValue)});
}

template <SymbolKind kKind>
void names_in_spec(Walker& walker, TSNode /*node*/) {
  walker.expect(Field::kName, &name_in_spec<kKind>);
}

void local_leaf(Walker& walker, TSNode name) { walker.local(name); }
void go_parameters(Walker& walker, TSNode /*node*/) { walker.expect(Field::kName, &local_leaf); }
void binds_left(Walker& walker, TSNode node) {
  bind_pattern(walker, walker.child(node, Field::kLeft));
}

void import_spec(Walker& walker, TSNode node) {
  walker.import(unquoted(walker.text(walker.child(node, Field::kPath))));
  walker.skip_children();
}

constexpr std::array kGoRules{
    Rule{"identifier", &plain_name},
    Rule{"field_identifier", &member_name},
    Rule{"type_identifier", &type_name},
    Rule{"comment", &comment},
    Rule{"call_expression", &function_call},
    Rule{"function_declaration", &named<SymbolKind::kFunction, Opens::kFunction>},
    Rule{"method_declaration", &named<SymbolKind::kMethod, Opens::kFunction>},
    Rule{"func_literal", &nameless_function},
    Rule{"type_declaration", &wrapper_of_one},
    Rule{"const_declaration", &wrapper_of_one},
    Rule{"var_declaration", &wrapper_of_one},
    Rule{"type_spec", &type_spec},
    Rule{"type_alias", &named<SymbolKind::kType>},
    Rule{"const_spec", &names_in_spec<SymbolKind::kConstant>},
    Rule{"var_spec", &names_in_spec<SymbolKind::kVariable>},
    Rule{"field_declaration", &names_in_spec<SymbolKind::kField>},
    Rule{"method_elem", &named<SymbolKind::kMethod>},
    Rule{"parameter_declaration", &go_parameters},
    Rule{"variadic_parameter_declaration", &go_parameters},
    Rule{"type_parameter_declaration", &go_parameters},
    Rule{"short_var_declaration", &binds_left},
    Rule{"range_clause", &binds_left},
    Rule{"import_spec", &import_spec},
};

}  // namespace

std::span<const Rule> go_rules() noexcept { return kGoRules; }

}  // namespace clever::syntax::internal
