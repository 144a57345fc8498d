#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/process.h"
#include "support/temporary_directory.h"

namespace clever::crash {

/// A person's project in git and a home of `agents`, both in a folder of their own; bash scripts in
/// the project stand for what a person types ($AGENTS is the program). Thread-safe once made.
class Site {
 public:
  Site();

  [[nodiscard]] std::filesystem::path project() const { return folder_ / "now/project"; }
  [[nodiscard]] std::filesystem::path home() const { return folder_ / "now/home"; }

  /// How a bash script runs in the project.
  [[nodiscard]] io::ProcessOptions bash(std::string_view script) const;
  /// Runs it, whatever comes of it.
  [[nodiscard]] io::ProcessResult run(std::string_view script) const;
  /// Runs it, and returns its output; a failure fails the test.
  std::string expect(std::string_view script) const;

  /// Keeps the project and the home as they are; a copy to put back later.
  void keep(std::string_view name) const;
  void put_back(std::string_view name) const;

 private:
  void copy(std::string_view from, std::string_view to) const;

  test::TemporaryDirectory folder_;
  std::vector<std::string> environment_;
};

}  // namespace clever::crash
