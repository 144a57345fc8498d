#pragma once
// What `agents init` finds out. Private to the module.
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"

namespace clever::cli {

/// How a project is tested. A value.
struct FoundTests {
  /// "cmake", "make", "npm", "cargo", "go", "pytest"
  std::string kind{};
  std::string command{};

  friend bool operator==(const FoundTests&, const FoundTests&) = default;
};

/// By the files at the top of the project; several kinds may be there. Reads, and runs nothing.
[[nodiscard]] std::vector<FoundTests> find_tests(const std::filesystem::path& root);

/// A value.
struct InitFindings {
  std::filesystem::path root{};
  bool repository = false;
  /// "main"; empty if there is none.
  std::string branch{};
  std::vector<FoundTests> tests{};
  std::vector<std::string> providers{};
  /// "provider/model" that is used where none is named; empty if there is none.
  std::string model{};
  /// Why commands cannot be confined here; empty: they are.
  std::string unconfined{};
};
/// Looks, and changes nothing.
[[nodiscard]] base::Result<InitFindings> look_around(Context& context);

/// The text of a config.toml that sets nothing: every line a comment, the settings with their
/// meaning and default, ready to be uncommented.
[[nodiscard]] std::string initial_config(const InitFindings& findings);

}  // namespace clever::cli
