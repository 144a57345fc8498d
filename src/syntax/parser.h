#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>

#include "base/stop_token.h"
#include "syntax/syntax.h"

namespace clever::syntax {

struct ParseLimits {
  /// Larger files, and files with a longer line, are text: minified and generated code has nothing
  /// to show.
  std::size_t largest = std::size_t{1} << 20U;
  std::size_t longest_line = 16U << 10U;
  std::size_t most_symbols = 20'000;
  std::size_t most_references = 20'000;
  std::size_t deepest = 500;
};

/// Parses syntax with tree-sitter. Never fails: a broken text has fewer symbols. Keeps its buffers
/// between files; used by one thread at a time. Deterministic.
class Parser {
 public:
  explicit Parser(const ParseLimits& limits = {});
  Parser(Parser&&) noexcept;
  Parser& operator=(Parser&&) noexcept;
  ~Parser();

  /// `truncated` if `stop` was requested meanwhile.
  [[nodiscard]] Syntax parse(Language language, std::string_view content,
                             const base::StopToken& stop = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace clever::syntax
