#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "engine/agents/agent_stream.h"

// Whatever an agent writes: a person is shown text, one line for each tool, and never a JSON
// document; what it used only grows.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever;
  using engine::AgentStreamFormat;
  constexpr std::array kFormats{AgentStreamFormat::kText,   AgentStreamFormat::kClaude,
                                AgentStreamFormat::kCodex,  AgentStreamFormat::kOpencode,
                                AgentStreamFormat::kGemini, AgentStreamFormat::kGoose};
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  if (rest.empty()) return 0;
  const auto first = static_cast<std::size_t>(static_cast<unsigned char>(rest.front()));
  rest.remove_prefix(1);
  const engine::AgentListener listener{
      .on_text = [](const std::string& text,
                    bool) { CLEVER_CHECK(base::is_utf8(text), "no text"); },
      .on_tool =
          [](const engine::AgentTool& tool) {
            const std::string& title = tool.title;
            CLEVER_CHECK(base::is_utf8(title) && !title.contains('\n'), "no line");
            CLEVER_CHECK(title.size() <= 1000, "an endless line");
          }};
  const auto stream = engine::AgentStream::make(kFormats.at(first % kFormats.size()), listener);
  const std::size_t piece = 1 + first / kFormats.size();
  while (!rest.empty()) {
    const engine::AgentUsage before = stream->report().usage;
    const std::size_t count = std::min(piece, rest.size());
    if (!stream->on_output(rest.substr(0, count)).ok()) break;
    rest.remove_prefix(count);
    const engine::AgentUsage& now = stream->report().usage;
    CLEVER_CHECK(now.input_tokens >= before.input_tokens && now.output_tokens >= 0 && now.cost >= 0,
                 "it used less than before");
  }
  stream->finish();
  const engine::AgentReport& report = stream->report();
  CLEVER_CHECK(base::is_utf8(report.said) && base::is_utf8(report.error), "no text");
  CLEVER_CHECK(report.failed_tools <= report.tools, "more failures than tools");
  return 0;
}
