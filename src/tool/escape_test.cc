// Every way out that is known, tried from every file tool: refused with a message, and nothing is
// written anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/tool_workspace.h"
#include "tool/builtin_tools.h"
#include "tool/runner.h"
#include "tool/testing/test_tool.h"

namespace clever::tool {
namespace {

using git::FileMode;
using nlohmann::json;
using test::ToolWorkspace;

class Escape : public testing::TestWithParam<std::string> {
 protected:
  // Each tool with the path in every place where it takes one.
  static std::vector<model::ToolCall> calls_with(const std::string& path) {
    const auto call = [](const char* name, const json& input) {
      return model::ToolCall{.id = name, .name = name, .arguments = input.dump()};
    };
    return {call("read_file", {{"path", path}}),
            call("write_file", {{"path", path}, {"content", "evil"}}),
            call("edit_file", {{"path", path}, {"old_text", "a"}, {"new_text", "evil"}}),
            call("delete_file", {{"path", path}}),
            call("move_file", {{"from", path}, {"to", "taken"}}),
            call("move_file", {{"from", "a.txt"}, {"to", path}}),
            call("git_log", {{"path", path}}),
            call("git_blame", {{"path", path}})};
  }
  std::vector<CallResult> run(std::vector<model::ToolCall> calls) {
    return runner.run({.tools = tools, .workspace = files.workspace, .calls = std::move(calls)});
  }
  void check_refused(const std::string& path) {
    const auto before = files.files();
    for (const CallResult& result : run(calls_with(path))) {
      EXPECT_TRUE(result.answer.failed) << result.tool << " " << path;
      EXPECT_FALSE(result.answer.text.empty());
      EXPECT_EQ(result.answer.text.find("secret content"), std::string::npos);
      EXPECT_TRUE(result.changes.empty()) << result.tool << " " << path;
    }
    EXPECT_EQ(files.files(), before) << path;
    EXPECT_EQ(files.folder.read("outside/secret"), "secret content");
    EXPECT_EQ(files.folder.names(), names);
    EXPECT_TRUE(std::filesystem::is_empty(files.root()));
  }

  ToolWorkspace files{{{"a.txt", "a\n"},
                       {"out", "../outside", FileMode::kLink},
                       {"away", "/etc", FileMode::kLink},
                       {"secret", "../outside/secret", FileMode::kLink},
                       {"up", "..", FileMode::kLink},
                       {"loop", "loop", FileMode::kLink},
                       {"ping", "pong", FileMode::kLink},
                       {"pong", "ping", FileMode::kLink},
                       {"d/git", "../.git", FileMode::kLink}}};
  const std::filesystem::path outside = files.folder.write("outside/secret", "secret content");
  const std::vector<std::string> names = files.folder.names();
  base::SystemClock clock;
  ToolRunner runner{clock, {.threads = 2}};
  std::shared_ptr<const ToolSnapshot> tools = internal::snapshot_of(builtin_tools({}));
};

TEST_P(Escape, IsRefused) { check_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Paths, Escape,
                         testing::Values("../outside/secret", "d/../../outside/secret",
                                         "./../outside/secret", "..", "d/..", ".", "/", "//",
                                         "/etc/passwd", "/proc/self/environ", "//etc/passwd",
                                         "/etc/../etc/passwd", "a.txt/../../outside/secret",
                                         std::string("a\0b", 3), std::string(5000, 'x'),
                                         std::string(300, 'x'), "out/secret", "away/passwd",
                                         "up/outside/secret", "loop/x", "ping/x"),
                         [](const auto& param) { return "n" + std::to_string(param.index); });

INSTANTIATE_TEST_SUITE_P(DotGit, Escape,
                         testing::Values(".git/config", ".git", ".GIT/config",
                                         ".Git/hooks/pre-commit", "d/.git/config", "./.git/config",
                                         ".//.git//config", "git~1/config", "GIT~1/config",
                                         ".git./config", ".git /config",
                                         ".git::$INDEX_ALLOCATION/config", ".g\u200Cit/config",
                                         ".g\u200Dit/config", ".git\uFEFF/config",
                                         "a/../.git/config", "d/git/config", ".git\\config"),
                         [](const auto& param) { return "n" + std::to_string(param.index); });

TEST_F(Escape, AnAbsolutePathBelowTheProjectMeansTheWorkspace) {
  const auto results = run(calls_with((files.root() / "new.txt").string()));
  EXPECT_FALSE(results[1].answer.failed) << results[1].answer.text;
  EXPECT_TRUE(std::filesystem::is_empty(files.root()));
  for (const std::string path : {"/../outside/secret", "/../project2/x", "x/y", "/.git/config"}) {
    check_refused(files.root().string() + path);
  }
}

// What means something elsewhere is a name like any other here.
TEST_F(Escape, OrdinaryNamesStayInside) {
  for (const std::string path : {"~/notes/id", "$HOME/x", "..\\outside\\secret", "...", "C:\\x"}) {
    const auto results =
        run({{"1", "write_file", json{{"path", path}, {"content", "kept"}}.dump()}});
    EXPECT_FALSE(results[0].answer.failed) << path << results[0].answer.text;
    EXPECT_EQ(files.files().at(path), "kept");
  }
  EXPECT_EQ(files.folder.names(), names);
  EXPECT_TRUE(std::filesystem::is_empty(files.root()));
}

// What follows a link refuses to; what means the link itself may have it.
TEST_F(Escape, ALinkThatLeadsOutIsNotFollowed) {
  for (const std::string path : {"secret", "out", "away", "up", "loop", "ping", "d/git"}) {
    for (CallResult& result :
         run({{"1", "read_file", json{{"path", path}}.dump()},
              {"2", "write_file", json{{"path", path}, {"content", "evil"}}.dump()},
              {"3", "edit_file",
               json{{"path", path}, {"old_text", "s"}, {"new_text", "evil"}}.dump()}})) {
      EXPECT_TRUE(result.answer.failed) << result.tool << " " << path;
      EXPECT_TRUE(result.changes.empty());
    }
  }
  EXPECT_EQ(files.folder.read("outside/secret"), "secret content");
}

TEST_F(Escape, PatternsStayInside) {
  for (const std::string glob : {"../**", "/etc/*", "out/*", "**/.git/*"}) {
    const auto results =
        run({{"1", "list_files", json{{"glob", glob}}.dump()},
             {"2", "search", json{{"pattern", "secret content"}, {"glob", glob}}.dump()}});
    for (const CallResult& result : results) {
      EXPECT_EQ(result.answer.text.find("outside"), std::string::npos) << result.answer.text;
      EXPECT_EQ(result.answer.text.find("passwd"), std::string::npos) << result.answer.text;
    }
  }
}

}  // namespace
}  // namespace clever::tool
