#pragma once
// A text-script case as it stands in its file (README.md says what it means). Plain data.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::cases {

struct Item {
  enum class Kind { kText, kFile, kRepository, kCommand };
  Kind kind = Kind::kText;
  int line = 0;
  /// A comment or an empty line as it is; a file's path; a command.
  std::string text{};
  /// Of a file.
  std::vector<std::string> content{};
  // What a command is expected to do.
  std::vector<std::string> output{};
  std::vector<std::string> errors{};
  int exit_code = 0;

  friend bool operator==(const Item&, const Item&) = default;
};

/// An error names the file and the line.
[[nodiscard]] base::Result<std::vector<Item>> parse_case(std::string_view file,
                                                         std::string_view text);
/// The text that parse_case() reads the items from.
[[nodiscard]] std::string print_case(const std::vector<Item>& items);

}  // namespace clever::cases
