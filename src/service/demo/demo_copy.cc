#include "service/demo/demo_copy.h"

#include <charconv>
#include <utility>

#include "base/random.h"
#include "base/ulid.h"
#include "io/file.h"
#include "service/demo/demo_project.h"

namespace clever::service {
namespace {

namespace fs = std::filesystem;

// This program, also if its file was replaced meanwhile, and for a shell that replaces itself by
// it.
std::string self() { return "/proc/" + std::to_string(io::process_number()) + "/exe"; }

// Returns the person's environment without the variables that lead to their own work.
std::vector<std::string> environment_for(const fs::path& home, bool own_settings,
                                         const Context& context) {
  std::vector<std::string> environment;
  for (const auto& [name, value] : context.environment().entries()) {
    const bool setting = name.starts_with("CLEVERAGENTS_");
    if (name.starts_with("GIT_") || name == "CLEVERAGENTS_HOME" || (setting && !own_settings)) {
      continue;
    }
    environment.push_back(name + "=" + value);
  }
  environment.push_back("CLEVERAGENTS_HOME=" + home.string());
  return environment;
}

base::Result<io::ProcessResult> succeeded(base::Result<io::ProcessResult> result,
                                          const std::string& what) {
  if (!result.ok() || result->succeeded()) return result;
  return base::unavailable(
      what + " failed: " + (result->error_output.empty() ? result->output : result->error_output));
}

std::int64_t number_before(std::string_view text, std::string_view word) {
  const std::size_t end = text.rfind(word);
  if (end == std::string_view::npos) return -1;
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  std::int64_t number = -1;
  std::from_chars(text.data() + begin, text.data() + end, number);
  return number;
}

}  // namespace

base::Result<DemoTests> demo_tests_of(const std::string& output) {
  const DemoTests tests{.passed = number_before(output, " passed"),
                        .failed = number_before(output, " failed")};
  if (tests.passed >= 0 && tests.failed >= 0) return tests;
  return base::internal_error("sh test.sh did not say what passed: " + output);
}

base::Result<DemoCopy> DemoCopy::make(fs::path folder, bool own_settings, Context& context) {
  auto environment = environment_for(folder / "home", own_settings, context);
  DemoCopy copy(std::move(folder), std::move(environment));
  CLEVER_TRY(copy.fill(context.stop()));
  return copy;
}

base::Result<void> DemoCopy::fill(const base::StopToken& stop) const {
  CLEVER_TRY(io::make_directories(home()));
  CLEVER_TRY(io::write_file_atomically(script(), demo_script()));
  for (const DemoFile& file : demo_files()) {
    CLEVER_TRY(io::make_directories((project() / file.path).parent_path(), 0755));
    CLEVER_TRY(io::write_file_atomically(project() / file.path, file.content, 0644));
  }
  CLEVER_TRY(git({"init", "--quiet", "--initial-branch=main"}, stop));
  // Independent of the person's own settings.
  for (const auto& [key, value] :
       {std::pair{"user.name", "Demo"}, std::pair{"user.email", "demo@example.org"},
        std::pair{"commit.gpgSign", "false"}, std::pair{"core.hooksPath", "/dev/null"},
        std::pair{"core.autocrlf", "false"}}) {
    CLEVER_TRY(git({"config", key, value}, stop));
  }
  CLEVER_TRY(git({"add", "--all"}, stop));
  CLEVER_TRY(git({"commit", "--quiet", "--message", "Eight functions, each with a mistake"}, stop));
  return {};
}

base::Result<io::ProcessResult> DemoCopy::agents(std::vector<std::string> arguments,
                                                 const base::StopToken& stop,
                                                 const fs::path& number_file) const {
  std::vector<std::string> argv{self()};
  if (!number_file.empty()) {
    // $0 is the file: a shell that replaces itself by the program keeps its process id.
    argv = {"sh", "-c", R"(echo "$$" > "$0" && exec "$@")", number_file.string(), self()};
  }
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return io::run_process({.argv = std::move(argv),
                          .working_directory = project(),
                          .environment = environment_,
                          .stop = stop});
}

base::Result<DemoTests> DemoCopy::test(const base::StopToken& stop) const {
  CLEVER_ASSIGN(const auto result, io::run_process({.argv = {"sh", "test.sh"},
                                                    .working_directory = project(),
                                                    .environment = environment_,
                                                    .stop = stop}));
  return demo_tests_of(result.output);
}

base::Result<std::string> DemoCopy::git(std::vector<std::string> arguments,
                                        const base::StopToken& stop) const {
  const std::string what = "git " + arguments.front();
  arguments.insert(arguments.begin(), "git");
  CLEVER_ASSIGN(auto result, succeeded(io::run_process({.argv = std::move(arguments),
                                                        .working_directory = project(),
                                                        .environment = environment_,
                                                        .stop = stop}),
                                       what));
  while (result.output.ends_with('\n')) result.output.pop_back();
  return std::move(result.output);
}

base::Result<DemoFolder> DemoFolder::make(Context& context) {
  base::SystemRandom random;
  base::UlidGenerator ids(context.clock(), random);
  const auto temporary = context.environment().value("TMPDIR").value_or("/tmp");
  fs::path path = io::absolute_path(temporary) / ("agents-demo-" + ids.next().to_string());
  CLEVER_TRY(io::make_directories(path));
  return DemoFolder(std::move(path));
}

DemoFolder::~DemoFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace clever::service
