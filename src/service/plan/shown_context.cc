#include "service/plan/shown_context.h"

#include <utility>

namespace clever::service {
namespace {

Document shown_fragment_document(const model::ShownFragment& fragment) {
  Document strategies = Document::list();
  for (const std::string& strategy : fragment.strategies) strategies.push(strategy);
  return Document::map()
      .set("path", fragment.path)
      .set("first_line", fragment.first_line)
      .set("last_line", fragment.last_line)
      .set("depth", fragment.depth)
      .set("tokens", fragment.tokens)
      .set("score", fragment.score)
      .set("strategies", std::move(strategies))
      .set("why", fragment.why);
}

}  // namespace

std::string lines_of(const model::ShownFragment& fragment) {
  if (fragment.first_line == 0) return {};
  return ":" + std::to_string(fragment.first_line) + "-" + std::to_string(fragment.last_line);
}

Document snapshot_document(const model::ContextSnapshot& snapshot) {
  Document fragments = Document::list();
  for (const model::ShownFragment& fragment : snapshot.fragments) {
    fragments.push(shown_fragment_document(fragment));
  }
  return Document::map()
      .set("source", snapshot.source)
      .set("tree", snapshot.tree)
      .set("tokens", snapshot.tokens)
      .set("budget", snapshot.budget)
      .set("remark", snapshot.remark)
      .set("fragments", std::move(fragments));
}

}  // namespace clever::service
