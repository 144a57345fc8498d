#include <array>
#include <string>

#include "syntax/internal/handlers.h"
#include "syntax/internal/rules.h"

namespace clever::syntax::internal {
namespace {

template <SymbolKind kKind, Opens kOpens>
void definition(Walker& walker, TSNode node) {
  walker.define({.node = node,
                 .kind = kKind,
                 .name = called_name(walker, walker.child(node, Field::kName)),
                 .body = walker.child(node, Field::kBody),
                 .opens = kOpens});
}

void ruby_assignment(Walker& walker, TSNode node) {
  const TSNode left = walker.child(node, Field::kLeft);
  if (walker.is(left, "constant") && !walker.in_function()) {
    walker.define({.node = node,
                   .kind = SymbolKind::kConstant,
                   .name = left,
                   .value = walker.child(node, Field::kRight)});
  } else if (walker.is(left, "identifier")) {
    walker.local(left);
  } else if (walker.is(left, "left_assignment_list")) {
    bind_pattern(walker, left);
  }
}

void ruby_parameters(Walker& walker, TSNode node) { bind_pattern(walker, node); }

// attr_reader :name, :size
void attributes(Walker& walker, TSNode arguments) {
  const std::uint32_t count = named_child_count(arguments);
  for (std::uint32_t index = 0; index < count; ++index) {
    const TSNode each = named_child(arguments, index);
    if (walker.is(each, "simple_symbol") &&
        walker.define({.node = each, .kind = SymbolKind::kField, .name = each})) {
      walker.rename_last(walker.text(each).substr(1));
    }
  }
}

void import_call(Walker& walker, std::string_view method, TSNode arguments) {
  const TSNode path = named_child(arguments, 0);
  if (!walker.is(path, "string")) {
    return;
  }
  const std::string_view text = unquoted(walker.text(path));
  const bool is_relative = method == "require_relative" && !text.starts_with('.');
  walker.import((is_relative ? "./" : "") + std::string(text));
}

void ruby_call(Walker& walker, TSNode node) {
  const TSNode method = walker.child(node, Field::kMethod);
  const std::string_view name = walker.text(method);
  walker.call(method);
  if (!ts_node_is_null(walker.child(node, Field::kReceiver))) {
    walker.member(method);
    return;
  }
  const TSNode arguments = walker.child(node, Field::kArguments);
  if (ts_node_is_null(arguments)) {
    return;
  }
  if (name == "require" || name == "require_relative" || name == "load") {
    import_call(walker, name, arguments);
  } else if (name.starts_with("attr_") && walker.in_type()) {
    attributes(walker, arguments);
  }
}

constexpr std::array kRubyRules{
    Rule{"identifier", &plain_name},
    Rule{"constant", &type_name},
    Rule{"comment", &comment},
    Rule{"call", &ruby_call},
    Rule{"assignment", &ruby_assignment},
    Rule{"class", &definition<SymbolKind::kClass, Opens::kType>},
    Rule{"module", &definition<SymbolKind::kModule, Opens::kType>},
    Rule{"method", &named_function},
    Rule{"singleton_method", &definition<SymbolKind::kMethod, Opens::kFunction>},
    Rule{"method_parameters", &ruby_parameters},
    Rule{"block_parameters", &ruby_parameters},
    Rule{"lambda_parameters", &ruby_parameters},
};

}  // namespace

std::span<const Rule> ruby_rules() noexcept { return kRubyRules; }

}  // namespace clever::syntax::internal
