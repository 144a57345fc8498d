#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "plan/state.h"
#include "storage/budgets.h"

namespace clever::engine::crash {

/// What a home's database says about the one plan that was made there, and the plans below it.
struct Journals {
  /// Absent: it did not come to a plan.
  std::optional<plan::State> root{};
  /// Answers of the model that are in the journals, by page; 0 is the plan above them.
  std::map<std::size_t, std::size_t> answers{};
  /// "tools.ran" and "changes.recorded", all plans together.
  std::map<std::string, std::size_t> kinds{};
  storage::Budget budget{};
};

/// Reads it as it is, with whatever a killed process left. The chains of all journals are verified.
[[nodiscard]] Journals journals_of(const std::filesystem::path& home);

}  // namespace clever::engine::crash
