#include <array>
#include <string>
#include <utility>
#include <vector>

#include "syntax/internal/handlers.h"
#include "syntax/internal/rules.h"

namespace clever::syntax::internal {
namespace {

// The `Point` of `impl Shape for geometry::Point<T>`.
TSNode implemented_type(const Walker& walker, TSNode node) {
  constexpr int kLongestWay = 8;
  TSNode type = walker.child(node, Field::kType);
  for (int steps = 0; steps < kLongestWay; ++steps) {
    TSNode inner = walker.child(type, Field::kType);
    inner = ts_node_is_null(inner) ? walker.child(type, Field::kName) : inner;
    if (ts_node_is_null(inner)) {
      break;
    }
    type = inner;
  }
  return type;
}

void implementation(Walker& walker, TSNode node) {
  walker.define({.node = node,
                 .kind = SymbolKind::kClass,
                 .name = implemented_type(walker, node),
                 .body = walker.child(node, Field::kBody),
                 .opens = Opens::kType});
}

void module(Walker& walker, TSNode node) {
  named<SymbolKind::kModule, Opens::kModule>(walker, node);
  if (ts_node_is_null(walker.child(node, Field::kBody))) {
    walker.import("self::" + std::string(walker.text(walker.child(node, Field::kName))));
  }
}

template <SymbolKind kKind>
void valued(Walker& walker, TSNode node) {
  if (walker.in_function()) {
    walker.local(walker.child(node, Field::kName));
    return;
  }
  walker.define({.node = node,
                 .kind = kKind,
                 .name = walker.child(node, Field::kName),
                 .value = walker.child(node, Field::kValue)});
}

void macro_definition(Walker& walker, TSNode node) {
  const TSNode name = walker.child(node, Field::kName);
  walker.define({.node = node, .kind = SymbolKind::kMacro, .name = name, .value = name});
}

void binds_pattern(Walker& walker, TSNode node) {
  bind_pattern(walker, walker.child(node, Field::kPattern));
}

void closure_parameters(Walker& walker, TSNode node) {
  const std::uint32_t count = named_child_count(node);
  for (std::uint32_t index = 0; index < count; ++index) {
    if (const TSNode each = named_child(node, index); walker.is(each, "identifier")) {
      walker.local(each);
    }
  }
}

void macro_invocation(Walker& walker, TSNode node) {
  walker.call(called_name(walker, walker.child(node, Field::kMacro)));
}

struct UseTree {
  std::string prefix;
  TSNode node{};
};

void add_children(std::vector<UseTree>& waiting, const std::string& prefix, TSNode list) {
  for (std::uint32_t index = named_child_count(list); index > 0; --index) {
    waiting.push_back({.prefix = prefix, .node = named_child(list, index - 1)});
  }
}

// One level of `a::{b, c::{d, e as f}, g::*}`.
void take_use(Walker& walker, std::vector<UseTree>& waiting) {
  const UseTree tree = std::move(waiting.back());
  waiting.pop_back();
  if (walker.is(tree.node, "use_list")) {
    add_children(waiting, tree.prefix, tree.node);
  } else if (walker.is(tree.node, "scoped_use_list")) {
    const std::string path(walker.text(walker.child(tree.node, Field::kPath)));
    const std::uint32_t last = named_child_count(tree.node) - 1;
    waiting.push_back({.prefix = tree.prefix + (path.empty() ? "" : path + "::"),
                       .node = named_child(tree.node, last)});
  } else if (walker.is(tree.node, "use_as_clause")) {
    waiting.push_back({.prefix = tree.prefix, .node = walker.child(tree.node, Field::kPath)});
  } else if (walker.is(tree.node, "self") && tree.prefix.ends_with("::")) {
    walker.import(tree.prefix.substr(0, tree.prefix.size() - 2));
  } else {
    walker.import(tree.prefix + std::string(walker.text(tree.node)));
  }
}

void use_declaration(Walker& walker, TSNode node) {
  constexpr std::size_t kMostUses = 1000;
  std::vector<UseTree> waiting{{.prefix = {}, .node = walker.child(node, Field::kArgument)}};
  for (std::size_t uses = 0; !waiting.empty() && uses < kMostUses; ++uses) {
    take_use(walker, waiting);
  }
}

void extern_crate(Walker& walker, TSNode node) {
  walker.import(walker.text(walker.child(node, Field::kName)));
  walker.skip_children();
}

constexpr std::array kRustRules{
    Rule{"identifier", &plain_name},
    Rule{"shorthand_field_identifier", &plain_name},
    Rule{"field_identifier", &member_name},
    Rule{"type_identifier", &type_name},
    Rule{"line_comment", &comment},
    Rule{"block_comment", &comment},
    Rule{"attribute_item", &comment},
    Rule{"call_expression", &function_call},
    Rule{"macro_invocation", &macro_invocation},
    Rule{"function_item", &named_function},
    Rule{"function_signature_item", &named_function},
    Rule{"closure_expression", &nameless_function},
    Rule{"struct_item", &named<SymbolKind::kStruct, Opens::kType>},
    Rule{"union_item", &named<SymbolKind::kStruct, Opens::kType>},
    Rule{"enum_item", &named<SymbolKind::kEnum, Opens::kType>},
    Rule{"trait_item", &named<SymbolKind::kInterface, Opens::kType>},
    Rule{"impl_item", &implementation},
    Rule{"mod_item", &module},
    Rule{"type_item", &named<SymbolKind::kType>},
    Rule{"associated_type", &named<SymbolKind::kType>},
    Rule{"enum_variant", &named<SymbolKind::kConstant>},
    Rule{"field_declaration", &named<SymbolKind::kField>},
    Rule{"const_item", &valued<SymbolKind::kConstant>},
    Rule{"static_item", &valued<SymbolKind::kVariable>},
    Rule{"macro_definition", &macro_definition},
    Rule{"parameter", &binds_pattern},
    Rule{"let_declaration", &binds_pattern},
    Rule{"let_condition", &binds_pattern},
    Rule{"for_expression", &binds_pattern},
    Rule{"closure_parameters", &closure_parameters},
    Rule{"use_declaration", &use_declaration},
    Rule{"extern_crate_declaration", &extern_crate},
};

}  // namespace

std::span<const Rule> rust_rules() noexcept { return kRustRules; }

}  // namespace clever::syntax::internal
