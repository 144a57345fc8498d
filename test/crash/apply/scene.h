#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apply/apply.h"
#include "support/changes.h"
#include "support/repository.h"

namespace clever::apply::crash {

/// What a person sees of a project: every file with its mode and content, and of a repository the
/// branch's tree and what git's index says. Compared before and after.
using Picture = std::map<std::string, std::string>;

[[nodiscard]] Picture picture_of(const std::filesystem::path& project);
/// What differs, in words; empty if nothing does.
[[nodiscard]] std::string differences(const Picture& found, const Picture& expected);
/// Names of ours, and locks, that should not be there.
[[nodiscard]] std::vector<std::string> leftovers_in(const std::filesystem::path& project);

/// Runs `body` in a process that is killed at the pass of that point; true if it died there.
bool die_at(const std::string& point, std::size_t pass, const std::function<void()>& body);
/// A folder in memory, where there is such a place.
[[nodiscard]] std::filesystem::path new_folder();

/// A project with files of every kind, and a changeset of many changes for it. Made once; each use
/// works on a copy, so that a thousand deaths take seconds.
class Scene {
 public:
  explicit Scene(Mode mode, std::size_t files);

  /// A fresh copy of the project, in memory where there is such a place.
  class Copy;

  [[nodiscard]] Mode mode() const { return mode_; }
  [[nodiscard]] const Picture& before() const { return before_; }
  [[nodiscard]] const Picture& after() const { return after_; }

 private:
  void add_files(std::size_t files);

  Mode mode_;
  test::Repository original_;
  std::vector<model::NetChange> changes_;
  model::PlanId plan_ = test::Changes::new_plan();
  Picture before_;
  Picture after_;
};

class Scene::Copy {
 public:
  explicit Copy(const Scene& scene);
  ~Copy();
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  [[nodiscard]] std::filesystem::path project() const { return folder_ / "project"; }
  [[nodiscard]] Request request() const;
  [[nodiscard]] Picture picture() const;
  [[nodiscard]] std::vector<std::string> leftovers() const { return leftovers_in(project()); }
  base::Result<std::string> recover() const;

 private:
  const Scene& scene_;
  std::filesystem::path folder_;
};

}  // namespace clever::apply::crash
