// What a model reads and writes back is the file it read: no tool changes other bytes.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "support/tool_workspace.h"
#include "tool/builtin_tools.h"
#include "tool/runner.h"
#include "tool/testing/test_tool.h"

namespace clever::tool {
namespace {

using nlohmann::json;

constexpr std::string_view kFile = "file.txt";
/// Longer than what is shown of a line.
const std::string kLongWord(2100, 'w');

class Tools {
 public:
  Tools() { secrets_.add("correct-horse-battery"); }

  ToolAnswer call(const std::string& name, const json& arguments) {
    auto results = runner_.run(
        {.tools = tools_, .workspace = files_.workspace, .calls = {{"1", name, arguments.dump()}}});
    return std::move(results.at(0).answer);
  }

  void write(const std::string& content) {
    files_.workspace->write(test::path_of(kFile), content).value();
  }
  [[nodiscard]] std::string content() {
    return files_.workspace->read(test::path_of(kFile))->content;
  }

 private:
  test::ToolWorkspace files_{{{"a.txt", "a\n"}}};
  base::SystemClock clock_;
  base::Secrets secrets_;
  ToolRunner runner_{clock_, {.threads = 1, .secrets = &secrets_}};
  const std::shared_ptr<const ToolSnapshot> tools_ = internal::snapshot_of(builtin_tools({}));
};

// A model that reads a file, and writes down what it read.
class Copyist {
 public:
  explicit Copyist(Tools& tools) : tools_(tools) {}

  std::string copy() {
    std::size_t next = 1;
    while (next > 0) next = read(next);
    std::string text;
    const std::string end = notes_.contains("[lines end in CRLF]") ? "\r\n" : "\n";
    for (const std::string& line : lines_) text += line + end;
    if (notes_.contains("[no newline at the end") && !lines_.empty()) {
      text.resize(text.size() - end.size());
    }
    return text;
  }

 private:
  // Reads on from this line; 0: nothing is left.
  std::size_t read(std::size_t first) {
    const ToolAnswer answer = tools_.call("read_file", {{"path", kFile}, {"start_line", first}});
    RC_ASSERT(!answer.failed);
    std::string_view rest = answer.text;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      take(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    constexpr std::string_view kOn = "read on with start_line=";
    const std::size_t on = answer.text.rfind(kOn);
    const bool is_note = on != std::string::npos && on > answer.text.rfind("\n[");
    return answer.truncated && is_note ? std::stoul(answer.text.substr(on + kOn.size())) : 0;
  }

  void take(std::string_view shown) {
    if (shown.starts_with('[')) {
      notes_ += shown;
    } else {
      lines_.emplace_back(shown.substr(shown.find('\t') + 1));
    }
  }

  Tools& tools_;
  std::vector<std::string> lines_;
  std::string notes_;
};

// Text made of what redaction, line ends and encodings make difficult.
std::string difficult_text() {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::elementOf(std::vector<std::string>{"password: str",
                                                  "secret = ",
                                                  "api_key=settings.key",
                                                  "token: ",
                                                  "'sk-ant-api03-AbCdEf_GhIjKl-0123456789'",
                                                  "[redacted]",
                                                  "[secret-withheld]",
                                                  "correct-horse",
                                                  "Bearer abcdef123456",
                                                  "\n",
                                                  "\n",
                                                  "\r\n",
                                                  "\r",
                                                  "\t",
                                                  " ",
                                                  "[no newline",
                                                  "ä",
                                                  "€",
                                                  "😀",
                                                  "\"",
                                                  "\\",
                                                  "\x7F",
                                                  "https://me:hunter2@host/",
                                                  "AKIAIOSFODNN7EXAMPLE",
                                                  "-----BEGIN PRIVATE KEY-----",
                                                  kLongWord,
                                                  "[… 7 bytes cut …]",
                                                  "\xEF\xBF\xBD",
                                                  "\xEF\xBB\xBF"}));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

TEST(ReadWrite, RoundTripKeepsTheFile) {
  Tools tools;
  const auto holds = rc::check("reading and writing back is the identity", [&] {
    const std::string text = difficult_text();
    RC_ASSERT(base::is_utf8(text));
    tools.write(text);
    const std::string copy = Copyist(tools).copy();
    const bool is_refused = tools.call("write_file", {{"path", kFile}, {"content", copy}}).failed;
    // A line that is too long to be shown whole cannot be written back; nothing else is refused.
    RC_ASSERT(is_refused == (copy != text));
    RC_ASSERT(!is_refused || text.find(kLongWord) != std::string::npos);
    RC_ASSERT(tools.content() == text);
  });
  EXPECT_TRUE(holds);
}

TEST(ReadWrite, AnEditKeepsEveryOtherByte) {
  Tools tools;
  const auto holds = rc::check("an edit changes what it names alone", [&] {
    // Without NUL: such a file is binary, and its text is not for editing.
    const auto bytes = rc::gen::container<std::string>(
        rc::gen::map(rc::gen::inRange(1, 256), [](int byte) { return static_cast<char>(byte); }));
    const std::string before = *bytes;
    const std::string after = *bytes;
    tools.write(before + "<the only place>" + after);
    const std::string fresh = difficult_text();
    const ToolAnswer answer = tools.call(
        "edit_file", {{"path", kFile}, {"old_text", "<the only place>"}, {"new_text", fresh}});
    RC_ASSERT(!answer.failed);
    const std::string content = tools.content();
    RC_ASSERT(content.starts_with(before));
    RC_ASSERT(content.ends_with(after));
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace clever::tool
