#include "syntax/internal/handlers.h"

#include <algorithm>
#include <array>
#include <vector>

namespace clever::syntax::internal {
namespace {

// For nodes that qualify a name, the field that leads to the name.
constexpr std::array kLeading{Field::kField, Field::kProperty, Field::kAttribute,
                              Field::kName,  Field::kFunction, Field::kMethod};
constexpr int kLongestCallee = 16;

TSNode led_to(const Walker& walker, TSNode node) {
  for (const Field field : kLeading) {
    if (const TSNode next = walker.child(node, field); !ts_node_is_null(next)) {
      return next;
    }
  }
  return TSNode{};
}

bool is_binding(const Walker& walker, TSNode node) {
  return walker.is(node, "identifier") || walker.is(node, "shorthand_property_identifier_pattern");
}

// Some(x): the first child names the type of the value.
bool names_type(const Walker& walker, TSNode node) {
  return walker.is(node, "tuple_struct_pattern") || walker.is(node, "struct_pattern");
}

}  // namespace

std::uint32_t named_child_count(TSNode node) noexcept {
  return ts_node_is_null(node) ? 0 : ts_node_named_child_count(node);
}

TSNode named_child(TSNode node, std::uint32_t index) noexcept {
  return ts_node_is_null(node) ? node : ts_node_named_child(node, index);
}

TSNode child_at(TSNode node, std::uint32_t index) noexcept {
  return ts_node_is_null(node) ? node : ts_node_child(node, index);
}

TSNode parent_of(TSNode node) noexcept {
  return ts_node_is_null(node) ? node : ts_node_parent(node);
}

void comment(Walker& walker, TSNode node) {
  walker.comment(node);
  walker.skip_children();
}

void plain_name(Walker& walker, TSNode node) { walker.plain_name(node); }
void type_name(Walker& walker, TSNode node) { walker.name(node, ReferenceKind::kType); }
void member_name(Walker& walker, TSNode node) { walker.name(node, ReferenceKind::kOther); }
void types_inside(Walker& walker, TSNode /*node*/) { walker.types_inside(); }
void wrapper(Walker& walker, TSNode node) { walker.wrap(node); }

void wrapper_of_one(Walker& walker, TSNode node) {
  if (named_child_count(node) == 1) {
    walker.wrap(node);
  }
}

void nothing_inside(Walker& walker, TSNode /*node*/) { walker.skip_children(); }

void nameless_function(Walker& walker, TSNode /*node*/) { walker.open(Opens::kFunction); }

void local_name(Walker& walker, TSNode node) { walker.local(walker.child(node, Field::kName)); }

void named_function(Walker& walker, TSNode node) {
  if (walker.in_type()) {
    named<SymbolKind::kMethod, Opens::kFunction>(walker, node);
  } else {
    named<SymbolKind::kFunction, Opens::kFunction>(walker, node);
  }
}

TSNode called_name(const Walker& walker, TSNode callee) {
  for (int steps = 0; steps < kLongestCallee && !ts_node_is_null(callee); ++steps) {
    if (ts_node_child_count(callee) == 0) {
      return callee;
    }
    callee = led_to(walker, callee);
  }
  return TSNode{};
}

void function_call(Walker& walker, TSNode node) {
  walker.call(called_name(walker, walker.child(node, Field::kFunction)));
}

void bind_pattern(Walker& walker, TSNode pattern) {
  constexpr std::size_t kMostNames = 64;
  if (ts_node_is_null(pattern)) {
    return;
  }
  std::vector<TSNode> waiting{pattern};
  for (std::size_t done = 0; done < waiting.size(); ++done) {
    const TSNode node = waiting[done];
    if (is_binding(walker, node)) {
      walker.local(node);
      continue;
    }
    if (walker.is(node, "scoped_identifier")) {
      continue;  // the name of a constant
    }
    const std::uint32_t children = named_child_count(node);
    for (std::uint32_t index = names_type(walker, node) ? 1 : 0;
         index < children && waiting.size() < kMostNames; ++index) {
      waiting.push_back(named_child(node, index));
    }
  }
}

bool is_word_character(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_upper_case(std::string_view name) noexcept {
  return !name.empty() && name.front() >= 'A' && name.front() <= 'Z' &&
         std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string_view unquoted(std::string_view text) noexcept {
  constexpr std::string_view kQuotes = "\"'`<>";
  while (!text.empty() && kQuotes.contains(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && kQuotes.contains(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace clever::syntax::internal
