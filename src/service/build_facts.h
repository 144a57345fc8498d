#pragma once
#include <string>
#include <string_view>

namespace clever::service {

/// How this binary was made. Constant.
struct BuildFacts {
  std::string_view version;
  /// CMake's build type: "Release".
  std::string_view build;
  /// "clang 19.1.7"
  std::string compiler;
  /// "libstdc++ 12"
  std::string standard_library;
};

[[nodiscard]] BuildFacts build_facts();

}  // namespace clever::service
