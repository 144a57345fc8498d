#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "engine/actor/acp_session.h"

namespace {

using namespace clever;

class Host final : public engine::AcpHost {
 public:
  engine::AcpVerdict judge(const engine::AcpAsk& ask) override {
    for (const std::string& path : ask.paths) check(path);
    if (ask.outside.empty()) return {};
    return {ask.kinds.empty() ? model::Verdict::kAsk : model::Verdict::kDeny, "no"};
  }
  void on_refused(const engine::AcpAsk& /*ask*/, const std::string& why) override {
    CLEVER_CHECK(!why.empty(), "a refusal without a reason");
  }
  void on_text(const std::string& /*text*/, bool /*reasoning*/) override {}
  void on_tool(const engine::AgentTool& tool) override {
    CLEVER_CHECK(base::is_utf8(tool.title) && base::is_utf8(tool.input), "no text");
  }
  void on_tool_end(const engine::AgentToolEnd& /*end*/) override {}
  void on_session(const std::string& /*id*/) override {}

 private:
  static void check(const std::string& path) {
    CLEVER_CHECK(
        !path.starts_with('/') && path != ".." && !path.starts_with("../") && !path.contains('\0'),
        "a path outside of the project");
  }
};

}  // namespace

// Whatever an agent says: nothing outside is asked of the host, and what is sent back is whole
// lines of text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  Host host;
  engine::AcpSession session(host, {.folder = "/p",
                                    .task = "a task",
                                    .session = data != nullptr && size % 2 == 0 ? "old" : "",
                                    .follow_up = "go on",
                                    .model = size % 3 == 0 ? "m" : ""});
  while (!rest.empty() && !session.has_ended()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (!session.on_line(rest.substr(0, end)).ok()) break;
    const std::string output = session.take_output();
    CLEVER_CHECK(output.empty() || output.ends_with('\n'), "half a line");
    CLEVER_CHECK(base::is_utf8(output), "no text");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return 0;
}
