#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clever::confine::internal {

/// A folder that tools fill beside a file that a project has.
struct Ecosystem {
  std::string_view name;
  std::string_view mark;    // a glob
  std::string_view folder;  // beside it
};

/// A folder that can be told by what lies in it, whatever its name.
struct TelltaleFolder {
  std::string_view name;
  std::string_view mark;
};

/// All that are known, in one place.
[[nodiscard]] const std::vector<Ecosystem>& ecosystems();
[[nodiscard]] const std::vector<TelltaleFolder>& telltale_folders();

}  // namespace clever::confine::internal
