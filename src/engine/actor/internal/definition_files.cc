#include "engine/actor/internal/definition_files.h"

#include <algorithm>

#include "base/utf8.h"
#include "io/directory.h"
#include "io/file.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 20U;
constexpr std::size_t kMostDefinitions = 10'000;

bool is_definition(std::string_view name) {
  return !name.starts_with('.') && (name.ends_with(".yaml") || name.ends_with(".yml"));
}

}  // namespace

base::Result<std::vector<DefinitionFile>> definition_files(const std::filesystem::path& folder) {
  std::vector<DefinitionFile> files;
  if (io::file_kind(folder) != io::FileKind::kDirectory) return files;
  CLEVER_ASSIGN(const io::Directory directory, io::Directory::open(folder));
  std::vector<std::string> names;
  CLEVER_TRY(directory.list("", [&](std::string_view name, io::EntryFacts::Kind kind) {
    const bool readable =
        kind == io::EntryFacts::Kind::kFile || kind == io::EntryFacts::Kind::kLink;
    if (readable && is_definition(name)) names.emplace_back(name);
    return names.size() < kMostDefinitions;
  }));
  std::ranges::sort(names);
  for (const std::string& name : names) {
    CLEVER_ASSIGN(std::string text, io::read_file(folder / name, kLargest));
    files.push_back({base::to_valid_utf8((folder / name).string()), std::move(text)});
  }
  return files;
}

}  // namespace clever::engine::internal
