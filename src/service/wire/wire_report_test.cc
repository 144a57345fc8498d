#include "service/wire/wire_report.h"

#include <gtest/gtest.h>

#include "model/document_json.h"

namespace clever::service {
namespace {

Document over_the_wire(const Document& document) {
  return model::parse_document(model::to_json(document)).value();
}

Report every_kind() {
  diff::FileDiff file{.path = "a\xFF.txt",
                      .from = "b.txt",
                      .similarity = 60,
                      .before = git::Node{git::FileMode::kFile,
                                          git::ObjectId::from_hex(std::string(40, 'a')).value()},
                      .old_size = 7,
                      .new_size = 9,
                      .added = 1,
                      .removed = 1};
  file.hunks.push_back({.id = "h1",
                        .old_start = 1,
                        .old_lines = 2,
                        .new_start = 1,
                        .new_lines = 2,
                        .heading = "int main()",
                        .lines = {{diff::LineKind::kContext, " x\n"},
                                  {diff::LineKind::kRemoved, "caf\xE9\r\n"},
                                  {diff::LineKind::kAdded, "no end"}}});
  Report report;
  report.data = Document::map().set("plan_id", "01").set("many", Document::list());
  report.view = {Prose{{{{"plain "}, {"bad", Tone::kBad}}, {}}},
                 Fields{"title", {{"name", {"value", Tone::kGood}}}},
                 Table{"", {"a", "b"}, {{{"1"}, {"2", Tone::kDim}}}},
                 Checks{"checks", {{"git", Verdict::kFail, "none", "install it"}}},
                 Markdown{"# a", 2},
                 Raw{std::string("\0\xFF\n", 3)},
                 Changes{{file}, DiffShape::kWords, false}};
  report.status = Status::kWarn;
  report.exit_code = ExitCode::kNeedsPerson;
  report.messages = {{Message::Level::kHint, "next", true}, {Message::Level::kWarning, "w"}};
  return report;
}

TEST(WireReport, ComesBackAsItWas) {
  const Report report = every_kind();
  const Document sent = report_document(report);
  const Report back = report_of(over_the_wire(sent));
  EXPECT_EQ(report_document(back), sent);
  EXPECT_EQ(std::get<Changes>(back.view.at(6)).files, std::get<Changes>(report.view.at(6)).files);
  EXPECT_EQ(std::get<Raw>(back.view.at(5)).text, std::get<Raw>(report.view.at(5)).text);
  EXPECT_EQ(back.exit_code, ExitCode::kNeedsPerson);
  EXPECT_EQ(back.status, Status::kWarn);
  ASSERT_EQ(back.messages.size(), 2U);
  EXPECT_TRUE(back.messages.front().said);
  EXPECT_EQ(back.data, report.data);
}

TEST(WireReport, LeavesOutWhatANewerProgramSays) {
  const auto text = R"({"view":[{"hologram":{}},{"raw":"a"}],"exit_code":99,"status":"odd"})";
  const Report report = report_of(model::parse_document(text).value());
  EXPECT_EQ(report.view.size(), 1U);
  EXPECT_EQ(report.exit_code, ExitCode::kError);
  EXPECT_EQ(report.status, Status::kOk);
}

}  // namespace
}  // namespace clever::service
