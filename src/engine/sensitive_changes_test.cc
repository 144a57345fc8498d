#include "engine/sensitive_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/secret_marks.h"
#include "base/sha256.h"
#include "engine/internal/invisible_text.h"

namespace clever::engine {
namespace {

using diff::FileDiff;
using git::FileMode;
using model::Verdict;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A change of one file, as diff_trees() tells of it.
class Change {
 public:
  explicit Change(const std::string& path) { file_.path = path; }

  Change& was(const std::string& text, FileMode mode = FileMode::kFile) {
    file_.before = node(text, mode);
    before_ = text;
    return *this;
  }
  Change& is(const std::string& text, FileMode mode = FileMode::kFile) {
    file_.after = node(text, mode);
    after_ = text;
    return *this;
  }
  Change& came_from(const std::string& path) {
    file_.from = path;
    return *this;
  }
  Change& binary() {
    file_.binary = true;
    return *this;
  }

  [[nodiscard]] std::vector<SensitiveChange> found(const std::string& hooks_path = "") const {
    FileDiff file = file_;
    if (!file.binary) file.hunks = diff::hunks_of(file.path, before_, after_);
    const SensitiveContext context{
        .hooks_path = hooks_path,
        .content = [this](const git::Node& node) -> base::Result<std::string> {
          return contents_.at(node.id);
        }};
    return sensitive_changes(std::span(&file, 1), context);
  }
  /// "ci", "invisible-text:3"
  [[nodiscard]] std::vector<std::string> kinds(const std::string& hooks_path = "") const {
    std::vector<std::string> names;
    for (const SensitiveChange& change : found(hooks_path)) {
      EXPECT_EQ(change.path, file_.path);
      EXPECT_FALSE(change.reason.empty());
      names.push_back(std::string(change.kind) +
                      (change.line == 0 ? "" : ":" + std::to_string(change.line)));
    }
    return names;
  }

 private:
  git::Node node(const std::string& text, FileMode mode) {
    const std::string hash = base::sha256(text).to_hex();
    const git::Node made{.mode = mode, .id = git::ObjectId::from_hex(hash.substr(0, 40)).value()};
    contents_[made.id] = text;
    return made;
  }

