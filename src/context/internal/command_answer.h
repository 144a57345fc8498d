#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "context/fragment.h"

namespace clever::context::internal {

/// What a command proposes: a candidate whose range is still in lines.
struct CommandCandidate {
  Candidate candidate{};
  /// From 1, both included; 0: not given.
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
};

struct CommandAnswer {
  std::vector<CommandCandidate> candidates{};
  /// Lines that are no candidate, and the first of them, shortened.
  std::size_t rubbish = 0;
  std::string first_rubbish{};
};

/// Reads what a command printed: a JSON object on each line. Empty lines are nothing; of a line
/// that is no JSON object, has no path or a member of the wrong kind, only the number is kept. At
/// most `most` candidates. Never fails.
[[nodiscard]] CommandAnswer read_command_answer(std::string_view output, std::size_t most);

/// Those lines of a text, as far as it has them; empty (the whole) if it has none of them.
[[nodiscard]] syntax::Range range_of_lines(std::string_view text, std::uint32_t first,
                                           std::uint32_t last);

}  // namespace clever::context::internal
