#include "service/found_projects.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "io/file.h"

namespace clever::service {
namespace {

constexpr std::chrono::seconds kFresh{2};
constexpr std::size_t kMostProjects = 1000;

bool is_folder(const std::filesystem::path& path) {
  return io::file_kind(path) == io::FileKind::kDirectory;
}

}  // namespace

base::Result<git::Project> FoundProjects::find(const std::filesystem::path& folder,
                                               git::SecretRules rules) {
  Key key(folder, rules.include);
  const base::TimePoint now = clock_.now();
  auto known = found_.with([&](const auto& all) {
    const auto found = all.find(key);
    const bool is_fresh = found != all.end() && now - found->second.at < kFresh;
    return is_fresh ? std::optional(found->second.project) : std::nullopt;
  });
  if (known && is_folder(folder) &&
      std::ranges::all_of(known->members, is_folder, &git::Project::root))
    return *std::move(known);
  CLEVER_ASSIGN(git::Project project, git::Project::find(folder, std::move(rules)));
  found_.with([&](auto& all) {
    if (all.size() == kMostProjects) all.clear();
    all.insert_or_assign(std::move(key), Found{project, now});
  });
  return project;
}

}  // namespace clever::service
