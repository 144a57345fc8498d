#include "tool/builtin_tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "support/repository.h"
#include "support/tool_workspace.h"
#include "tool/runner.h"
#include "tool/testing/test_tool.h"

namespace clever::tool {
namespace {

using test::path_of;
using test::ToolWorkspace;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class BuiltinTools : public testing::Test {
 protected:
  ToolAnswer call(const std::string& name, std::string arguments) {
    auto results = runner.run({.tools = tools,
                               .workspace = files.workspace,
                               .calls = {{"1", name, std::move(arguments)}}});
    EXPECT_EQ(results.at(0).outcome, Outcome::kAnswered) << results[0].answer.text;
    EXPECT_TRUE(base::is_utf8(results[0].answer.text));
    return std::move(results[0].answer);
  }
  void check(const std::string& name, std::string arguments, std::string_view text) {
    const ToolAnswer answer = call(name, std::move(arguments));
    EXPECT_FALSE(answer.failed);
    EXPECT_EQ(answer.text, text);
  }
  std::string check_fails(const std::string& name, std::string arguments) {
    const ToolAnswer answer = call(name, std::move(arguments));
    EXPECT_TRUE(answer.failed) << answer.text;
    return answer.text;
  }

  ToolWorkspace files{{{"a.txt", "one\ntwo\nthree\n"},
                       {"src/main.cc", "int main() {\n  return 0;\n}\n"},
                       {"src/deep/x.h", "#pragma once\n"},
                       {"image.png", std::string("\x89PNG\r\n\x1A\n\0\0", 10)},
                       {"latin.txt", "caf\xE9\n"}}};
  base::SystemClock clock;
  base::Secrets secrets;
  ToolRunner runner{clock, {.threads = 2, .secrets = &secrets}};
  std::shared_ptr<const ToolSnapshot> tools = internal::snapshot_of(builtin_tools({}));
};

TEST_F(BuiltinTools, TheirNames) {
  std::vector<std::string> names;
  for (const auto& entry : tools->tools()) names.push_back(entry.first);
  EXPECT_THAT(names, ElementsAre("delete_file", "edit_file", "git_blame", "git_diff", "git_log",
                                 "list_files", "move_file", "read_file", "search", "write_file"));
}

TEST_F(BuiltinTools, TheirInputs) {
  const auto signature = [&](std::string_view name) {
    return tools->find(name).value()->input->signature();
  };
  EXPECT_EQ(signature("read_file"), "{end_line?: integer, path: string, start_line?: integer}");
  EXPECT_EQ(signature("write_file"), "{content: string, path: string}");
  EXPECT_EQ(signature("edit_file"),
            "{new_text: string, old_text: string, path: string, replace_all?: boolean}");
  EXPECT_EQ(signature("delete_file"), "{path: string}");
  EXPECT_EQ(signature("move_file"), "{from: string, to: string}");
  EXPECT_EQ(signature("list_files"), "{glob?: string}");
  EXPECT_EQ(signature("search"),
            "{glob?: string, max_results?: integer, pattern: string, regex?: boolean}");
  EXPECT_EQ(signature("git_log"), "{max?: integer, path?: string}");
  EXPECT_EQ(signature("git_diff"), "{}");
  EXPECT_EQ(signature("git_blame"), "{end_line?: integer, path: string, start_line?: integer}");
}

TEST_F(BuiltinTools, EachRefusesWhatItDoesNotKnow) {
  for (const auto& entry : tools->tools()) {
    const auto checked = entry.second->input->check(R"({"surprise":1})");
    ASSERT_FALSE(checked.ok()) << entry.first;
    EXPECT_THAT(checked.error().message(), HasSubstr("has no property \"surprise\""));
  }
}

TEST_F(BuiltinTools, EachSaysWhatItMayDo) {
  for (const auto& entry : tools->tools()) {
    const ToolSpec& spec = entry.second->tool->spec();
    EXPECT_NE(spec.capabilities.read_only, spec.capabilities.writes) << spec.name;
    EXPECT_EQ(spec.source, Source::kBuiltin);
    EXPECT_GT(spec.description.size(), 40U);
  }
}

TEST_F(BuiltinTools, EachNeedsAWorkspace) {
  for (const auto& entry : tools->tools()) {
    const auto answer = entry.second->tool->call({}, "{}");
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().message(), entry.first + " needs a workspace, but this call has none");
  }
}

TEST_F(BuiltinTools, EachSurvivesInputThatWasNotChecked) {
  const CallContext context{.workspace = files.workspace};
  for (const auto& entry : tools->tools()) {
    EXPECT_FALSE(entry.second->tool->call(context, "[").ok());
    EXPECT_FALSE(entry.second->tool->call(context, "[]").ok());
    (void)entry.second->tool->call(context, R"({"path":1,"max":1e300,"start_line":-1e300})");
    (void)entry.second->tool->call(context,
                                   R"({"path":"a.txt","start_line":18446744073709551615})");
  }
}

TEST_F(BuiltinTools, ReadFile) {
  check("read_file", R"({"path":"a.txt"})", "     1\tone\n     2\ttwo\n     3\tthree\n");
  check("read_file", R"({"path":"./a.txt","start_line":2,"end_line":2.0})",
        "     2\ttwo\n[lines 2 to 2 of 3]\n");
}

TEST_F(BuiltinTools, ReadFileDescribesBinaryFiles) {
  EXPECT_THAT(call("read_file", R"({"path":"image.png"})").text,
              StartsWith("binary file (PNG image), 10 bytes, SHA-256 "));
}

TEST_F(BuiltinTools, ReadFileShowsBytesSafely) {
  EXPECT_THAT(call("read_file", R"({"path":"latin.txt"})").text,
              StartsWith("     1\tcaf\xEF\xBF\xBD\n"));
}

TEST_F(BuiltinTools, ReadFileSaysWhatIsWrong) {
  EXPECT_THAT(check_fails("read_file", R"({"path":"a.tx"})"), HasSubstr("a.txt"));
  EXPECT_EQ(check_fails("read_file", R"({"path":"a.txt","start_line":9})"),
            "a.txt: start_line is 9, but the file has only 3 lines");
  EXPECT_THAT(check_fails("read_file", R"({"path":"a.txt","start_line":3,"end_line":2})"),
              StartsWith("lines 3 to 2 are not a range"));
  check_fails("read_file", R"({"path":"src"})");
}

TEST_F(BuiltinTools, WriteFile) {
  check("write_file", R"({"path":"new/file","content":"héllo\n"})", "wrote 7 bytes to new/file");
  EXPECT_EQ(files.files().at("new/file"), "héllo\n");
}

TEST_F(BuiltinTools, EditFile) {
  check("edit_file", R"({"path":"a.txt","old_text":"two","new_text":"2"})",
        "replaced 1 place in a.txt");
  EXPECT_EQ(files.files().at("a.txt"), "one\n2\nthree\n");
  check("edit_file", R"({"path":"a.txt","old_text":"e","new_text":"E","replace_all":true})",
        "replaced 3 places in a.txt");
}

TEST_F(BuiltinTools, EditFileShowsWhatIsNear) {
  EXPECT_THAT(check_fails("edit_file", R"({"path":"a.txt","old_text":"twoo","new_text":"2"})"),
              HasSubstr("two"));
  check_fails("edit_file", R"({"path":"a.txt","old_text":"e","new_text":"E"})");
  EXPECT_EQ(files.files().at("a.txt"), "one\ntwo\nthree\n");
}

TEST_F(BuiltinTools, DeleteFile) {
  check("delete_file", R"({"path":"a.txt"})", "deleted a.txt");
  EXPECT_FALSE(files.files().contains("a.txt"));
  check_fails("delete_file", R"({"path":"a.txt"})");
}

TEST_F(BuiltinTools, MoveFile) {
  check("move_file", R"({"from":"a.txt","to":"b/c.txt"})", "moved a.txt to b/c.txt");
  EXPECT_EQ(files.files().at("b/c.txt"), "one\ntwo\nthree\n");
  check_fails("move_file", R"({"from":"b/c.txt","to":"src/main.cc"})");
}

TEST_F(BuiltinTools, ListFiles) {
  check("list_files", "{}", "a.txt\nimage.png\nlatin.txt\nsrc/deep/x.h\nsrc/main.cc\n");
  check("list_files", R"({"glob":"**/*.h"})", "src/deep/x.h\n");
  check("list_files", R"({"glob":"*.none"})", "no file matches *.none");
}

TEST_F(BuiltinTools, ListFilesOfNothing) {
  files.workspace = ToolWorkspace({}).workspace;
  check("list_files", "{}", "there are no files");
}

TEST_F(BuiltinTools, ListFilesIsLimited) {
  std::vector<test::TestFile> many;
  for (int i = 0; i < 2100; ++i) many.push_back({"f" + std::to_string(i), ""});
  const ToolWorkspace large(many);
  files.workspace = large.workspace;
  const ToolAnswer answer = call("list_files", "{}");
  EXPECT_TRUE(answer.truncated);
  EXPECT_THAT(answer.text, testing::EndsWith("[only the first 2000 are shown: narrow it down with "
                                             "glob, such as \"src/**/*.h\"]\n"));
}

