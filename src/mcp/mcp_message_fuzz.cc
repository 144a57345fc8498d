#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "mcp/internal/connection.h"
#include "mcp/internal/tool_content.h"
#include "mcp/internal/tool_reader.h"

// For any lines from a server, a request of ours ends at most once, and only by an answer with its
// number.
namespace clever::mcp::internal {
namespace {

class Deaf final : public Transport {
 public:
  void start(TransportSink&) override {}
  base::Result<void> send(Outgoing) override { return {}; }
  bool abandon(RequestNumber) override { return false; }
  void use_protocol(std::string_view) override {}
  [[nodiscard]] bool has_headers() const override { return false; }
};

void read_everything(const Json& body) {
  ToolList list;
  const auto read = read_tools(body, true, list);
  CLEVER_CHECK(!read.ok() || list.tools.size() <= kMostTools, "too many tools");
  for (const ServerTool& tool : list.tools) {
    CLEVER_CHECK(!tool.name.empty() && tool.name.size() <= kLongestToolName, "a bad name");
  }
  const auto result = read_tool_result(body);
  CLEVER_CHECK(result.ok() || result.error().code() == base::ErrorCode::kCorruption,
               "an unexpected error");
}

}  // namespace
}  // namespace clever::mcp::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever::mcp::internal;
  std::string_view lines(reinterpret_cast<const char*>(data), size);
  clever::base::SystemClock clock;
  Connection connection(std::make_unique<Deaf>(), clock, {"/root"});
  connection.answer_requests(true);
  const auto first = connection.open("tools/call", Json::object()).value();
  const auto second = connection.open("tools/call", Json::object()).value();
  bool first_answered = false;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    if (const auto message = read_message(line); message.ok()) {
      read_everything(message->body);
      const bool answer =
          message->kind == Message::Kind::kResult || message->kind == Message::Kind::kError;
      first_answered |= answer && message->number() == first.number;
    }
    connection.on_message(line, std::nullopt);
    connection.on_message(line, second.number);
  }
  CLEVER_CHECK(first.call->settled() == first_answered || !connection.alive(),
               "a call was settled by something else than its answer");
  return 0;
}
