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
  bool writes = false;         // to the workspace
  bool checkpointable = true;  // restoring the workspace undoes its changes
  bool side_effects = false;   // outside the workspace
  bool idempotent = false;
  bool unsafe = false;
};

/// A tool for models and people. A value.
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

/// The context of one call, shared with no other call.
struct CallContext {
  std::shared_ptr<sandbox::Workspace> workspace{};
  base::StopToken stop{};
  base::Deadline deadline = base::Deadline::never();
  /// The most bytes of the answer's text; the rest is cut, with a mark.
  std::size_t output_limit = std::size_t{64} << 10U;
  /// Known secrets, for tools that show files: they report that a file holds one instead of showing
  /// it. The runner withholds others in an answer. May be null; outlives the call.
  const base::Secrets* secrets = nullptr;
};

struct ToolAnswer {
  /// The text for the model.
  std::string text{};
  /// The tool ran and failed (a red test, a missing file), for the model to act on. A `Result`
  /// error means that the tool could not run at all.
  bool failed = false;
  bool truncated = false;
  /// JSON text, if the tool has structured output.
  std::string structured{};
};

/// One tool. Thread-safe: many concurrent calls, each with its own context.
class Tool {
 public:
  virtual ~Tool() = default;
  [[nodiscard]] virtual const ToolSpec& spec() const = 0;
  /// `input`: JSON text that fits the schema. Ends soon after a stop or the deadline.
  virtual base::Result<ToolAnswer> call(const CallContext& context, std::string_view input) = 0;
};

}  // namespace clever::tool
