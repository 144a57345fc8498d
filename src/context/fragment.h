#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "syntax/outline.h"
#include "syntax/syntax.h"

// Context for a model, from proposal to page. Values.
namespace clever::context {

/// A strategy's proposal: a file, a part of one, or a text of its own.
struct Candidate {
  /// A path of the project; for a `text` of its own a name ("decision/01H…", "history/4f2a91c").
  std::string path{};
  /// Empty: the whole file.
  syntax::Range range{};
  syntax::Depth depth = syntax::Depth::kFull;
  /// 0 to 1, relative to this strategy's proposals.
  double relevance = 0;
  /// For a person: "defines `parse_line`, which the task names".
  std::string why{};
  /// A text from outside the project's files.
  std::string text{};
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// Each from 0 to 1; their sum is the fragment's score.
struct ScoreParts {
  double relevance = 0;
  double hierarchy = 0;
  double quality = 0;
  double recency = 0;
  friend bool operator==(const ScoreParts&, const ScoreParts&) = default;
};

/// A piece of the context, with its origin.
struct Fragment {
  std::string path{};
  syntax::Range range{};
  syntax::Depth depth = syntax::Depth::kFull;
  std::string content{};
  std::size_t tokens = 0;
  double score = 0;
  ScoreParts parts{};
  /// The strategy that proposed it most strongly, and all that did, by name.
  std::string strategy{};
  std::vector<std::string> strategies{};
  std::string why{};
  friend bool operator==(const Fragment&, const Fragment&) = default;
};

}  // namespace clever::context
