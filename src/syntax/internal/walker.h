#pragma once
#include <tree_sitter/api.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/stop_token.h"
#include "syntax/internal/grammar.h"
#include "syntax/internal/name_table.h"
#include "syntax/parser.h"
#include "syntax/syntax.h"

namespace clever::syntax::internal {

/// The scope that a definition opens.
enum class Opens : std::uint8_t { kNothing, kFunction, kType, kModule };

struct Definition {
  TSNode node{};
  SymbolKind kind = SymbolKind::kFunction;
  /// Null: no definition, since it cannot be referred to.
  TSNode name{};
  /// The signature ends before it; null: with the node.
  TSNode body{};
  /// The signature ends with its first line; null: there is none.
  TSNode value{};
  Opens opens = Opens::kNothing;
};

/// Walks a tree once, from the root, with its own stack, and passes each node to the handler of its
/// type, which reports its meaning with the functions below. A report about a node also covers its
/// contents. Used once; the tree and the text outlive it.
class Walker {
 public:
  struct Input {
    const Grammar& grammar;
    std::string_view content;
    const ParseLimits& limits;
    const base::StopToken& stop;
  };
  Walker(const Input& input, NameTable& names, Syntax& result);

  void run(TSNode root);

  // ---- questions of a handler ----
  [[nodiscard]] std::string_view text(TSNode node) const;
  /// Null if there is none.
  [[nodiscard]] TSNode child(TSNode node, Field field) const;
  [[nodiscard]] bool is(TSNode node, std::string_view type) const;
  [[nodiscard]] bool in_function() const noexcept { return state_.in_function; }
  [[nodiscard]] bool in_type() const noexcept { return state_.in_type; }
  /// How many definitions contain the present node.
  [[nodiscard]] std::size_t nesting() const noexcept { return state_.nesting; }
  /// The node whose handler called expect(); for the handler that it named.
  [[nodiscard]] TSNode expecting() const noexcept { return state_.expecting; }

  // ---- what a handler says ----
  /// False if nothing was added: no name, or too many symbols.
  bool define(const Definition& definition);
  /// Extends the last definition's signature to `end`.
  void extend_signature(std::uint32_t end);
  void rename_last(std::string_view name);
  /// Opens a scope without a name.
  void open(Opens opens);
  /// A definition that is a child of this node begins and ends with the node.
  void wrap(TSNode node);
  /// A comment or other node that belongs to the definition right below it.
  void comment(TSNode node);
  /// Passes the children in that field to `handler` too, before their own.
  void expect(Field field, Handler handler);
  /// Plain names inside are types.
  void types_inside() { push().plain_kind = ReferenceKind::kType; }
  void skip_children() noexcept { descend_ = false; }

  /// The leaf is not a use of its name.
  void hide(TSNode leaf);
  /// The same, and inside a function the name is local from here on.
  void local(TSNode leaf);
  /// The leaf will be a call.
  void call(TSNode leaf);
  /// The leaf, which may be a call, is a member's name: no local name hides it.
  void member(TSNode leaf);
  /// The present node is a name that a local name can hide.
  void plain_name(TSNode leaf);
  /// The present node is a name that no local name can hide.
  void name(TSNode leaf, ReferenceKind kind);
  /// A name without a leaf of its own.
  void mention(std::string_view name, ReferenceKind kind, std::uint32_t line);
  void import(std::string_view what);

 private:
  struct Wrapper {
    TSNode node{};
    std::size_t depth = 0;  // of the definition that it belongs to; 0: none
  };
  /// The state at the present node; kept by value, and restored when a node is left.
  struct State {
    std::int32_t symbol = -1;
    std::size_t nesting = 0;
    bool in_function = false;
    bool in_type = false;
    ReferenceKind plain_kind = ReferenceKind::kOther;
    std::uint32_t scope = 0;
    Wrapper wrapper{};
    std::size_t expected_at = 0;  // depth; 0: nothing is expected
    TSFieldId expected_field = 0;
    Handler expected = nullptr;
    TSNode expecting{};
  };
  struct Saved {
    std::size_t depth = 0;
    State state{};
  };
  /// The known role of a leaf.
  enum class Role : std::uint8_t { kPlain, kHidden, kCall, kMember, kMemberCall };
  struct Known {
    std::uint32_t begin = 0;
    Role role = Role::kPlain;
  };
  struct Comment {
    std::uint32_t begin = 0;
    std::uint32_t first_row = 0;
    std::uint32_t last_row = 0;
    bool waiting = false;
  };

  void visit(TSNode node);
  void leave();
  /// The state from here to the end of the present node.
  State& push();
  void open_in(State& state, Opens opens);
  void know(TSNode leaf, Role role);
  [[nodiscard]] Role take_role(TSNode leaf);
  void use(TSNode leaf, ReferenceKind kind, bool can_be_local);
  [[nodiscard]] Symbol symbol_of(const Definition& definition);
  void take_comment(std::uint32_t row, Range& range);
  void trim_end(Range& range) const;
  void stay_in_parent(Symbol& symbol) const;
  [[nodiscard]] bool starts_line(std::uint32_t byte) const;

  // Constant after construction
  const Grammar& grammar_;
  std::string_view content_;
  const ParseLimits& limits_;
  const base::StopToken& stop_;
  // One thread's own
  NameTable& names_;
  Syntax& result_;
  TSTreeCursor* cursor_ = nullptr;
  State state_{};
  std::vector<Saved> saved_;
  std::vector<Known> known_;  // the next one is last
  Comment comment_{};
  std::size_t depth_ = 0;
  TSNode node_{};
  std::uint32_t scopes_ = 0;
  bool descend_ = true;
};

}  // namespace clever::syntax::internal
