#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clever::confine::internal {

/// A folder that tools fill beside a file of the project.
struct Ecosystem {
  std::string_view name;
  std::string_view mark;    // a glob
  std::string_view folder;  // beside it
};

/// A folder that is recognised by its content, under any name.
struct TelltaleFolder {
  std::string_view name;
  std::string_view mark;
};

/// The only table of them.
[[nodiscard]] const std::vector<Ecosystem>& ecosystems();
[[nodiscard]] const std::vector<TelltaleFolder>& telltale_folders();

}  // namespace clever::confine::internal
