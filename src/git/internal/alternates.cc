#include "git/internal/alternates.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "io/file.h"
#include "io/file_names.h"

namespace clever::git::internal {
namespace {

constexpr std::size_t kMostFolders = 100;

std::vector<std::filesystem::path> named_by(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> named;
  const auto text = io::read_file(folder / "info" / "alternates");
  if (!text.ok()) return named;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    // A relative path starts from the folder that names it.
    if (!line.empty() && !line.starts_with('#')) named.push_back(folder / line);
  }
  return named;
}

}  // namespace

std::vector<std::filesystem::path> with_alternates(
    const std::vector<std::filesystem::path>& object_folders) {
  std::vector<std::filesystem::path> waiting = object_folders;
  std::vector<std::filesystem::path> all;
  for (std::size_t next = 0; next < waiting.size() && all.size() < kMostFolders; ++next) {
    const auto real = io::real_path(waiting[next]);
    if (!real.ok() || std::ranges::find(all, *real) != all.end()) continue;
    all.push_back(*real);
    std::ranges::move(named_by(*real), std::back_inserter(waiting));
  }
  return all;
}

}  // namespace clever::git::internal
