#include "tool/mcp_tools.h"

#include <gtest/gtest.h>

#include "tool/registry.h"

namespace clever::tool {
namespace {

mcp::ServerTool tool(std::string name) { return {.name = std::move(name)}; }

CallServerTool echo_call() {
  return [](std::string_view name, std::string_view arguments, const base::StopToken&,
            base::Deadline) -> base::Result<mcp::ToolResult> {
    return mcp::ToolResult{.text = std::string(name) + " " + std::string(arguments)};
  };
}

std::shared_ptr<Tool> made(const mcp::ServerTool& offered, const CallServerTool& call,
                           const McpToolOptions& options = {}) {
  return mcp_tools("s", {offered}, call, options).at(0);
}

TEST(McpTools, NamesJoinServerAndTool) {
  EXPECT_EQ(mcp_tool_name("files", "read"), "mcp__files__read");
  EXPECT_EQ(mcp_tool_name("my server", "a.b/c"), "mcp__my_server__a_b_c");
}

TEST(McpTools, EarlierVersionsNamedThemWithoutMcp) {
  EXPECT_EQ(former_mcp_name(mcp_tool_name("files", "read")), "files__read");
  EXPECT_EQ(former_mcp_name("read_file"), "");
}

TEST(McpTools, LongNamesStayDifferent) {
  const std::string one = mcp_tool_name("s", std::string(100, 'a') + "1");
  const std::string other = mcp_tool_name("s", std::string(100, 'a') + "2");
  EXPECT_EQ(one.size(), ToolRegistry::kLongestName);
  EXPECT_NE(one, other);
  EXPECT_TRUE(check_tool_name(one).ok());
}

TEST(McpTools, NamesThatBecomeEqualStayDifferent) {
  const auto tools = mcp_tools("s", {tool("a.b"), tool("a_b"), tool("a_b")}, echo_call(), {});
  ASSERT_EQ(tools.size(), 2U);
  EXPECT_EQ(tools[0]->spec().name, "mcp__s__a_b");
  EXPECT_NE(tools[1]->spec().name, "mcp__s__a_b");
  ToolRegistry registry;
  EXPECT_TRUE(registry.set("mcp:s", tools).ok());
}

TEST(McpTools, CallsGoToTheServerUnderItsOwnName) {
  EXPECT_EQ(made(tool("a.b"), echo_call())->call({}, R"({"x":1})")->text, R"(a.b {"x":1})");
}

TEST(McpTools, HintsAreNotBelieved) {
  mcp::ServerTool offered{.name = "t", .read_only = true, .idempotent = true};
  const Capabilities doubted = made(offered, echo_call())->spec().capabilities;
  EXPECT_FALSE(doubted.read_only);
  EXPECT_FALSE(doubted.idempotent);
  EXPECT_TRUE(doubted.side_effects);
  const Capabilities trusted =
      made(offered, echo_call(), {.trust_hints = true})->spec().capabilities;
  EXPECT_TRUE(trusted.read_only);
  EXPECT_TRUE(trusted.idempotent);
  EXPECT_TRUE(trusted.side_effects);
}

TEST(McpTools, TheDescriptionIsTheServers) {
  const ToolSpec spec =
      made({.name = "t", .title = "Title", .description = "What\xFF"}, echo_call())->spec();
  EXPECT_EQ(spec.description, "What\xEF\xBF\xBD");
  EXPECT_EQ(spec.source, Source::kMcp);
  EXPECT_EQ(made({.name = "t", .title = "Title"}, echo_call())->spec().description, "Title");
}

TEST(McpTools, SchemasThatCannotBeReadAreLeftToTheServer) {
  const ToolSpec good = made({.name = "t",
                              .input_schema = R"({"type":"object","required":["a"]})",
                              .output_schema = R"({"type":"object"})"},
                             echo_call())
                            ->spec();
  EXPECT_EQ(good.input_schema, R"({"type":"object","required":["a"]})");
  EXPECT_EQ(good.output_schema, R"({"type":"object"})");
  const ToolSpec bad =
      made({.name = "t", .input_schema = R"({"$ref":"http://x"})", .output_schema = "["},
           echo_call())
          ->spec();
  EXPECT_EQ(bad.input_schema, R"({"type":"object"})");
  EXPECT_EQ(bad.output_schema, "");
}

TEST(McpTools, ResultsAreTakenOver) {
  const auto failing = [](std::string_view, std::string_view, const base::StopToken&,
                          base::Deadline) -> base::Result<mcp::ToolResult> {
    return mcp::ToolResult{.text = "", .structured = R"({"n":1})", .is_error = true};
  };
  const ToolAnswer answer = made(tool("t"), failing)->call({}, "{}").value();
  EXPECT_TRUE(answer.failed);
  EXPECT_EQ(answer.structured, R"({"n":1})");
  EXPECT_EQ(answer.text, R"({"n":1})");
}

TEST(McpTools, AServerThatIsAwayIsAnError) {
  const auto away = [](std::string_view, std::string_view, const base::StopToken&,
                       base::Deadline) -> base::Result<mcp::ToolResult> {
    return base::unavailable("the server died");
  };
  EXPECT_EQ(made(tool("t"), away)->call({}, "{}").error().code(), base::ErrorCode::kUnavailable);
}

TEST(McpTools, StopAndDeadlineAreTheCalls) {
  base::StopSource stop;
  stop.request_stop();
  const auto asking = [](std::string_view, std::string_view, const base::StopToken& token,
                         base::Deadline deadline) -> base::Result<mcp::ToolResult> {
    return mcp::ToolResult{.text = token.stop_requested() && deadline.passed() ? "both" : "no"};
  };
  base::SystemClock clock;
  const CallContext context{.stop = stop.token(),
                            .deadline = base::Deadline::after(clock, std::chrono::seconds(-1))};
  EXPECT_EQ(made(tool("t"), asking)->call(context, "{}")->text, "both");
}

}  // namespace
}  // namespace clever::tool
