#include <array>

#include "syntax/internal/handlers.h"
#include "syntax/internal/rules.h"

namespace clever::syntax::internal {
namespace {

// Deeper keys are content, and no longer the shape of the file.
constexpr std::size_t kDeepestKey = 3;

void pair(Walker& walker, TSNode node) {
  const TSNode key = walker.child(node, Field::kKey);
  const bool added = walker.define(
      {.node = node, .kind = SymbolKind::kKey, .name = key, .value = key, .opens = Opens::kModule});
  if (added) {
    walker.rename_last(unquoted(walker.text(key)));
  }
  if (walker.nesting() >= kDeepestKey) {
    walker.skip_children();
  }
}

// A list repeats its keys, unless it is all there is.
void list(Walker& walker, TSNode /*node*/) {
  if (walker.nesting() > 0) {
    walker.skip_children();
  }
}

constexpr std::array kRules{
    Rule{"comment", &comment},         Rule{"pair", &pair},      Rule{"array", &list},
    Rule{"block_mapping_pair", &pair}, Rule{"flow_pair", &pair}, Rule{"block_sequence", &list},
    Rule{"flow_sequence", &list},
};

}  // namespace

std::span<const Rule> data_rules() noexcept { return kRules; }

}  // namespace clever::syntax::internal
