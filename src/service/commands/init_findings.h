#pragma once
// What `agents init` finds out. Private to the module.
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "service/context.h"

namespace clever::service {

/// How a project is tested. A value.
struct FoundTests {
  /// "cmake", "make", "npm", "cargo", "go", "pytest", "meson", "gradle", "maven", …
  std::string kind{};
  std::string command{};
  /// What checks a fresh copy of the project, where that takes more than the command: the build.
  std::string validation{};

  [[nodiscard]] const std::string& check() const noexcept {
    return validation.empty() ? command : validation;
  }

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

/// The text of a config.toml: every line a comment, the settings with their meaning and default,
/// ready to be uncommented. With `validates` the tests that were found are validations, in force;
/// else they are comments too.
[[nodiscard]] std::string initial_config(const InitFindings& findings, bool validates = false);

}  // namespace clever::service
