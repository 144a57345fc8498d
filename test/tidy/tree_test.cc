// clever_tidy on real folders: a copy of this tree is clean, and is not once a banned line is
// added.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/built_paths.h"

namespace clever::tidy {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Output {
  int status;
  std::string text;
};

Output run_tidy(const std::string& arguments) {
  const std::string command = "'" + test::tidy_program() + "' " + arguments + " 2>&1";
  Output output{.status = -1, .text = {}};
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.text.append(buffer.data(), size);
  }
  output.status = WEXITSTATUS(pclose(pipe));
  return output;
}

class TidyProgram : public testing::Test {
 protected:
  TidyProgram() {
    std::string name = (fs::temp_directory_path() / "clever_tidy.XXXXXX").string();
    root_ = mkdtemp(name.data());
    fs::copy(test::source_root() / "src", root_ / "src", fs::copy_options::recursive);
    fs::copy(test::source_root() / "test", root_ / "test", fs::copy_options::recursive);
  }
  ~TidyProgram() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  // Adds a line at the end; returns "path:line:".
  std::string append(const std::string& path, const std::string& line) {
    std::ifstream in(root_ / path);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::ofstream(root_ / path, std::ios::app) << line << '\n';
    return path + ":" + std::to_string(std::ranges::count(text, '\n') + 1) + ":";
  }

  fs::path root_;
};

TEST_F(TidyProgram, AcceptsACopyOfTheTree) {
  const Output output = run_tidy(root_.string());
  EXPECT_EQ(output.status, 0) << output.text;
  EXPECT_THAT(output.text, HasSubstr(" 0 broken rules"));
}

TEST_F(TidyProgram, NamesFileLineAndCureOfABannedLine) {
  std::ofstream(root_ / "src/io/added.cc") << "int before();\n";
  const std::string place = append("src/io/added.cc", "void f() { std::mutex mutex; }");
  const Output output = run_tidy(root_.string());
  EXPECT_EQ(output.status, 1);
  EXPECT_THAT(output.text, HasSubstr(place + " [locks] std::mutex outside src/base. Cure: "));
}

TEST_F(TidyProgram, FindsABannedLineInAFileThatIsThere) {
  const std::string place = append("src/base/result.h", "#include \"io/file.h\"");
  const Output output = run_tidy(root_.string());
  EXPECT_EQ(output.status, 1);
  EXPECT_THAT(output.text, HasSubstr(place + " [layer] module base does not list io. Cure: "));
}

TEST_F(TidyProgram, FindsASuppressionInATest) {
  const std::string place = append("test/tidy/rules.h",
                                   "// NO"
                                   "LINT");
  const Output output = run_tidy(root_.string());
  EXPECT_EQ(output.status, 1);
  EXPECT_THAT(output.text, HasSubstr(place + " [suppression] "));
}

TEST_F(TidyProgram, RefusesAFolderWithoutSources) {
  const Output output = run_tidy((root_ / "test").string());
  EXPECT_EQ(output.status, 2);
  EXPECT_THAT(output.text, HasSubstr("has no src/ folder"));
}

TEST_F(TidyProgram, WantsOneArgument) { EXPECT_EQ(run_tidy("").status, 2); }

}  // namespace
}  // namespace clever::tidy
