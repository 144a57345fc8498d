#include <utility>

#include "engine/actor/code_views.h"

namespace clever::engine {

CodeViews::Sources CodeViews::sources() {
  return {
      .index =
          [](index::IndexOptions options) { return index::CodeIndex::open(std::move(options)); },
      .history =
          [](const git::Project& project, const context::History::Options& options,
             const base::StopToken& stop) {
            return context::History::read(project, options, stop);
          },
      .corpus =
          [](const std::shared_ptr<git::ObjectStore>& store, const git::ObjectId& tree) {
            return std::shared_ptr<index::Corpus>(index::tree_corpus(store, tree));
          }};
}

}  // namespace clever::engine
