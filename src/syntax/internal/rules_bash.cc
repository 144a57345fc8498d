#include <array>

#include "syntax/internal/handlers.h"
#include "syntax/internal/rules.h"

namespace clever::syntax::internal {
namespace {

// Returns the `lib.sh` of "$folder/lib.sh": the variable's value is unknown.
std::string_view known_part(std::string_view path) {
  const std::size_t variable = path.find_last_of("$`");
  if (variable == std::string_view::npos) {
    return path;
  }
  const std::size_t slash = path.find('/', variable);
  return slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
}

void command(Walker& walker, TSNode node) {
  const TSNode name = walker.child(node, Field::kName);
  const TSNode word = named_child(name, 0);
  if (!walker.is(word, "word")) {
    return;
  }
  const std::string_view text = walker.text(word);
  if (text == "source" || text == ".") {
    walker.import(known_part(unquoted(walker.text(walker.child(node, Field::kArgument)))));
  } else {
    walker.mention(text, ReferenceKind::kCall, ts_node_start_point(word).row + 1);
  }
}

void bash_assignment(Walker& walker, TSNode node) {
  const TSNode name = walker.child(node, Field::kName);
  if (walker.in_function() || !walker.is(name, "variable_name")) {
    walker.hide(name);
    return;
  }
  walker.define({.node = node,
                 .kind = SymbolKind::kVariable,
                 .name = name,
                 .value = walker.child(node, Field::kValue)});
}

// local x=1
void local_declaration(Walker& walker, TSNode node) {
  const std::uint32_t count = named_child_count(node);
  for (std::uint32_t index = 0; walker.in_function() && index < count; ++index) {
    const TSNode each = named_child(node, index);
    walker.local(walker.is(each, "variable_assignment") ? walker.child(each, Field::kName) : each);
  }
}

constexpr std::array kBashRules{
    Rule{"variable_name", &plain_name},
    Rule{"comment", &comment},
    Rule{"command", &command},
    Rule{"function_definition", &named_function},
    Rule{"variable_assignment", &bash_assignment},
    Rule{"declaration_command", &local_declaration},
};

}  // namespace

std::span<const Rule> bash_rules() noexcept { return kBashRules; }

}  // namespace clever::syntax::internal
