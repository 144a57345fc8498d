#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/words.h"
#include "service/command.h"

namespace clever::cli {

struct ManualPage {
  /// "agents-config-set.1"
  std::string file_name;
  /// roff with the man macros.
  std::string text;
};

/// One page for each visible command, the root's first.
[[nodiscard]] std::vector<ManualPage> manual_pages(const Command& root, std::string_view version);

}  // namespace clever::cli
