#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "context/fragment.h"

namespace clever::context::internal {

/// A command's proposal: a candidate whose range is still in lines.
struct CommandCandidate {
  Candidate candidate{};
  /// From 1, inclusive; 0: missing.
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
};

struct CommandAnswer {
  std::vector<CommandCandidate> candidates{};
  /// The number of invalid lines, and the first of them, shortened.
  std::size_t rubbish = 0;
  std::string first_rubbish{};
};

/// Parses a command's output: a JSON object on each line. Skips empty lines; counts lines that are
/// not a JSON object, or have no path or a member of the wrong kind. At most `most` candidates.
/// Never fails.
[[nodiscard]] CommandAnswer read_command_answer(std::string_view output, std::size_t most);

/// The range of these lines; empty (the whole text) if the text has none of them.
[[nodiscard]] syntax::Range range_of_lines(std::string_view text, std::uint32_t first,
                                           std::uint32_t last);

}  // namespace clever::context::internal
