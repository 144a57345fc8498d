#include "syntax/internal/walker.h"

#include <algorithm>
#include <ranges>
#include <string>

#include "base/utf8.h"

namespace clever::syntax::internal {
namespace {

constexpr std::size_t kMostImports = 2000;
constexpr std::size_t kNodesBetweenStops = 4096;
constexpr std::string_view kSpace = " \t\r\n\f\v";

class Cursor {
 public:
  explicit Cursor(TSNode root) : cursor_(ts_tree_cursor_new(root)) {}
  ~Cursor() { ts_tree_cursor_delete(&cursor_); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  [[nodiscard]] TSTreeCursor* get() noexcept { return &cursor_; }

 private:
  TSTreeCursor cursor_;
};

std::string name_from(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
  const std::size_t end = text.find_last_not_of(kSpace) + 1;
  const std::string_view trimmed = text.substr(begin, std::max(end, begin) - begin);
  return base::to_valid_utf8(base::utf8_prefix(trimmed, kLongestName));
}

}  // namespace

Walker::Walker(const Input& input, NameTable& names, Syntax& result)
    : grammar_(input.grammar),
      content_(input.content),
      limits_(input.limits),
      stop_(input.stop),
      names_(names),
      result_(result) {}

void Walker::run(TSNode root) {
  Cursor cursor(root);
  cursor_ = cursor.get();
  for (std::size_t nodes = 1;; ++nodes) {
    if (nodes % kNodesBetweenStops == 0 && stop_.stop_requested()) {
      result_.truncated = true;
      return;
    }
    visit(ts_tree_cursor_current_node(cursor_));
    if (descend_ && depth_ == limits_.deepest) {
      result_.truncated = result_.truncated || ts_node_child_count(node_) > 0;
    } else if (descend_ && ts_tree_cursor_goto_first_child(cursor_)) {
      ++depth_;
      continue;
    }
    leave();
    while (!ts_tree_cursor_goto_next_sibling(cursor_)) {
      if (!ts_tree_cursor_goto_parent(cursor_)) {
        return;
      }
      --depth_;
      leave();
    }
  }
}

void Walker::visit(TSNode node) {
  descend_ = true;
  node_ = node;
  if (state_.expected_at == depth_ && depth_ != 0 &&
      ts_tree_cursor_current_field_id(cursor_) == state_.expected_field) {
    state_.expected(*this, node);
  }
  if (const Handler handler = grammar_.handler(ts_node_symbol(node)); handler != nullptr) {
    handler(*this, node);
  }
}

void Walker::leave() {
  while (!saved_.empty() && saved_.back().depth == depth_) {
    state_ = saved_.back().state;
    saved_.pop_back();
  }
}

Walker::State& Walker::push() {
  saved_.push_back({.depth = depth_, .state = state_});
  return state_;
}

std::string_view Walker::text(TSNode node) const {
  if (ts_node_is_null(node)) {
    return {};
  }
  const std::uint32_t begin = ts_node_start_byte(node);
  return content_.substr(begin, ts_node_end_byte(node) - begin);
}

TSNode Walker::child(TSNode node, Field field) const {
  if (ts_node_is_null(node)) {
    return node;
  }
  return ts_node_child_by_field_id(node, grammar_.field(field));
}

bool Walker::is(TSNode node, std::string_view type) const {
  return !ts_node_is_null(node) && type == ts_node_type(node);
}

// ---- definitions ----

bool Walker::define(const Definition& definition) {
  if (ts_node_is_null(definition.name)) {
    return false;
  }
  hide(definition.name);
  if (result_.symbols.size() == limits_.most_symbols) {
    result_.truncated = true;
    return false;
  }
  Symbol symbol = symbol_of(definition);
  if (symbol.name.empty()) {
    return false;
  }
  result_.symbols.push_back(std::move(symbol));
  if (definition.opens != Opens::kNothing) {
    State& state = push();
    state.symbol = static_cast<std::int32_t>(result_.symbols.size() - 1);
    ++state.nesting;
    open_in(state, definition.opens);
  }
  return true;
}

Symbol Walker::symbol_of(const Definition& definition) {
  // A handler of expect() defines the node above the present one.
  const std::size_t depth = ts_node_eq(definition.node, node_) ? depth_ : depth_ - 1;
  const bool wrapped = state_.wrapper.depth == depth && depth != 0;
  const TSNode whole = wrapped ? state_.wrapper.node : definition.node;
  Symbol symbol{.name = name_from(text(definition.name)), .kind = definition.kind};
  symbol.parent = state_.symbol;
  symbol.range = {.begin = ts_node_start_byte(whole),
                  .end = ts_node_end_byte(whole),
                  .first_line = ts_node_start_point(whole).row + 1,
                  .last_line = ts_node_end_point(whole).row + 1};
  trim_end(symbol.range);
  symbol.signature_begin = symbol.range.begin;
  symbol.signature_end = symbol.range.end;
  if (!ts_node_is_null(definition.body)) {
    symbol.signature_end = std::min(symbol.signature_end, ts_node_start_byte(definition.body));
  } else if (!ts_node_is_null(definition.value)) {
    const std::size_t line_end = content_.find('\n', ts_node_start_byte(definition.value));
    symbol.signature_end =
        static_cast<std::uint32_t>(std::min<std::size_t>(symbol.signature_end, line_end));
  }
  take_comment(ts_node_start_point(whole).row, symbol.range);
  stay_in_parent(symbol);
  return symbol;
}

// A node may end with white space before the next one, which does not belong to a definition.
void Walker::trim_end(Range& range) const {
  while (range.end > range.begin && kSpace.contains(content_[range.end - 1])) {
    --range.end;
    range.last_line -= content_[range.end] == '\n' ? 1U : 0U;
  }
}

void Walker::take_comment(std::uint32_t row, Range& range) {
  const bool above = comment_.waiting && (comment_.last_row == row || comment_.last_row + 1 == row);
  if (above && comment_.begin < range.begin) {
    range.begin = comment_.begin;
    range.first_line = comment_.first_row + 1;
  }
  comment_.waiting = false;
}

void Walker::stay_in_parent(Symbol& symbol) const {
  while (symbol.signature_end > symbol.signature_begin &&
         kSpace.contains(content_[symbol.signature_end - 1])) {
    --symbol.signature_end;
  }
  if (symbol.parent < 0) {
    return;
  }
  const Range& outer = result_.symbols[static_cast<std::size_t>(symbol.parent)].range;
  if (symbol.range.begin < outer.begin) {
    symbol.range.begin = outer.begin;
    symbol.range.first_line = outer.first_line;
  }
  if (symbol.range.end > outer.end) {
    symbol.range.end = outer.end;
    symbol.range.last_line = outer.last_line;
  }
}

void Walker::extend_signature(std::uint32_t end) {
  Symbol& last = result_.symbols.back();
  last.signature_end = std::clamp(end, last.signature_end, last.range.end);
}

void Walker::rename_last(std::string_view name) { result_.symbols.back().name = name_from(name); }

void Walker::open(Opens opens) { open_in(push(), opens); }

void Walker::open_in(State& state, Opens opens) {
  if (opens == Opens::kFunction && !state.in_function) {
    state.scope = ++scopes_;
  }
  state.in_function = opens == Opens::kFunction || (opens == Opens::kNothing && state.in_function);
  state.in_type = opens == Opens::kType;
  state.plain_kind = ReferenceKind::kOther;
}

void Walker::wrap(TSNode node) {
  const bool again = state_.wrapper.depth == depth_ && depth_ != 0;
  State& state = push();
  state.wrapper.node = again ? state.wrapper.node : node;
  state.wrapper.depth = depth_ + 1;
}

void Walker::comment(TSNode node) {
  const std::uint32_t begin = ts_node_start_byte(node);
  const std::uint32_t row = ts_node_start_point(node).row;
  if (!starts_line(begin)) {
    return;
  }
  if (!comment_.waiting || row > comment_.last_row + 1) {
    comment_ = {.begin = begin, .first_row = row, .last_row = row, .waiting = true};
  }
  Range range{.begin = begin,
              .end = ts_node_end_byte(node),
              .first_line = row + 1,
              .last_line = ts_node_end_point(node).row + 1};
  trim_end(range);
  comment_.last_row = range.last_line - 1;
}

bool Walker::starts_line(std::uint32_t byte) const {
  const std::string_view before = content_.substr(0, byte);
  const std::size_t last = before.find_last_not_of(" \t");
  return last == std::string_view::npos || before[last] == '\n';
}

void Walker::expect(Field field, Handler handler) {
  State& state = push();
  state.expected_at = depth_ + 1;
  state.expected_field = grammar_.field(field);
  state.expected = handler;
  state.expecting = node_;
}

// ---- names ----

void Walker::know(TSNode leaf, Role role) {
  const std::uint32_t begin = ts_node_start_byte(leaf);
  auto at = known_.end();
  while (at != known_.begin() && std::prev(at)->begin < begin) {
    --at;
  }
  if (at == known_.begin() || std::prev(at)->begin != begin) {
    known_.insert(at, {.begin = begin, .role = role});
  } else if (role == Role::kMember && std::prev(at)->role == Role::kCall) {
    std::prev(at)->role = Role::kMemberCall;
  }
}

Walker::Role Walker::take_role(TSNode leaf) {
  const std::uint32_t begin = ts_node_start_byte(leaf);
  while (!known_.empty() && known_.back().begin < begin) {
    known_.pop_back();
  }
  if (known_.empty() || known_.back().begin != begin) {
    return Role::kPlain;
  }
  const Role role = known_.back().role;
  known_.pop_back();
  return role;
}

void Walker::hide(TSNode leaf) {
  if (!ts_node_is_null(leaf)) {
    know(leaf, Role::kHidden);
  }
}

void Walker::local(TSNode leaf) {
  if (ts_node_is_null(leaf)) {
    return;
  }
  know(leaf, Role::kHidden);
  if (state_.scope != 0) {
    names_.declare_local(text(leaf), state_.scope);
  }
}

void Walker::call(TSNode leaf) {
  if (!ts_node_is_null(leaf)) {
    know(leaf, Role::kCall);
  }
}

void Walker::member(TSNode leaf) {
  if (!ts_node_is_null(leaf)) {
    know(leaf, Role::kMember);
  }
}

void Walker::plain_name(TSNode leaf) { use(leaf, state_.plain_kind, true); }
void Walker::name(TSNode leaf, ReferenceKind kind) { use(leaf, kind, false); }

void Walker::use(TSNode leaf, ReferenceKind kind, bool can_be_local) {
  const Role role = take_role(leaf);
  if (role == Role::kHidden) {
    return;
  }
  const bool called = role == Role::kCall || role == Role::kMemberCall;
  const bool is_member = role == Role::kMember || role == Role::kMemberCall;
  names_.use(text(leaf), called ? ReferenceKind::kCall : kind, ts_node_start_point(leaf).row + 1,
             can_be_local && !is_member ? state_.scope : 0);
}

void Walker::mention(std::string_view name, ReferenceKind kind, std::uint32_t line) {
  names_.use(name, kind, line, state_.scope);
}

void Walker::import(std::string_view what) {
  std::string name = name_from(what);
  if (name.empty() || std::ranges::find(result_.imports, name) != result_.imports.end()) {
    return;
  }
  if (result_.imports.size() == kMostImports) {
    result_.truncated = true;
    return;
  }
  result_.imports.push_back(std::move(name));
}

}  // namespace clever::syntax::internal
