#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::model {

/// One piece of a project that a model was shown: its origin and the reason, but not its text,
/// which the tree still has. A value.
struct ShownFragment {
  std::string path{};
  /// Lines from 1, inclusive; 0: the whole file, or not a file.
  std::int64_t first_line = 0;
  std::int64_t last_line = 0;
  /// "full", "signatures", "members", "listing".
  std::string depth{};
  std::int64_t tokens = 0;
  double score = 0;
  /// The strategies that proposed it; may be empty.
  std::vector<std::string> strategies{};
  std::string why{};
  friend bool operator==(const ShownFragment&, const ShownFragment&) = default;
};

/// What a decision was based on: the body that DecisionRecorded::context names. A value.
struct ContextSnapshot {
  /// The git tree of the files, in hexadecimal.
  std::string tree{};
  /// "index", or "files" without an index.
  std::string source{};
  std::int64_t tokens = 0;
  std::int64_t budget = 0;
  std::vector<ShownFragment> fragments{};
  /// What was left out, in words; may be empty.
  std::string remark{};

  /// The same snapshot gives the same text.
  [[nodiscard]] std::string to_json() const;
  /// Total; `invalid_argument` names the wrong key.
  [[nodiscard]] static base::Result<ContextSnapshot> parse(std::string_view json);
  friend bool operator==(const ContextSnapshot&, const ContextSnapshot&) = default;
};

}  // namespace clever::model
