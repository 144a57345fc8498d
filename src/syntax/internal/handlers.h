#pragma once
#include <cstdint>
#include <string_view>

#include "syntax/internal/walker.h"

// Handlers shared by the rule tables of several languages.
namespace clever::syntax::internal {

/// tree-sitter's own functions of these names, which reject a null node.
[[nodiscard]] std::uint32_t named_child_count(TSNode node) noexcept;
[[nodiscard]] TSNode named_child(TSNode node, std::uint32_t index) noexcept;
[[nodiscard]] TSNode child_at(TSNode node, std::uint32_t index) noexcept;
[[nodiscard]] TSNode parent_of(TSNode node) noexcept;

void comment(Walker& walker, TSNode node);
void plain_name(Walker& walker, TSNode node);
void type_name(Walker& walker, TSNode node);
/// The name of a member.
void member_name(Walker& walker, TSNode node);
void types_inside(Walker& walker, TSNode node);
void wrapper(Walker& walker, TSNode node);
/// A wrapper of one definition; if it has several, each stands for itself.
void wrapper_of_one(Walker& walker, TSNode node);
void nothing_inside(Walker& walker, TSNode node);
/// A function without a name.
void nameless_function(Walker& walker, TSNode node);
/// The node's "name" is local to a function.
void local_name(Walker& walker, TSNode node);

/// A node with a "name", and perhaps a "body".
template <SymbolKind kKind, Opens kOpens = Opens::kNothing>
void named(Walker& walker, TSNode node) {
  walker.define({.node = node,
                 .kind = kKind,
                 .name = walker.child(node, Field::kName),
                 .body = walker.child(node, Field::kBody),
                 .opens = kOpens});
}

/// The same, but a method inside a type.
void named_function(Walker& walker, TSNode node);

/// The innermost name of a callee: `f`, the `f` of `a.b::c<d>.f`; null if it has none.
[[nodiscard]] TSNode called_name(const Walker& walker, TSNode callee);
/// A call of the node's "function".
void function_call(Walker& walker, TSNode node);
/// Each name that a pattern binds is local to the function.
void bind_pattern(Walker& walker, TSNode pattern);

/// A letter, digit or underscore of ASCII.
[[nodiscard]] bool is_word_character(char c) noexcept;
/// FIELD, also with digits.
[[nodiscard]] bool is_upper_case(std::string_view name) noexcept;
/// Without the surrounding quotes or brackets.
[[nodiscard]] std::string_view unquoted(std::string_view text) noexcept;

}  // namespace clever::syntax::internal
