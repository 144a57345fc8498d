// Runs every *.case of this folder against the built program.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "cases/case_file.h"
#include "cases/pattern.h"
#include "io/file.h"
#include "io/process.h"
#include "support/built_paths.h"
#include "support/temporary_directory.h"

namespace clever::cases {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kPatience{2};
constexpr std::string_view kEnvironment = "# environment: ";

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Somebody with a home and a project of their own, and `agents` in the path.
class Person {
 public:
  Person() {
    fs::create_directories(work());
    fs::create_directories(folder_ / "bin");
    fs::create_symlink(test::agents_program(), folder_ / "bin/agents");
    for (const std::string name : {"terminal", "page"}) {
      fs::create_symlink(test::source_root() / "test/cases" / (name + ".py"),
                         folder_ / "bin" / name);
    }
    environment_ = {"PATH=" + (folder_ / "bin").string() + ":/usr/local/bin:/usr/bin:/bin",
                    "LANG=C.UTF-8",
                    "TERM=dumb",
                    "TZ=UTC",
                    "DOCS=" + (test::source_root() / "docs").string(),
                    "HOME=" + folder_.path().string(),
                    "CLEVERAGENTS_HOME=" + (folder_ / "home").string(),
                    "GIT_CONFIG_NOSYSTEM=1",
                    "GIT_CONFIG_GLOBAL=/dev/null",
                    "GIT_AUTHOR_NAME=Ada",
                    "GIT_AUTHOR_EMAIL=ada@example.org",
                    "GIT_COMMITTER_NAME=Ada",
                    "GIT_COMMITTER_EMAIL=ada@example.org"};
    // Where the coverage build writes to; harmless otherwise.
    if (const char* profile = std::getenv("LLVM_PROFILE_FILE")) {
      environment_.push_back(std::string("LLVM_PROFILE_FILE=") + profile);
    }
  }

  ~Person() {
    if (!server_.empty())
      static_cast<void>(
          bash("kill -TERM -" + server_ + "; tail -s 0.02 --pid=" + server_ + " -f /dev/null"));
  }
  Person(const Person&) = delete;
  Person& operator=(const Person&) = delete;

  /// "NAME=VALUE", for all commands from now on, and for the server.
  void set_variable(const std::string& variable) { environment_.push_back(variable); }

  /// From now on a server does what `agents` is asked for, in this home.
  base::Result<void> use_server() {
    const std::string home = (folder_ / "home").string();
    CLEVER_ASSIGN(const io::ProcessResult begun,
                  bash("mkfifo ../ready; "
                       "setsid timeout 110 agents server --listen 127.0.0.1:0 --format json "
                       "> ../ready 2> ../server.log < /dev/null & "
                       "pid=$!; head -1 < ../ready > ../line; rm ../ready ../line; echo $pid"));
    server_ = begun.output.substr(0, begun.output.find('\n'));
    environment_.push_back("CLEVERAGENTS_SERVER=unix:" + home + "/server.sock");
    return {};
  }

  base::Result<io::ProcessResult> bash(const std::string& script) {
    CLEVER_ASSIGN(io::ProcessResult result,
                  io::run_process({.argv = {"bash", "-c", script},
                                   .working_directory = work(),
                                   .environment = environment_,
                                   .deadline = base::Deadline::after(clock_, kPatience)}));
    hide_folders(result.output);
    hide_folders(result.error_output);
    return result;
  }

  void write(const std::string& path, const std::vector<std::string>& lines) const {
    fs::create_directories((work() / path).parent_path());
    std::ofstream file(work() / path, std::ios::binary);
    for (const std::string& line : lines) file << line << "\n";
  }

 private:
  [[nodiscard]] fs::path work() const { return folder_ / "project"; }

  void hide_folders(std::string& text) const {
    const fs::path home = fs::canonical(folder_.path());
    for (const auto& [path, name] :
         {std::pair(home / "project", "$WORK"), std::pair(home, "$HOME")}) {
      const std::string folder = path.string();
      for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;) {
        text.replace(at, folder.size(), name);
      }
    }
  }

  test::TemporaryDirectory folder_;
  std::vector<std::string> environment_;
  // The process group of the server, if there is one.
  std::string server_;
  base::SystemClock clock_;
};

