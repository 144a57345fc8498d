#include "service/commands/init_findings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "confine/support.h"
#include "git/project.h"
#include "io/file.h"
#include "service/commands/provider.h"
#include "service/work_folder.h"

namespace clever::service {
namespace {

constexpr std::size_t kLargestFound = std::size_t{1} << 20U;

// Returns an empty text if the file is missing or unreadable.
std::string content(const std::filesystem::path& path) {
  return io::read_file(path, kLargestFound).value_or("");
}

bool is_there(const std::filesystem::path& path) {
  return io::file_kind(path) == io::FileKind::kFile;
}

bool has_line_with(const std::string& text, std::string_view beginning) {
  return text.starts_with(beginning) || text.contains("\n" + std::string(beginning));
}

std::string make_target(const std::string& makefile) {
  for (const std::string target : {"test", "check", "tests"}) {
    if (has_line_with(makefile, target + ":")) return target;
  }
  return {};
}

bool has_npm_test(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return false;
  const auto scripts = json.find("scripts");
  if (scripts == json.end() || !scripts->is_object()) return false;
  const auto test = scripts->find("test");
  // Ignores the placeholder that `npm init` writes.
  return test != scripts->end() && test->is_string() &&
         !test->get<std::string>().contains("no test specified");
}

bool has_pytest(const std::filesystem::path& root) {
  return is_there(root / "pytest.ini") || is_there(root / "conftest.py") ||
         is_there(root / "tests" / "conftest.py") ||
         content(root / "pyproject.toml").contains("[tool.pytest") ||
         content(root / "setup.cfg").contains("[tool:pytest]");
}

void add_others(const std::filesystem::path& root, std::vector<FoundTests>& found) {
  if (content(root / "meson.build").contains("test(")) {
    found.push_back({"meson", "meson test -C build", "meson setup build && meson test -C build"});
  }
  const bool gradle = is_there(root / "build.gradle") || is_there(root / "build.gradle.kts");
  if (gradle) {
    found.push_back({"gradle", is_there(root / "gradlew") ? "./gradlew test" : "gradle test", ""});
  }
  if (is_there(root / "pom.xml")) {
    found.push_back({"maven", is_there(root / "mvnw") ? "./mvnw test" : "mvn test", ""});
  }
  if (is_there(root / "mix.exs")) found.push_back({"mix", "mix test", ""});
  if (is_there(root / "Package.swift")) found.push_back({"swift", "swift test", ""});
  if (is_there(root / "tox.ini")) found.push_back({"tox", "tox", ""});
  if (is_there(root / "Rakefile") && content(root / "Rakefile").contains("test")) {
    found.push_back({"rake", "rake test", ""});
  }
}

std::string branch_of(const git::Project& project) {
  if (project.kind != git::ProjectKind::kRepository) return {};
  const auto head = git::head_state(project);
  constexpr std::string_view kHeads = "refs/heads/";
  if (!head.ok() || !head->branch.starts_with(kHeads)) return {};
  return head->branch.substr(kHeads.size());
}

}  // namespace

std::vector<FoundTests> find_tests(const std::filesystem::path& root) {
  std::vector<FoundTests> found;
  const std::string cmake = content(root / "CMakeLists.txt");
  if (cmake.contains("enable_testing") || cmake.contains("include(CTest)") ||
      cmake.contains("add_test(")) {
    found.push_back({"cmake", "ctest --test-dir build",
                     "cmake -S . -B build && cmake --build build -j 4 && ctest --test-dir build "
                     "--output-on-failure"});
  }
  for (const char* name : {"GNUmakefile", "makefile", "Makefile"}) {
    const std::string target = make_target(content(root / name));
    if (target.empty()) continue;
    found.push_back({"make", "make " + target, ""});
    break;
  }
  if (has_npm_test(content(root / "package.json"))) found.push_back({"npm", "npm test", ""});
  if (is_there(root / "Cargo.toml")) found.push_back({"cargo", "cargo test", ""});
  if (is_there(root / "go.mod")) found.push_back({"go", "go test ./...", ""});
  if (has_pytest(root)) found.push_back({"pytest", "pytest", ""});
  add_others(root, found);
  return found;
}

base::Result<InitFindings> look_around(Context& context) {
  CLEVER_ASSIGN(const git::Project project, context.project());
  CLEVER_TRY(check_project_folder(project, context));
  InitFindings findings{.root = project.root,
                        .repository = project.kind == git::ProjectKind::kRepository,
                        .branch = branch_of(project),
                        .tests = find_tests(project.root)};
  CLEVER_ASSIGN(const provider::ProviderSettings settings, find_providers(context));
  for (const provider::ProviderConfig& config : settings.providers) {
    findings.providers.push_back(config.endpoint.provider);
  }
  if (const auto model = looked_at(settings).resolve(""); model.ok()) {
    findings.model = model->name();
  }
  const auto confined = confine::check_required(confine::features(context.launcher()));
  if (!confined.ok()) findings.unconfined = confined.error().sentence();
  return findings;
}

}  // namespace clever::service
