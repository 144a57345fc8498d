#pragma once
// What `agents demo` works on: a small project in plain sh with a test for each of its eight
// functions, all of which fail; and a script that answers as a model would that repairs them. Data;
// nothing here needs more than sh and git. Private to the module.
#include <string>
#include <string_view>
#include <vector>

namespace clever::service {

/// One function of the project, with its mistake.
struct DemoRepair {
  std::string_view name;
  /// Of lib/NAME.sh: the line that is wrong, and what it should be.
  std::string_view wrong;
  std::string_view right;
  /// Its test: what is called, and what must come out.
  std::string_view call;
  std::string_view expected;
};

/// Eight of them: one subplan each.
[[nodiscard]] const std::vector<DemoRepair>& demo_repairs();

struct DemoFile {
  std::string path;
  std::string content;
};
/// The project, with all its mistakes.
[[nodiscard]] std::vector<DemoFile> demo_files();

/// What the plan is asked for.
[[nodiscard]] std::string_view demo_task();

/// The script (docs/reference/scripts.md): a strategy of eight subplans; in each, look, repair,
/// report.
[[nodiscard]] std::string demo_script();

}  // namespace clever::service
