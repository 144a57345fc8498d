#include <array>

#include "syntax/internal/handlers.h"
#include "syntax/internal/rules.h"

namespace clever::syntax::internal {
namespace {

// Deeper keys are content, not the shape of the file.
constexpr std::size_t kDeepestKey = 3;

void data_pair(Walker& walker, TSNode node) {
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

// A list repeats its keys, unless it is the whole file.
void data_list(Walker& walker, TSNode /*node*/) {
  if (walker.nesting() > 0) {
    walker.skip_children();
  }
}

constexpr std::array kDataRules{
    Rule{"comment", &comment},         Rule{"pair", &data_pair},
    Rule{"array", &data_list},         Rule{"block_mapping_pair", &data_pair},
    Rule{"flow_pair", &data_pair},     Rule{"block_sequence", &data_list},
    Rule{"flow_sequence", &data_list},
};

}  // namespace

std::span<const Rule> data_rules() noexcept { return kDataRules; }

}  // namespace clever::syntax::internal
