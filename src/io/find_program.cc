#include "io/find_program.h"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "io/file.h"

namespace clever::io {

std::optional<std::filesystem::path> find_program(std::string_view name,
                                                  const Environment& environment) {
  const std::string folders = environment.value("PATH").value_or("/usr/bin:/bin");
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    auto candidate = std::filesystem::path(folders.substr(begin, end - begin)) / name;
    if (file_kind(candidate) == FileKind::kFile && ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace clever::io