  FileDiff file_;
  std::string before_;
  std::string after_;
  std::map<git::ObjectId, std::string> contents_;
};

std::vector<std::string> kinds_of_path(const std::string& path) {
  return Change(path).was("a\n").is("b\n").kinds();
}

TEST(Sensitive, PathsThatSomethingRuns) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> table{
      {"git-hook", {".githooks/pre-commit", ".husky/pre-push", ".pre-commit-config.yaml"}},
      {"submodule", {".gitmodules", "lib/.gitmodules"}},
      {"shell-environment", {".envrc", "tools/.envrc"}},
      {"editor-task",
       {".vscode/tasks.json", "app/.vscode/settings.json", ".devcontainer/devcontainer.json",
        ".idea/runConfigurations/x.xml"}},
      {"ci",
       {".github/workflows/ci.yml", ".GitHub/Workflows/ci.yml", ".gitlab-ci.yml", ".forgejo/x.yml",
        ".gitea/workflows/a.yml", ".circleci/config.yml", "azure-pipelines.yml", "Jenkinsfile",
        "ci/Jenkinsfile.release"}},
      {"agent-config",
       {".cleveragents/config.toml", ".claude/settings.json", ".codex/config.toml",
        ".gemini/settings.json", ".mcp.json", "opencode.json", "AGENTS.md", "src/CLAUDE.md",
        "GEMINI.md"}}};
  for (const auto& [kind, paths] : table) {
    for (const std::string& path : paths) {
      EXPECT_THAT(kinds_of_path(path), ElementsAre(kind)) << path;
    }
  }
}

TEST(Sensitive, OtherPathsAreLeftAlone) {
  for (const char* path : {"README.md", "docs/AGENTS.md.txt", "github/workflows/ci.yml",
                           "src/envrc", "vscode/tasks.json", "package.json.bak", "agents.mdx"}) {
    EXPECT_THAT(kinds_of_path(path), IsEmpty()) << path;
  }
}

TEST(Sensitive, WhatIsDeletedOrMovedCountsToo) {
  EXPECT_THAT(Change(".github/workflows/ci.yml").was("a\n").kinds(), ElementsAre("ci"));
  EXPECT_THAT(Change("old.yml").came_from(".github/workflows/ci.yml").was("a\n").is("a\n").kinds(),
              ElementsAre("ci"));
}

TEST(Sensitive, TheFolderThatCoreHooksPathNames) {
  const Change change = Change("my-hooks/pre-push").is("#!/bin/sh\n");
  EXPECT_THAT(change.kinds("my-hooks"), ElementsAre("git-hook"));
  EXPECT_THAT(change.kinds(), IsEmpty());
  EXPECT_THAT(change.kinds("my"), IsEmpty());
}

TEST(Sensitive, AttributesThatNameADriver) {
  EXPECT_THAT(Change(".gitattributes").was("*.c text\n").is("*.c text\n*.bin filter=x\n").kinds(),
              ElementsAre("git-attributes:2"));
  EXPECT_THAT(Change("a/.gitattributes").is("*.c merge=ours\n").kinds(),
              ElementsAre("git-attributes:1"));
  EXPECT_THAT(Change(".gitattributes").is("*.c text\n").kinds(), IsEmpty());
}

TEST(Sensitive, Submodules) {
  EXPECT_THAT(Change("lib").is("Subproject commit 1\n", FileMode::kSubmodule).kinds(),
              ElementsAre("submodule"));
}

TEST(Sensitive, ScriptsOfPackages) {
  const std::string plain = R"({"name":"a","version":"1"})";
  const std::string scripted = R"({"name":"a","scripts":{"test":"x"}})";
  EXPECT_THAT(Change("package.json").is(scripted).kinds(), ElementsAre("package-script"));
  EXPECT_THAT(Change("web/package.json").was(plain).is(scripted).kinds(),
              ElementsAre("package-script"));
  EXPECT_THAT(Change("package.json").was(scripted).is(R"({"scripts":{"test":"y"}})").kinds(),
              ElementsAre("package-script"));
  EXPECT_THAT(Change("package.json").is(R"({"husky":{"hooks":{}}})").kinds(),
              ElementsAre("package-script"));
  EXPECT_THAT(Change("package.json").was(plain).is("{ broken").kinds(),
              ElementsAre("package-script"));
  EXPECT_THAT(
      Change("package.json").was(scripted).is(R"({"name":"b","scripts":{"test":"x"}})").kinds(),
      IsEmpty());
  EXPECT_THAT(Change("package.json").was(scripted).is(plain).kinds(), IsEmpty());
  EXPECT_THAT(Change("package.json").was(scripted).kinds(), IsEmpty());
}

TEST(Sensitive, TheSetUserIdBit) {
  const auto set_id = static_cast<FileMode>(0104755);
  EXPECT_THAT(Change("a").was("x", FileMode::kExecutable).is("x", set_id).kinds(),
              ElementsAre("set-user-id"));
  EXPECT_THAT(Change("a").was("x", set_id).is("y", set_id).kinds(), IsEmpty());
}

TEST(Sensitive, LinksThatLeadOut) {
  const auto link = [](const std::string& path, const std::string& target) {
    return Change(path).is(target, FileMode::kLink).kinds();
  };
  EXPECT_THAT(link("a", "/etc/passwd"), ElementsAre("link-outside"));
  EXPECT_THAT(link("a", "../x"), ElementsAre("link-outside"));
  EXPECT_THAT(link("d/a", "../../x"), ElementsAre("link-outside"));
  EXPECT_THAT(link("d/a", "b/../../../x"), ElementsAre("link-outside"));
  EXPECT_THAT(link("d/a", "../x"), IsEmpty());
  EXPECT_THAT(link("a", "./b/../c"), IsEmpty());
  EXPECT_THAT(Change("a").was("/etc/passwd", FileMode::kLink).is("text").kinds(), IsEmpty());
}

TEST(Sensitive, TextThatCannotBeSeen) {
  EXPECT_THAT(Change("a.c").was("a\n").is("a\nif (x) \u202E{ return; }\n").kinds(),
              ElementsAre("invisible-text:2"));
  EXPECT_THAT(Change("a.c").is("int a\u200Bb;\n").kinds(), ElementsAre("invisible-text:1"));
  EXPECT_THAT(Change("evil\u202Egnp.sh").is("a\n").kinds(), ElementsAre("invisible-text"));
  // It was there before, and only moved.
  EXPECT_THAT(Change("a.c").was("x\u200By\nb\n").is("b\nx\u200By\n").kinds(), IsEmpty());
  EXPECT_THAT(Change("a.c").was("x\u200By\n").is("xy\n").kinds(), IsEmpty());
}

TEST(Sensitive, WhichCharactersHide) {
  for (const char* text : {"a\u202Ab", "\u2066", "a\u200B", "\u200Fx", "a\u2060b", "a\uFEFFb",
                           "a\u00ADb", "\U000E0041", "a\u200Cb", "x\uFE0F", "é\uFE0F\uFE01"}) {
    EXPECT_TRUE(internal::hides_text(text)) << text;
  }
  for (const char* text : {"", "plain", "Grüße", "日本語", "1\uFE0F\u20E3", "\u2764\uFE0F",
                           "\U0001F469\u200D\U0001F4BB", "\u0645\u06CC\u200C\u062E", "\uFEFFfirst",
                           "\xE2\x80", "\xFF\xFE", "\xC3"}) {
    EXPECT_FALSE(internal::hides_text(text)) << text;
  }
}

TEST(Sensitive, BinariesThatBecomeExecutable) {
  EXPECT_THAT(Change("tool").binary().is("\x7F", FileMode::kExecutable).kinds(),
              ElementsAre("executable-binary"));
  EXPECT_THAT(Change("tool").binary().was("\x7F").is("\x7F", FileMode::kExecutable).kinds(),
              ElementsAre("executable-binary"));
  EXPECT_THAT(Change("image").binary().is("\x7F").kinds(), IsEmpty());
  EXPECT_THAT(Change("tool")
                  .binary()
                  .was("a", FileMode::kExecutable)
                  .is("b", FileMode::kExecutable)
                  .kinds(),
              IsEmpty());
  EXPECT_THAT(Change("run.sh").is("#!/bin/sh\n", FileMode::kExecutable).kinds(), IsEmpty());
}

TEST(Sensitive, MarksOfOurOwn) {
  for (const std::string_view mark : base::kSecretMarks) {
    const std::string line = "password = " + std::string(mark) + "\n";
    EXPECT_THAT(Change("a.env").was("password = x\n").is(line).kinds(),
                ElementsAre("redaction-mark:1"));
    EXPECT_THAT(Change("a.env").was(line).is(line + "b\n").kinds(), IsEmpty());
  }
  EXPECT_THAT(Change("a.js").was("x\n").is("x [… 4,002 bytes cut …]\n").kinds(),
              ElementsAre("redaction-mark:1"));
}

TEST(Sensitive, EachKindOfAPathIsReportedOnce) {
  EXPECT_THAT(Change(".githooks/x").is("a\u200Bb\nc\u200Bd\n").kinds(".githooks"),
              ElementsAre("git-hook", "invisible-text:1"));
}

// ---- rules

model::Control control(std::vector<std::pair<Verdict, std::string>> rules) {
  model::Control made;
  for (auto& [verdict, rule] : rules) made.permissions.push_back({verdict, rule, "your settings"});
  return made;
}

SensitiveVerdict judged(std::vector<std::pair<Verdict, std::string>> rules) {
  return judge_sensitive(
      {{".github/workflows/a.yml", "ci", "x"}, {"AGENTS.md", "agent-config", "x"}},
      control(std::move(rules)));
}

TEST(SensitiveRules, WithoutOneAPersonIsAsked) {
  EXPECT_EQ(judged({}).asked,
            "sensitive changes need a person: .github/workflows/a.yml (ci), AGENTS.md "
            "(agent-config)");
  EXPECT_EQ(judged({}).denied, "");
  EXPECT_EQ(judge_sensitive({}, {}).asked, "");
}

TEST(SensitiveRules, AllowTakesAKindOrAPath) {
  EXPECT_EQ(judged({{Verdict::kAllow, "sensitive(*)"}}).asked, "");
  EXPECT_EQ(judged({{Verdict::kAllow, "sensitive"}}).asked, "");
  EXPECT_EQ(judged({{Verdict::kAllow, "sensitive(ci)"}}).asked,
            "sensitive changes need a person: AGENTS.md (agent-config)");
  EXPECT_EQ(judged({{Verdict::kAllow, "sensitive(.github/**)"},
                    {Verdict::kAllow, "sensitive(agent-config)"}})
                .asked,
            "");
}

TEST(SensitiveRules, DenyBeatsAskBeatsAllow) {
  const auto verdict = judged({{Verdict::kAllow, "sensitive(*)"},
                               {Verdict::kAsk, "sensitive(agent-config)"},
                               {Verdict::kDeny, "sensitive(ci)"}});
  EXPECT_EQ(verdict.denied, "a rule denies sensitive changes: .github/workflows/a.yml (ci)");
  EXPECT_EQ(verdict.asked, "sensitive changes need a person: AGENTS.md (agent-config)");
}

TEST(SensitiveRules, AWordForAllToolsDoesNotCoverChanges) {
  EXPECT_NE(judged({{Verdict::kAllow, "*"}}).asked, "");
  EXPECT_EQ(judged({{Verdict::kDeny, "run_command"}}).denied, "");
}

TEST(SensitiveRules, ManyAreCounted) {
  std::vector<SensitiveChange> many;
  for (int i = 0; i < 7; ++i) many.push_back({"a" + std::to_string(i), "ci", "x"});
  EXPECT_THAT(judge_sensitive(many, {}).asked,
              AllOf(HasSubstr("a4 (ci) and 2 more"), Not(HasSubstr("a5"))));
}

// What counts at a project's root counts at the root of each of several.
TEST(SensitiveChanges, AreSeenInEachProjectOfAGroup) {
  PlanFiles files;
  for (const char* name : {"api", "web"}) {
    git::Project member;
    member.name = name;
    files.project.members.push_back(std::move(member));
  }
  std::vector<FileDiff> diffs(3);
  diffs[0].path = "api/.github/workflows/ci.yml";
  diffs[1].path = "web/sub/.github/workflows/ci.yml";
  diffs[2].path = "web/.travis.yml";
  diffs[2].from = "api/.travis.yml";
  const auto found = sensitive_changes(files, diffs);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].path, "api/.github/workflows/ci.yml");
  EXPECT_EQ(found[1].path, "web/.travis.yml");
}

}  // namespace
}  // namespace clever::engine
