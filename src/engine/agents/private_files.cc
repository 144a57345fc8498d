#include "engine/agents/private_files.h"

namespace clever::engine {

base::Result<void> put_private_file(const io::Directory& home, const std::string& path,
                                    std::string_view content) {
  constexpr mode_t kOwnFolder = 0700;
  constexpr mode_t kOwnFile = 0600;
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash);
    const auto facts = home.facts(folder);
    const bool stands = facts.ok() && facts->kind == io::EntryFacts::Kind::kDirectory;
    if (facts.ok() && !stands) CLEVER_TRY(home.remove_all(folder));
    if (!stands) CLEVER_TRY(home.make_directories(folder, kOwnFolder));
  }
  CLEVER_TRY(home.remove_all(path));
  return home.create_file(path, content, kOwnFile);
}

std::string below_home(std::string_view path) {
  return std::string(path.starts_with("~/") ? path.substr(2) : path);
}

}  // namespace clever::engine