TEST_F(BuiltinTools, NamesThatAreNoTextAreShownSafely) {
  files.workspace->write(path_of("b\xFF\nad"), "needle\n").value();
  EXPECT_THAT(call("list_files", "{}").text, HasSubstr("b\\xff\\nad\n"));
  EXPECT_EQ(call("search", R"({"pattern":"needle"})").text, "b\\xff\\nad:1: needle\n");
}

TEST_F(BuiltinTools, Search) {
  check("search", R"({"pattern":"return"})", "src/main.cc:2:   return 0;\n");
  check("search", R"({"pattern":"^t.*","regex":true,"glob":"*.txt"})",
        "a.txt:2: two\na.txt:3: three\n");
  EXPECT_THAT(call("search", R"({"pattern":"nowhere"})").text, StartsWith("nothing found in "));
}

TEST_F(BuiltinTools, SearchIsLimited) {
  const ToolAnswer answer = call("search", R"({"pattern":"e","max_results":1})");
  EXPECT_TRUE(answer.truncated);
  EXPECT_EQ(answer.text,
            "a.txt:1: one\n[only the first 1 matches are shown: narrow it down with glob, or raise "
            "max_results]\n");
}

TEST_F(BuiltinTools, SearchSaysWhatIsWrongWithAnExpression) {
  check_fails("search", R"({"pattern":"(","regex":true})");
}

TEST_F(BuiltinTools, GitDiff) {
  check("git_diff", "{}", "no file has changed");
  files.workspace->write(path_of("a.txt"), "one\n2\nthree\n").value();
  const std::string text = call("git_diff", "{}").text;
  EXPECT_THAT(text, StartsWith("diff --git a/a.txt b/a.txt\n"));
  EXPECT_THAT(text, HasSubstr("-two\n+2\n"));
}

TEST_F(BuiltinTools, WithoutARepositoryThereIsNoHistory) {
  EXPECT_THAT(check_fails("git_log", "{}"), HasSubstr("history"));
  EXPECT_THAT(check_fails("git_blame", R"({"path":"a.txt"})"), HasSubstr("history"));
}

class History : public BuiltinTools {
 protected:
  void look() {
    tools = internal::snapshot_of(
        builtin_tools({.project = git::Project::find(repository.path()).value()}));
  }
  const test::Repository repository;
};

TEST_F(History, Log) {
  look();
  check("git_log", "{}", "there is no such commit\n");
  repository.write("a.txt", "one\n");
  const std::string first = repository.commit("First");
  repository.write("b[1].txt", "x\n");
  repository.commit("Second");
  EXPECT_THAT(call("git_log", R"({"path":"a.txt"})").text,
              testing::AllOf(StartsWith(first.substr(0, 10)), testing::EndsWith(" Ada: First\n")));
  EXPECT_THAT(call("git_log", R"({"max":1})").text,
              testing::EndsWith(" Ada: Second\n[there are older ones: raise max to see them]\n"));
  EXPECT_THAT(call("git_log", R"({"path":"b[1].txt"})").text, HasSubstr("Second"));
  check("git_log", R"({"path":":(top)a.txt"})", "there is no such commit\n");
}

TEST_F(History, Blame) {
  repository.write("a.txt", "one\ntwo\nthree\n");
  const std::string id = repository.commit("First").substr(0, 10);
  look();
  EXPECT_THAT(call("git_blame", R"({"path":"a.txt","start_line":2,"end_line":2})").text,
              testing::AllOf(StartsWith("2 " + id), testing::EndsWith(" Ada: two\n")));
  files.workspace->write(path_of("a.txt"), "one\nnew\nthree\n").value();
  EXPECT_THAT(call("git_blame", R"({"path":"a.txt"})").text,
              HasSubstr("\n2 (not committed) new\n3 " + id));
  check_fails("git_blame", R"({"path":"none"})");
  check_fails("git_blame", R"({"path":"a.txt","start_line":9})");
  EXPECT_THAT(check_fails("git_blame", R"({"path":"a.txt","start_line":2,"end_line":1})"),
              StartsWith("lines 2 to 1 are not a range"));
}

constexpr std::string_view kWithheldFile = "[this file holds a known secret and is withheld]\n";

TEST_F(BuiltinTools, AFileWithAKnownSecretIsSaidToBeWithheld) {
  secrets.add("correct-horse-battery");
  call("write_file", R"({"path":"env","content":"A=1\nKEY=correct-horse-battery\nB=2\n"})");
  check("read_file", R"({"path":"env"})", kWithheldFile);
  check("read_file", R"({"path":"env","start_line":1,"end_line":1})", kWithheldFile);
  check("search", R"({"pattern":"B="})",
        "env:3: [this file holds a known secret and is withheld]\n");
  check("git_diff", "{}",
        "diff --git a/env b/env\n[this file holds a known secret and is withheld]\n");
}

TEST_F(BuiltinTools, AFileWithAKnownSecretCanBeEdited) {
  secrets.add("correct-horse-battery");
  call("write_file", R"({"path":"env","content":"A=1\nKEY=correct-horse-battery\n"})");
  call("edit_file", R"({"path":"env","old_text":"A=1","new_text":"A=2"})");
  EXPECT_EQ(files.files()["env"], "A=2\nKEY=correct-horse-battery\n");
}

TEST_F(BuiltinTools, SourceThatOnlyLooksSecretIsShownAsItIs) {
  secrets.add("correct-horse-battery");
  call("write_file", R"({"path":"a.py","content":"def login(password: str, secret: bytes):\n"})");
  check("read_file", R"({"path":"a.py"})", "     1\tdef login(password: str, secret: bytes):\n");
}

TEST_F(BuiltinTools, ALineThatWasCutIsNotWrittenBackAsItsMark) {
  const std::string line = "x=" + std::string(5000, 'a') + "\n";
  call("write_file", R"({"path":"min.js","content":")" + line.substr(0, 5002) + R"(\n"})");
  EXPECT_THAT(
      check_fails("write_file", R"({"path":"min.js","content":"x=a [… 3,002 bytes cut …]"})"),
      HasSubstr("edit_file"));
  EXPECT_EQ(files.files()["min.js"], line);
  // What stands in the file itself is text as any other, and so it is in a new file.
  call("write_file", R"({"path":"a.md","content":"[… 7 bytes cut …]\n"})");
  call("write_file", R"({"path":"a.md","content":"See [… 7 bytes cut …]\n"})");
  EXPECT_EQ(files.files()["a.md"], "See [… 7 bytes cut …]\n");
}

TEST_F(BuiltinTools, BytesThatAreNotUtf8AreNotWrittenBackAsReplacements) {
  EXPECT_THAT(
      check_fails("write_file", "{\"path\":\"latin.txt\",\"content\":\"caf\xEF\xBF\xBD!\\n\"}"),
      HasSubstr("edit_file"));
  EXPECT_EQ(files.files()["latin.txt"], "caf\xE9\n");
  call("edit_file", R"({"path":"latin.txt","old_text":"caf","new_text":"Caf"})");
  EXPECT_EQ(files.files()["latin.txt"], "Caf\xE9\n");
  call("write_file", R"({"path":"latin.txt","content":"coffee\n"})");
  EXPECT_EQ(files.files()["latin.txt"], "coffee\n");
}

}  // namespace
}  // namespace clever::tool