class CaseRun {
 public:
  enum class Over { kProcess, kWire };

  CaseRun(fs::path file, Over over)
      : file_(std::move(file)),
        over_(over),
        rewrites_(over == Over::kProcess && std::getenv("CLEVER_REWRITE_CASES") != nullptr) {}

  void run() {
    const std::string text = io::read_file(file_).value();
    auto items = parse_case(file_.filename().string(), text);
    ASSERT_TRUE(items.ok()) << items.error().sentence();
    for (Item& item : *items) {
      ASSERT_NO_FATAL_FAILURE(run(item));
    }
    if (!rewrites_) return;
    if (const std::string now = print_case(*items); now != text) {
      std::ofstream(file_, std::ios::binary) << now;
    }
  }

 private:
  void run(Item& item) {
    switch (item.kind) {
      case Item::Kind::kText:
        if (item.text.starts_with(kEnvironment)) {
          person_.set_variable(item.text.substr(kEnvironment.size()));
        }
        return;
      case Item::Kind::kFile:
        return person_.write(item.text, item.content);
      case Item::Kind::kRepository:
        return make_repository();
      case Item::Kind::kCommand:
        return run_command(item);
    }
  }

  void make_repository() {
    const auto made = person_.bash(
        "git init --quiet --initial-branch=main && git add --all && "
        "git commit --quiet --allow-empty --message=base");
    ASSERT_TRUE(made.ok() && made->succeeded()) << (made.ok() ? made->error_output : "git");
  }

  void run_command(Item& item) {
    if (over_ == Over::kWire && !has_server_ && item.text.contains("agents")) {
      has_server_ = true;
      const auto begun = person_.use_server();
      ASSERT_TRUE(begun.ok()) << begun.error().sentence();
    }
    const auto result = person_.bash(substituted(item.text, bindings_));
    ASSERT_TRUE(result.ok()) << place(item) << result.error().sentence();
    check(item, "standard output", item.output, lines_of(result->output));
    check(item, "standard error", item.errors, lines_of(result->error_output));
    if (rewrites_) item.exit_code = result->exit_code;
    EXPECT_EQ(result->exit_code, item.exit_code) << place(item);
  }

  void check(const Item& item, const char* what, std::vector<std::string>& expected,
             const std::vector<std::string>& lines) {
    if (matches(expected, lines, bindings_)) return;
    if (rewrites_) {
      expected = rewritten(expected, lines, bindings_);
      static_cast<void>(matches(expected, lines, bindings_));
      return;
    }
    ADD_FAILURE() << place(item) << what << " is not as expected:\n"
                  << difference(expected, lines, bindings_)
                  << "CLEVER_REWRITE_CASES=1 writes what came into the case; look at it then.";
  }

  [[nodiscard]] std::string place(const Item& item) const {
    return file_.filename().string() + ":" + std::to_string(item.line) + ": $ " + item.text + "\n";
  }

  const fs::path file_;
  const Over over_;
  const bool rewrites_;
  bool has_server_ = false;
  Person person_;
  Bindings bindings_;
};

fs::path cases_folder() { return test::source_root() / "test/cases"; }

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(cases_folder())) {
    if (entry.path().extension() == ".case") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

// Those that a server can do as well: a first line `# local: why` says why one cannot.
std::vector<std::string> names_over_the_wire() {
  std::vector<std::string> names = case_names();
  std::erase_if(names, [](const std::string& name) {
    const auto text = io::read_file(cases_folder() / (name + ".case"));
    return text.ok() && text->starts_with("# local: ");
  });
  return names;
}

class Cases : public testing::TestWithParam<std::string> {};
class CasesOverTheWire : public testing::TestWithParam<std::string> {};

TEST_P(Cases, Run) {
  CaseRun(cases_folder() / (GetParam() + ".case"), CaseRun::Over::kProcess).run();
}

TEST_P(CasesOverTheWire, Run) {
  CaseRun(cases_folder() / (GetParam() + ".case"), CaseRun::Over::kWire).run();
}

INSTANTIATE_TEST_SUITE_P(Text, Cases, testing::ValuesIn(case_names()),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Text, CasesOverTheWire, testing::ValuesIn(names_over_the_wire()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace clever::cases
