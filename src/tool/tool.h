#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"

namespace clever::base {
class Secrets;
}
namespace clever::sandbox {
class Workspace;
}

namespace clever::tool {

enum class Source : std::uint8_t { kBuiltin, kCustom, kMcp, kAgentSkill, kWrapped };
[[nodiscard]] std::string_view to_string(Source source) noexcept;

/// What a tool may do; the runner and the guards decide by this, never by its name.
struct Capabilities {
  bool read_only = false;
  bool writes = false;         // the workspace
  bool checkpointable = true;  // what it changed is undone by restoring the workspace
  bool side_effects = false;   // outside of the workspace
  bool idempotent = false;
  bool unsafe = false;
};

/// A tool as models and people see it. A value.
struct ToolSpec {
  std::string name{};
  std::string description{};
  /// JSON Schema (draft 7), JSON text.
  std::string input_schema = R"({"type":"object"})";
  std::string output_schema{};
  Capabilities capabilities{};
  Source source = Source::kBuiltin;
  std::chrono::milliseconds timeout{std::chrono::minutes{2}};
};

/// What one call works with; its own, shared with no other call.
struct CallContext {
  std::shared_ptr<sandbox::Workspace> workspace{};
  base::StopToken stop{};
  base::Deadline deadline = base::Deadline::never();
  /// Bytes of the text that is kept of the answer; the rest is cut with a mark that says so.
  std::size_t output_limit = std::size_t{64} << 10U;
  /// Known secrets, for tools that show files: they say that a file holds one instead of showing
  /// it. What else an answer holds of them the runner withholds. May be null; outlives the call.
  const base::Secrets* secrets = nullptr;
};

struct ToolAnswer {
  /// What the model reads.
  std::string text{};
  /// The tool ran and says that it failed (a test that is red, a file that is not there): for the
  /// model to act on. A `Result` error is for us: the tool could not be run at all.
  bool failed = false;
  bool truncated = false;
  /// JSON text, if the tool has structured output.
  std::string structured{};
};

/// One tool. Thread-safe: many calls at once, each with its own context.
class Tool {
 public:
  virtual ~Tool() = default;
  [[nodiscard]] virtual const ToolSpec& spec() const = 0;
  /// `input`: JSON text that fits the schema. Ends soon after a stop or the deadline.
  virtual base::Result<ToolAnswer> call(const CallContext& context, std::string_view input) = 0;
};

}  // namespace clever::tool
