#include "cli/help.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/manual.h"
#include "cli/parse.h"
#include "cli/render.h"
#include "cli/words.h"
#include "model/document_json.h"
#include "service/text.h"

namespace clever::cli {
namespace {

using testing::HasSubstr;

std::string help_of(const CommandPath& path, std::size_t width = 80) {
  return render_plain({help_text(path, width)});
}

// Calls visit(path) for every command that is shown.
template <class Visit>
void for_each_command(const CommandPath& path, const Visit& visit) {
  visit(path);
  for (const Command& subcommand : path.back()->subcommands) {
    if (subcommand.hidden) continue;
    CommandPath below = path;
    below.push_back(&subcommand);
    for_each_command(below, visit);
  }
}

TEST(HelpTest, ShowsArgumentsOptionsAndExamples) {
  const Command root = command_tree();
  const Command* config = find_subcommand(root, "config");
  const std::string help = help_of({&root, config, find_subcommand(*config, "set")});
  EXPECT_THAT(help, HasSubstr("Usage: agents config set KEY VALUE [--project]\n"));
  EXPECT_THAT(help, HasSubstr("\nArguments:\n  KEY    The setting, such as model.default\n"));
  EXPECT_THAT(help, HasSubstr("\nOptions:\n      --project  Use the project's"));
  EXPECT_THAT(help, HasSubstr("\nGlobal options:\n      --format FORMAT"));
  EXPECT_THAT(help, HasSubstr("  # Choose the model\n  agents config set model.default"));
}

TEST(HelpTest, ListsCommandsButNotHiddenOnes) {
  const Command root = command_tree();
  const std::string help = help_of({&root});
  EXPECT_THAT(help, HasSubstr("  diagnostics  Check what"));
  EXPECT_THAT(help, Not(HasSubstr("manual")));
  EXPECT_THAT(help, HasSubstr("`agents COMMAND --help` says more"));
}

TEST(HelpTest, NamesAliases) {
  const Command root = command_tree();
  EXPECT_THAT(help_of({&root, find_subcommand(root, "doctor")}), HasSubstr("\nAlias: doctor\n"));
}

TEST(HelpTest, EveryCommandHasASummaryAndExamples) {
  const Command root = command_tree();
  for_each_command({&root}, [](const CommandPath& path) {
    EXPECT_FALSE(path.back()->summary.empty()) << joined(path);
    EXPECT_FALSE(path.back()->examples.empty()) << joined(path);
    EXPECT_TRUE(path.back()->handler != nullptr || !path.back()->subcommands.empty());
  });
}

TEST(HelpTest, StaysWithinItsWidth) {
  const Command root = command_tree();
  for_each_command({&root}, [](const CommandPath& path) {
    for (const Line& line : help_text(path, 80).lines) {
      const std::string text = painted(line, Look{});
      // Examples are there to be copied and are never broken.
      if (!text.starts_with("  agents ")) {
        EXPECT_LE(columns(text), 80U) << text;
      }
    }
  });
}

// The words of an example up to the first that a shell would treat, without the program's name.
std::vector<std::string> example_words(std::string_view example) {
  std::vector<std::string> words;
  const std::size_t begin = example.find("agents ");
  std::string_view rest = example.substr(begin + 7);
  rest = rest.substr(0, rest.find_first_of("|)"));
  while (!rest.empty()) {
    const char first = rest.front();
    const bool quoted = first == '"' || first == '\'';
    if (quoted) rest.remove_prefix(1);
    const std::string_view word = rest.substr(0, rest.find(quoted ? first : ' '));
    if (!word.empty()) words.emplace_back(word);
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return words;
}

TEST(HelpTest, EveryExampleCanBeTyped) {
  const Command root = command_tree();
  for_each_command({&root}, [&root](const CommandPath& path) {
    for (const Example& example : path.back()->examples) {
      const Parsed parsed = parse(root, example_words(example.command));
      EXPECT_FALSE(parsed.error.has_value()) << example.command << ": " << parsed.error->message;
    }
  });
}

TEST(HelpTest, DataMirrorsTheTree) {
  const Command root = command_tree();
  const std::string json = to_json(help_data({&root}));
  EXPECT_THAT(json, HasSubstr(R"("name":"agents config set")"));
  EXPECT_THAT(json, HasSubstr(R"("choices":["bash","zsh","fish"])"));
  EXPECT_THAT(json, HasSubstr(R"({"name":"--directory","letter":"-C","value":"DIR")"));
  EXPECT_THAT(json, HasSubstr(R"("aliases":["doctor"])"));
}

TEST(ManualTest, ThereIsAPageForEveryCommand) {
  const Command root = command_tree();
  const auto pages = manual_pages(root, "1.2.3");
  std::size_t commands = 0;
  for_each_command({&root}, [&commands](const CommandPath&) { ++commands; });
  EXPECT_EQ(pages.size(), commands);
  EXPECT_EQ(pages.front().file_name, "agents.1");
}

const ManualPage& page_of(const std::vector<ManualPage>& pages, std::string_view name) {
  for (const ManualPage& page : pages) {
    if (page.file_name == name) return page;
  }
  ADD_FAILURE() << "no page " << name;
  return pages.front();
}

TEST(ManualTest, APageHasTheUsualSections) {
  const auto pages = manual_pages(command_tree(), "1.2.3");
  const std::string& text = page_of(pages, "agents-config-set.1").text;
  EXPECT_THAT(text, HasSubstr(".TH \"AGENTS\\-CONFIG\\-SET\" 1 \"\" \"CleverAgents 1.2.3\""));
  EXPECT_THAT(text, HasSubstr(".SH NAME\nagents\\-config\\-set \\- Change a setting\n"));
  EXPECT_THAT(text, HasSubstr(".SH SYNOPSIS\n.B agents config set KEY VALUE [\\-\\-project]\n"));
  EXPECT_THAT(text, HasSubstr(".EX\nagents config set model.default openai/gpt\\-4o\n.EE\n"));
  EXPECT_THAT(text, HasSubstr(".SH EXIT STATUS\n"));
  EXPECT_THAT(text, HasSubstr(".SH SEE ALSO\n.BR agents\\-config (1)\n"));
}

TEST(ManualTest, TextIsNeverTakenForARequest) {
  const Command root{.name = "x",
                     .summary = ".so /etc/passwd",
                     .description = "'ds a \\n b\nsecond\n\nnext",
                     .positionals = {{.name = "W", .summary = "w", .repeated = true}}};
  const std::string text = manual_pages(root, "1").front().text;
  EXPECT_THAT(text, HasSubstr("x \\- \\&.so /etc/passwd\n"));
  EXPECT_THAT(text, HasSubstr(".SH DESCRIPTION\n\\&'ds a \\en b second\n.PP\nnext\n"));
  EXPECT_THAT(text, HasSubstr(".B x W... [OPTIONS]\n"));
}

TEST(ParagraphsTest, AreSplitAtEmptyLines) {
  EXPECT_THAT(paragraphs("a\n\nb"), testing::ElementsAre("a", "b"));
  EXPECT_TRUE(paragraphs("").empty());
}

}  // namespace
}  // namespace clever::cli
