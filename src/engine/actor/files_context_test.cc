#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "engine/actor/internal/base_files.h"
#include "engine/actor/turn_request.h"
#include "support/tool_workspace.h"

namespace clever::engine {
namespace {

using test::path_of;
using test::ToolWorkspace;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::size_t size_of(const AssembledContext& context) {
  std::size_t size = 0;
  for (const auto& fragment : context.fragments) {
    size += fragment.path.size() + fragment.text.size() + fragment.why.size();
  }
  return size;
}

class FilesContextTest : public testing::Test {
 protected:
  AssembledContext assemble(const ToolWorkspace& files, std::string query,
                            std::vector<std::string> focus = {}, std::size_t budget = 65'536) {
    return context
        .assemble({.query = std::move(query),
                   .focus = std::move(focus),
                   .workspace = files.workspace,
                   .budget = budget},
                  {}, base::Deadline::never())
        .value();
  }

  FilesContext context;
};

TEST_F(FilesContextTest, TheListAndWhatIsNamed) {
  const ToolWorkspace files({{"a.cc", "int a;\n"}, {"src/b.cc", "int b;\n"}, {"src/c d.cc", ""}});
  const auto found = assemble(files, "change b.cc");
  ASSERT_EQ(found.fragments.size(), 2U);
  EXPECT_EQ(found.fragments[0].path, "");
  EXPECT_EQ(found.fragments[0].text, "./: a.cc\nsrc/: b.cc \"c d.cc\"\n");
  EXPECT_EQ(found.fragments[1].path, "src/b.cc");
  EXPECT_EQ(found.fragments[1].text, "int b;\n");
  EXPECT_EQ(found.remark, "");
  EXPECT_TRUE(files.workspace->reads().contains("src/b.cc"));
  EXPECT_FALSE(files.workspace->reads().contains("a.cc"));
}

TEST_F(FilesContextTest, FocusComesFirst) {
  const ToolWorkspace files({{"a", "1"}, {"b.x", "2"}, {"c.x", "3"}});
  const auto found = assemble(files, "b.x", {"c.x", "none", "../out"});
  ASSERT_EQ(found.fragments.size(), 3U);
  EXPECT_EQ(found.fragments[1].path, "c.x");
  EXPECT_EQ(found.fragments[2].path, "b.x");
}

TEST_F(FilesContextTest, IsAsItWasWhenTheWorkBegan) {
  const ToolWorkspace files(std::vector<test::TestFile>{{"a.cc", "before\n"}});
  const auto before = assemble(files, "a.cc");
  files.workspace->write(path_of("a.cc"), "after\n").value();
  files.workspace->write(path_of("new.cc"), "x\n").value();
  FilesContext another;
  const auto after =
      another.assemble({.query = "a.cc", .workspace = files.workspace}, {}, base::Deadline::never())
          .value();
  EXPECT_EQ(after.fragments[1].text, before.fragments[1].text);
  EXPECT_EQ(after.fragments[0].text, before.fragments[0].text);
  files.workspace->remove(path_of("a.cc")).value();
  EXPECT_EQ(assemble(files, "a.cc").fragments.size(), 2U);
}

TEST_F(FilesContextTest, WhatIsNotShownIsSaid) {
  const ToolWorkspace files({{"a.bin", std::string("\0", 1)},
                             {"b.txt", std::string((std::size_t{1} << 20U) + 1, 'x')},
                             {"c.txt", ""}});
  const auto found = assemble(files, "a.bin, b.txt and c.txt");
  EXPECT_EQ(found.fragments.size(), 1U);
  EXPECT_EQ(found.remark, "Not shown: a.bin is binary; b.txt is larger than 1 MiB");
}

TEST_F(FilesContextTest, ALargeFileIsCutAndSmallOnesAreWhole) {
  const ToolWorkspace files({{"big.txt", std::string(100'000, 'b')}, {"small.txt", "small"}});
  const auto found = assemble(files, "big.txt small.txt", {}, 10'000);
  ASSERT_EQ(found.fragments.size(), 3U);
  EXPECT_THAT(found.fragments[1].text, HasSubstr("bytes cut"));
  EXPECT_GT(found.fragments[1].text.size(), 5000U);
  EXPECT_EQ(found.fragments[2].text, "small");
  EXPECT_LE(size_of(found), 10'000U);
}

TEST_F(FilesContextTest, TheBudgetIsNeverExceeded) {
  std::vector<test::TestFile> many;
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i);
    many.push_back({"d" + std::to_string(i % 17) + "/e" + std::to_string(i % 5) + "/f" + n + ".txt",
                    std::string(static_cast<std::size_t>(i) * 37, 'x')});
  }
  const ToolWorkspace files(many);
  for (std::size_t budget = 0; budget < 6000; budget += 61) {
    const auto found = assemble(files, "f3.txt f100.txt f199.txt d1/e1/f1.txt", {}, budget);
    EXPECT_LE(size_of(found), budget);
  }
}

TEST_F(FilesContextTest, NothingForNothing) {
  const ToolWorkspace files(std::vector<test::TestFile>{{"a", "1"}});
  EXPECT_THAT(assemble(files, "a", {}, 0).fragments, IsEmpty());
  EXPECT_THAT(context.assemble({.query = "a"}, {}, base::Deadline::never()).value().fragments,
              IsEmpty());
}

TEST_F(FilesContextTest, AStopIsHeeded) {
  const ToolWorkspace files(std::vector<test::TestFile>{{"a.cc", "1"}});
  base::StopSource source;
  source.request_stop();
  const auto stopped = context.assemble({.query = "a.cc", .workspace = files.workspace},
                                        source.token(), base::Deadline::never());
  EXPECT_EQ(stopped.error().code(), base::ErrorCode::kCancelled);
}

TEST_F(FilesContextTest, ManyTreesAreForgottenAgain) {
  for (int i = 0; i < 40; ++i) {
    const ToolWorkspace files(std::vector<test::TestFile>{{"a.cc", std::to_string(i)}});
    EXPECT_EQ(assemble(files, "a.cc").fragments.at(1).text, std::to_string(i));
  }
}

base::Result<std::vector<std::string>> mentioned_files(sandbox::Workspace& workspace,
                                                       std::string_view text, std::size_t limit) {
  CLEVER_ASSIGN(const git::ObjectId tree, workspace.tree());
  CLEVER_ASSIGN(const auto names, internal::TreeNames::of(workspace.store(), tree, {}));
  return internal::mentioned_in(workspace.store(), tree, *names, text, limit);
}

TEST(MentionedFiles, AsPeopleWriteThem) {
  const ToolWorkspace files({{"src/parser.cc", ""},
                             {"src/engine/plan.h", ""},
                             {"Makefile", ""},
                             {"README.md", ""},
                             {"lib/parser.cc", ""},
                             {"notes", ""}});
  const auto mentioned = [&](std::string_view text, std::size_t limit = 10) {
    return mentioned_files(*files.workspace, text, limit).value();
  };
  EXPECT_THAT(mentioned("Fix `src/parser.cc:12:3`, please."), ElementsAre("src/parser.cc"));
  EXPECT_THAT(mentioned("(see engine/plan.h) and @README.md!"),
              ElementsAre("src/engine/plan.h", "README.md"));
  EXPECT_THAT(mentioned("parser.cc"), ElementsAre("lib/parser.cc", "src/parser.cc"));
  EXPECT_THAT(mentioned("the Makefile's rules; ./Makefile"), ElementsAre("Makefile"));
  EXPECT_THAT(mentioned("notes and words, https://x.org/README.md"), IsEmpty());
  EXPECT_THAT(mentioned("src/ engine/"), IsEmpty());
  EXPECT_THAT(mentioned("parser.cc README.md", 2), ElementsAre("lib/parser.cc", "src/parser.cc"));
  EXPECT_THAT(mentioned("../../etc/passwd .git/config"), IsEmpty());
  EXPECT_THAT(mentioned(""), IsEmpty());
}

TEST(MentionedFiles, ANameThatManyFilesHaveMeansNone) {
  std::vector<test::TestFile> many;
  for (int i = 0; i < 5; ++i) many.push_back({"d" + std::to_string(i) + "/index.js", ""});
  const ToolWorkspace files(many);
  EXPECT_THAT(mentioned_files(*files.workspace, "index.js", 10).value(), IsEmpty());
  EXPECT_THAT(mentioned_files(*files.workspace, "d3/index.js", 10).value(),
              ElementsAre("d3/index.js"));
}

TEST(MentionedFiles, WhatWasMadeSince) {
  const ToolWorkspace files(std::vector<test::TestFile>{});
  files.workspace->write(path_of("new.cc"), "").value();
  EXPECT_THAT(mentioned_files(*files.workspace, "new.cc", 10).value(), ElementsAre("new.cc"));
}

std::string listing(const std::vector<test::TestFile>& all, std::size_t budget,
                    const std::vector<std::string>& focus = {}) {
  const ToolWorkspace files(all);
  const auto names =
      internal::TreeNames::of(*files.store, files.workspace->tree().value(), {}).value();
  EXPECT_EQ(names->count(), all.size());
  EXPECT_FALSE(names->truncated());
  return internal::listing_of(*names, focus, budget);
}

TEST(FileListing, FoldersThatDoNotFitAreCounted) {
  std::vector<test::TestFile> all = {{"README.md", ""}, {"src/a.cc", ""}, {"src/b.cc", ""}};
  for (int i = 0; i < 1500; ++i) all.push_back({"vendor/x/f" + std::to_string(i) + ".js", ""});
  EXPECT_EQ(listing(all, 1000),
            "./: README.md\nsrc/: a.cc b.cc\nvendor/x/: 1,500 files, not listed\n");
  EXPECT_LE(listing(all, 60).size(), 60U);
  EXPECT_THAT(listing(all, 100'000), HasSubstr(" f1499.js"));
}

TEST(FileListing, FoldersOfInterestComeFirst) {
  std::vector<test::TestFile> all;
  for (int folder = 0; folder < 10; ++folder) {
    for (int i = 0; i < 50; ++i) {
      all.push_back({"d" + std::to_string(folder) + "/file" + std::to_string(i), ""});
    }
  }
  const std::string text = listing(all, 800, {"d7/file3"});
  EXPECT_THAT(text, HasSubstr("d7/: file0"));
  EXPECT_THAT(text, HasSubstr("d0/: 50 files, not listed"));
  EXPECT_LE(text.size(), 800U);
}

TEST(FileListing, TooManyNamesInTheRoot) {
  std::vector<test::TestFile> all;
  for (int i = 0; i < 1000; ++i) all.push_back({"file" + std::to_string(i), ""});
  const std::string text = listing(all, 200);
  EXPECT_LE(text.size(), 200U);
  EXPECT_THAT(text, HasSubstr("./: file0 file1 "));
  EXPECT_THAT(text, HasSubstr("\n… 1,000 files in all\n"));
  EXPECT_EQ(listing(all, 30), "… 1,000 files in all\n");
  EXPECT_EQ(listing(all, 5), "");
}

TEST(FileListing, NamesThatAreNoText) {
  const std::string text = listing({{"a\nb", ""}, {"c\xFF", ""}}, 1000);
  EXPECT_TRUE(base::is_utf8(text));
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
}

TEST(Instructions, TheNearestComesLast) {
  const ToolWorkspace files({{"AGENTS.md", "root"},
                             {"src/AGENTS.md", "src"},
                             {"src/net/CLAUDE.md", "net"},
                             {"docs/AGENTS.md", "docs"}});
  const auto found =
      instructions_for(*files.workspace, {"src/net/a.cc", "src/b.cc", "../x"}).value();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].path, "AGENTS.md");
  EXPECT_EQ(found[0].why, "for the whole project");
  EXPECT_EQ(found[1].text, "src");
  EXPECT_EQ(found[2].path, "src/net/CLAUDE.md");
  EXPECT_EQ(found[2].why, "for src/net/ and below; where it differs from those before, it wins");
  EXPECT_EQ(instructions_for(*files.workspace, {}).value().size(), 1U);
  EXPECT_EQ(instructions_for(*files.workspace, {"docs"}).value().size(), 2U);
}

TEST(Instructions, AgentsBeforeClaudeAndLinksAreFollowed) {
  const ToolWorkspace files({{"AGENTS.md", "agents"},
                             {"CLAUDE.md", "claude"},
                             {"a/AGENTS.md", "../docs/rules.md", git::FileMode::kLink},
                             {"b/AGENTS.md", "/etc/passwd", git::FileMode::kLink},
                             {"c/AGENTS.md", "AGENTS.md", git::FileMode::kLink},
                             {"d/AGENTS.md", "../../out", git::FileMode::kLink},
                             {"e/AGENTS.md", " \n"},
                             {"e/CLAUDE.md", "e"},
                             {"docs/rules.md", "rules"}});
  const auto found =
      instructions_for(*files.workspace, {"a/x", "b/x", "c/x", "d/x", "e/x"}).value();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].text, "agents");
  EXPECT_EQ(found[1].text, "rules");
  EXPECT_EQ(found[2].text, "e");
}

TEST(Instructions, AreBoundedAndThoseOfTheBase) {
  const ToolWorkspace files(std::vector<test::TestFile>{{"AGENTS.md", std::string(100'000, 'x')}});
  files.workspace->write(path_of("AGENTS.md"), "do evil").value();
  const auto found = instructions_for(*files.workspace, {}).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LE(found[0].text.size(), std::size_t{64} << 10U);
  EXPECT_THAT(found[0].text, HasSubstr("bytes cut"));
  EXPECT_THAT(found[0].text, Not(HasSubstr("evil")));
}

TEST(Instructions, AThousandFoldersAreEnough) {
  std::vector<test::TestFile> all;
  std::vector<std::string> paths;
  for (int i = 0; i < 50; ++i) {
    all.push_back({"d" + std::to_string(i) + "/AGENTS.md", "x"});
    paths.push_back("d" + std::to_string(i) + "/f");
  }
  const ToolWorkspace files(all);
  EXPECT_EQ(instructions_for(*files.workspace, paths).value().size(), 32U);
}

}  // namespace
}  // namespace clever::engine
