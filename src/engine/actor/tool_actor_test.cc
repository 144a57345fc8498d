#include "engine/actor/tool_actor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_workspace.h"

namespace clever::engine {
namespace {

using test::TestFile;
using test::TestWorkspace;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Values = std::map<std::string, std::string>;

Actor actor_of(std::string_view steps, std::string_view arguments = "") {
  return actor_from_yaml("name: a\ntype: tool\narguments: [" + std::string(arguments) +
                             "]\nsteps:\n" + std::string(steps),
                         "a.yaml")
      .value();
}
Actor codemod() { return ActorCatalog::load({}).value().find("codemod").value(); }

std::vector<TestFile> many_files(int count) {
  std::vector<TestFile> files;
  for (int i = 0; i < count; ++i) {
    files.push_back({"src/f" + std::to_string(1000 + i) + ".py", "use(old)\n"});
  }
  return files;
}

class ToolActors : public testing::Test {
 protected:
  std::string work(const Actor& actor, const TestWorkspace& files, const Values& arguments = {},
                   const std::vector<std::string>& paths = {}) {
    const auto result = runner.work(actor, arguments, paths, *files, {});
    return result.ok() ? result->summary : result.error().sentence();
  }

  ToolActorRunner runner{nullptr};
};

TEST_F(ToolActors, ACodemodReplacesEverywhere) {
  const TestWorkspace files({{"a.py", "old older old\n"}, {"b.txt", "old"}, {"c.txt", "new"}});
  const auto result =
      runner.work(codemod(), {{"find", "old"}, {"replace", "new"}}, {}, *files, {}).value();
  EXPECT_EQ(result.replacements, 4);
  EXPECT_EQ(result.files, 2);
  EXPECT_EQ(result.summary, "replaced 4 occurrences in 2 files");
  EXPECT_EQ(files.read("a.py"), "new newer new\n");
  EXPECT_EQ(files.status(), "M a.py M b.txt ");
}

TEST_F(ToolActors, ACodemodByGlobWordAndExpression) {
  const TestWorkspace files({{"a.py", "old(x) older(y)\n"}, {"b.txt", "old(z)"}});
  EXPECT_EQ(work(codemod(), files,
                 {{"find", "old"}, {"replace", "neu"}, {"glob", "*.py"}, {"word", "true"}}),
            "replaced 1 occurrence in 1 file");
  EXPECT_EQ(files.read("a.py"), "neu(x) older(y)\n");
  EXPECT_EQ(work(codemod(), files,
                 {{"find", "(\\w+)\\((\\w)\\)"}, {"replace", "$2.$1"}, {"regex", "true"}}),
            "replaced 3 occurrences in 2 files");
  EXPECT_EQ(files.read("a.py"), "x.neu y.older\n");
  EXPECT_EQ(files.read("b.txt"), "z.old");
}

TEST_F(ToolActors, OnlyItsPathsArePartOfTheWork) {
  const TestWorkspace files({{"a/x", "old"}, {"a/y", "old"}, {"b/z", "old"}, {"c", "old"}});
  EXPECT_EQ(work(codemod(), files, {{"find", "old"}, {"replace", "new"}}, {"a", "c"}),
            "replaced 3 occurrences in 3 files");
  EXPECT_EQ(files.status(), "M a/x M a/y M c ");
  EXPECT_EQ(work(codemod(), files, {{"find", "old"}, {"glob", "*.py"}}, {"b/z"}), "nothing to do");
}

TEST_F(ToolActors, AnInvalidTextIsLeftAloneAndSaid) {
  const TestWorkspace files({{"a", std::string("old\0", 4)},
                             {"b", std::string((std::size_t{16} << 20U) + 1, 'o')},
                             {"c", "a", git::FileMode::kLink},
                             {"d", "old"}});
  EXPECT_EQ(work(codemod(), files, {{"find", "o+ld|old"}, {"regex", "true"}}),
            "replaced 1 occurrence in 1 file; left alone: a (binary), b (larger than 16 MiB)");
  EXPECT_EQ(files.status(), "M d ");
}

TEST_F(ToolActors, ReadOnlyFilesAreAClearError) {
  git::BaseSnapshot snapshot;
  snapshot.filtered = {test::path_of("big.bin")};
  const TestWorkspace files(std::vector<TestFile>{{"big.bin", "old"}}, snapshot);
  EXPECT_EQ(work(codemod(), files, {{"find", "old"}}),
            "local/codemod, step 1 (replace): replacing in big.bin: big.bin is read-only here: an "
            "external filter of the repository (.gitattributes) makes its content");
}

TEST_F(ToolActors, ReplacingBySamenessChangesNothing) {
  const TestWorkspace files(std::vector<TestFile>{{"a", "old"}});
  EXPECT_EQ(work(codemod(), files, {{"find", "old"}, {"replace", "old"}}),
            "replaced 1 occurrence in 0 files");
  EXPECT_EQ(files.status(), "");
}

TEST_F(ToolActors, ManyFilesAreSplitAmongSubplans) {
  const TestWorkspace files(many_files(100));
  const auto strategy = runner.strategize(codemod(), {{"find", "old"}}, *files, {}).value();
  ASSERT_EQ(strategy.steps.size(), 16U);
  std::vector<std::string> all;
  for (const auto& step : strategy.steps) {
    EXPECT_EQ(step.mode, model::StepMode::kSubplan);
    EXPECT_THAT(step.paths.size(), testing::AllOf(testing::Ge(6U), testing::Le(7U)));
    all.insert(all.end(), step.paths.begin(), step.paths.end());
  }
  EXPECT_EQ(all, files.all());
  EXPECT_EQ(strategy.steps[0].id, "part-1");
  EXPECT_EQ(strategy.steps[0].title, "6 files: src/f1000.py … src/f1005.py");
  EXPECT_EQ(strategy.summary, "100 files hold \"old\"; 16 parts are worked on at the same time");
  EXPECT_EQ(files.status(), "");
}

TEST_F(ToolActors, TheParametersOfASplitAreKept) {
  const TestWorkspace files(many_files(20));
  EXPECT_EQ(runner.strategize(codemod(), {{"find", "old"}}, *files, {}).value().steps.size(), 5U);
  const auto regex =
      runner.strategize(codemod(), {{"find", "o.d"}, {"regex", "true"}}, *files, {}).value();
  EXPECT_EQ(regex.steps.size(), 5U);
  const auto none = runner.strategize(codemod(), {{"find", "o.d"}}, *files, {}).value();
  EXPECT_EQ(none.steps.size(), 1U);
  EXPECT_EQ(none.summary, "0 files hold \"o.d\"");
}

TEST_F(ToolActors, FewFilesAreNotSplit) {
  const TestWorkspace files(many_files(8));
  const auto strategy = runner.strategize(codemod(), {{"find", "old"}}, *files, {}).value();
  ASSERT_EQ(strategy.steps.size(), 1U);
  EXPECT_EQ(strategy.steps[0].mode, model::StepMode::kInline);
  EXPECT_EQ(strategy.steps[0].paths.size(), 8U);
  EXPECT_EQ(strategy.steps[0].id, "work");
}

TEST_F(ToolActors, ASplitByGlobAlone) {
  const TestWorkspace files(many_files(9));
  const Actor actor = actor_from_yaml(
                          "{name: a, type: tool, split: {glob: '*.py', into: 2}, "
                          "steps: [{replace: {find: x}}]}",
                          "f")
                          .value();
  const auto strategy = runner.strategize(actor, {}, *files, {}).value();
  EXPECT_EQ(strategy.summary, "9 files; 2 parts are worked on at the same time");
}

TEST_F(ToolActors, AnActorWithoutSplitHasOneStep) {
  const TestWorkspace files(std::vector<TestFile>{});
  const auto strategy = runner.strategize(actor_of("- delete: x\n"), {}, *files, {}).value();
  ASSERT_EQ(strategy.steps.size(), 1U);
  EXPECT_EQ(strategy.steps[0].title, "local/a");
}

TEST_F(ToolActors, FilesFromTemplates) {
  const TestWorkspace files(std::vector<TestFile>{{"there", "x"}});
  const Actor actor = actor_of(
      "- template: {path: 'docs/${name}.md', content: \"# ${name} of ${project}\\n$${name}\\n\"}\n",
      "{name: name, required: true}");
  EXPECT_EQ(work(actor, files, {{"name", "intro"}, {"project", "web"}}), "wrote 1 file");
  EXPECT_EQ(files.read("docs/intro.md"), "# intro of web\n${name}\n");
  EXPECT_THAT(work(actor, files, {{"name", "intro"}}),
              HasSubstr("there is a file docs/intro.md already; add overwrite: true"));
  EXPECT_THAT(work(actor, files, {{"name", "../../etc/x"}}), HasSubstr("step 1 (template)"));
  const Actor again = actor_of("- template: {path: there, content: y, overwrite: true}\n");
  EXPECT_EQ(work(again, files), "wrote 1 file");
  EXPECT_EQ(files.read("there"), "y");
}

TEST_F(ToolActors, DeletingMovingAndModes) {
  const TestWorkspace files({{"a.orig", "1"}, {"s/b.orig", "2"}, {"c", "3"}, {"d.sh", "4"}});
  EXPECT_EQ(work(actor_of("- delete: {glob: '*.orig'}\n- move: {from: c, to: e/c}\n"
                          "- executable: d.sh\n"),
                 files),
            "deleted 2 paths, moved 1 path, set the mode of 1 file");
  EXPECT_THAT(files.all(), ElementsAre("d.sh", "e/c"));
  EXPECT_TRUE(files->read(test::path_of("d.sh")).value().executable);
  EXPECT_EQ(work(actor_of("- executable: {glob: '*.sh', value: false}\n"), files),
            "set the mode of 1 file");
  EXPECT_FALSE(files->read(test::path_of("d.sh")).value().executable);
  EXPECT_THAT(work(actor_of("- delete: none\n"), files),
              HasSubstr("step 1 (delete): deleting none: there is no file none"));
  EXPECT_THAT(work(actor_of("- move: {from: d.sh, to: e/c}\n"), files), HasSubstr("exists at e/c"));
}

TEST_F(ToolActors, AStepForEachFile) {
  const TestWorkspace files({{"a.c", "x"}, {"b.c", "x"}, {"c.h", "x"}});
  const Actor actor = actor_from_yaml(
                          "{name: a, type: tool, split: {glob: '*.c'}, "
                          "steps: [{template: {path: 'out/${path}.txt', content: '${path}'}}]}",
                          "f")
                          .value();
  EXPECT_EQ(work(actor, files, {}, {"a.c", "b.c"}), "wrote 2 files");
  EXPECT_EQ(files.read("out/b.c.txt"), "b.c");
  EXPECT_THAT(work(actor, files, {}, {"a.c"}), HasSubstr("for a.c: there is a file out/a.c.txt"));
}

TEST_F(ToolActors, WhatMustBeFound) {
  const TestWorkspace files(std::vector<TestFile>{{"a", "x"}});
  EXPECT_THAT(work(actor_of("- replace: {find: y, required: true, glob: a}\n"), files),
              HasSubstr("the text to replace is in none of 0 files"));
  EXPECT_EQ(work(actor_of("- replace: {find: x, required: true}\n"), files),
            "replaced 1 occurrence in 1 file");
}

TEST_F(ToolActors, AStopIsHeeded) {
  const TestWorkspace files(std::vector<TestFile>{{"a", "x"}});
  base::StopSource source;
  source.request_stop();
  const auto result = runner.work(codemod(), {{"find", "x"}}, {}, *files, source.token());
  EXPECT_EQ(result.error().code(), base::ErrorCode::kCancelled);
  const auto strategy =
      runner.strategize(codemod(), {{"find", "x"}, {"regex", "true"}}, *files, source.token());
  EXPECT_EQ(strategy.error().code(), base::ErrorCode::kCancelled);
}

TEST_F(ToolActors, Mistakes) {
  const TestWorkspace files(std::vector<TestFile>{{"a", "x"}});
  const Actor model{.name = "local/m", .type = ActorType::kLlm};
  EXPECT_EQ(work(model, files), "the actor local/m works with a model");
  EXPECT_FALSE(runner.strategize(model, {}, *files, {}).ok());
  EXPECT_THAT(work(codemod(), files), HasSubstr("needs the argument \"find\""));
  EXPECT_THAT(work(codemod(), files, {{"find", "("}, {"regex", "true"}}),
              HasSubstr("find is not a regular expression"));
  EXPECT_THAT(work(codemod(), files, {{"find", std::string("\0", 1)}}),
              HasSubstr("contains a NUL"));
  EXPECT_THAT(work(codemod(), files, {{"find", "x"}, {"glob", "["}}), Not(HasSubstr("replaced")));
  EXPECT_THAT(work(codemod(), files, {{"find", "x"}, {"regex", "si"}}),
              HasSubstr("regex is \"si\", but must be true or false"));
  EXPECT_THAT(work(actor_of("- command: [true]\n"), files), HasSubstr("commands cannot run here"));
}

}  // namespace
}  // namespace clever::engine
