#pragma once
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/result.h"
#include "git/project.h"

namespace clever::service {

/// The projects that a server found, so that not every request runs git: what was found counts for
/// two seconds, while its folder exists. Thread-safe; the clock must outlive it.
class FoundProjects {
 public:
  explicit FoundProjects(base::Clock& clock) : clock_(clock) {}

  [[nodiscard]] base::Result<git::Project> find(const std::filesystem::path& folder,
                                                git::SecretRules rules);

 private:
  using Key = std::pair<std::filesystem::path, std::vector<std::string>>;
  struct Found {
    git::Project project;
    base::TimePoint at{};
  };

  base::Clock& clock_;
  base::Guarded<std::map<Key, Found>> found_;
};

}  // namespace clever::service
