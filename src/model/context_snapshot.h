#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::model {

/// One piece of what a model was shown of a project: where it is from and why it was there, not its
/// words, which the tree still has. A value.
struct ShownFragment {
  std::string path{};
  /// Lines, from 1, both included; 0: the whole file, or no file.
  std::int64_t first_line = 0;
  std::int64_t last_line = 0;
  /// "full", "signatures", "members", "listing".
  std::string depth{};
  std::int64_t tokens = 0;
  double score = 0;
  /// Who proposed it; empty: nobody had to.
  std::vector<std::string> strategies{};
  std::string why{};
  friend bool operator==(const ShownFragment&, const ShownFragment&) = default;
};

/// What a decision was made on: the body that DecisionRecorded::context names. A value.
struct ContextSnapshot {
  /// Whose files: a git tree in hexadecimal.
  std::string tree{};
  /// "index", or "files" while there was none.
  std::string source{};
  std::int64_t tokens = 0;
  std::int64_t budget = 0;
  std::vector<ShownFragment> fragments{};
  /// What was left out, in words; may be empty.
  std::string remark{};

  /// The same text for the same snapshot.
  [[nodiscard]] std::string to_json() const;
  /// Total; `invalid_argument` names the key that is wrong.
  [[nodiscard]] static base::Result<ContextSnapshot> parse(std::string_view json);
  friend bool operator==(const ContextSnapshot&, const ContextSnapshot&) = default;
};

}  // namespace clever::model
