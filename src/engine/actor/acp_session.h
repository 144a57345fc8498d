#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/agents/agent_stream.h"
#include "engine/offer/mcp_server.h"
#include "model/control_settings.h"

namespace clever::engine {

namespace internal {
class AcpCalls;
class AcpTools;
}  // namespace internal

/// A call for which an agent asks permission, with everything it has said about that call. A value.
struct AcpAsk {
  /// The protocol's kinds: "edit", "execute", "fetch", …; several if the agent named several.
  std::vector<std::string> kinds{};
  std::string title{};
  /// The tool of an MCP server: "mcp__SERVER__TOOL".
  std::string tool{};
  /// The commands it would run, if it named them.
  std::vector<std::string> commands{};
  /// Relative to the project.
  std::vector<std::string> paths{};
  /// A path outside the project; empty: there is none.
  std::string outside{};
  /// The raw input as JSON; empty if there is none, or if is_long.
  std::string input{};
  bool is_long = false;
  /// The call names more than the rules can look at.
  bool is_too_large = false;
};

/// The verdict of the plan's rules on a call.
struct AcpVerdict {
  model::Verdict verdict = model::Verdict::kAllow;
  /// A sentence: why the call is refused, or why a person is asked.
  std::string why{};
};

/// A call that waits for a person's approval. A value.
struct AcpHeld {
  AcpAsk ask{};
  std::string why{};
};

/// Receives a session's reports and answers its questions.
class AcpHost {
 public:
  virtual ~AcpHost() = default;
  [[nodiscard]] virtual AcpVerdict judge(const AcpAsk& ask) = 0;
  /// Called when the agent's call was refused.
  virtual void on_refused(const AcpAsk& ask, const std::string& why) = 0;
  virtual void on_text(const std::string& text, bool reasoning) = 0;
  virtual void on_tool(const AgentTool& tool) = 0;
  virtual void on_tool_end(const AgentToolEnd& end) = 0;
  /// Called when the session gets its id.
  virtual void on_session(const std::string& id) = 0;
};

/// How to open a session. A value.
struct AcpOrder {
  /// The project as the agent sees it, absolute.
  std::string folder{};
  std::string task{};
  /// The session to continue, and its next prompt; empty: a new session with the task.
  std::string session{};
  std::string follow_up{};
  /// Empty: the agent's own choice.
  std::string model{};
  /// A mode that the agent offers, by its id; empty, or not offered: the agent's own choice.
  std::string mode{};
  /// Servers of the Model Context Protocol that the agent starts inside its sandbox.
  std::vector<McpServer> servers{};
};

/// The client's side of one conversation in the Agent Client Protocol (version 1): one prompt, and
/// the agent's requests until it has answered. Lines in, lines out; no thread, no process, no
/// clock. Agents use their own file tools and shells inside the sandbox, so the client offers none.
///
///   kInitialise --answer--> kLoad --answer--> kModel --answer--> kMode --answer--> kPrompt
///        |                    | error           (each only where there is something to choose)
///        +-----> kOpen <------+                                   kPrompt --answer--> kEnded
///                  +--answer--> kModel
///
/// A call that a person must decide ends the turn: held() names it, and the session is continued
/// with the answer later.
///
/// Owned by the code that carries the lines; used by one thread. An error of on_line() is final:
/// the agent does not speak the protocol, sends too much, or refuses.
class AcpSession {
 public:
  static constexpr std::size_t kMostOddities = 100;
  static constexpr std::size_t kMostMessages = 1'000'000;
  static constexpr std::size_t kDeepest = 100;
  static constexpr std::size_t kMostWaiting = std::size_t{64} << 20U;
  static constexpr std::size_t kLongestSummary = 4000;
  static constexpr std::size_t kMostHeld = 50;

  /// The host must outlive the session.
  AcpSession(AcpHost& host, AcpOrder order);
  AcpSession(const AcpSession&) = delete;
  AcpSession& operator=(const AcpSession&) = delete;
  ~AcpSession();

  /// Takes one line of the agent, without its line end.
  base::Result<void> on_line(std::string_view line);
  /// Returns the lines to send now; empty: none.
  [[nodiscard]] std::string take_output();
  /// Asks the agent to stop. A well-behaved agent then answers the prompt.
  void cancel();

  [[nodiscard]] bool has_ended() const { return state_ == State::kEnded; }
  /// The request that is not answered yet, for messages: "session/new".
  [[nodiscard]] std::string_view awaited() const;
  /// Calls that wait for a person.
  [[nodiscard]] const std::vector<AcpHeld>& held() const { return held_; }
  /// What the agent said, did and used so far.
  [[nodiscard]] const AgentReport& report() const { return report_; }

 private:
  // Each state's value is the id of its request.
  enum class State : std::uint8_t { kInitialise, kLoad, kOpen, kModel, kMode, kPrompt, kEnded };
  struct Message;
  struct Choices;

  void send(std::string_view line);
  void ask(State state, std::string_view method, const std::string& params);
  base::Result<void> odd(const std::string& what);
  base::Result<void> take(const Message& message);
  base::Result<void> take_answer(const Message& message);
  base::Result<void> take_initialised(const Message& message);
  void open();
  base::Result<void> take_opened(const Message& message);
  base::Result<void> choose_model();
  base::Result<void> choose_mode();
  void prompt();
  base::Result<void> take_end(const Message& message);
  [[nodiscard]] base::Error refused(const Message& message) const;
  void take_request(const Message& message);
  [[nodiscard]] std::string permission(const Message& message);
  void take_update(const Message& message);
  void take_call(const Message& message, bool begins);
  void end_call(const Message& message);
  void hold_against_rules(const Message& message);
  void take_plan(const Message& message);
  void take_usage(const Message& message);
  void say(std::string_view text, bool reasoning);
  [[nodiscard]] std::string servers_text() const;

  // Constant after construction.
  AcpHost& host_;
  const AcpOrder order_;

  std::unique_ptr<internal::AcpCalls> calls_;
  std::unique_ptr<internal::AcpTools> tools_;
  /// The choices that the agent offers.
  std::unique_ptr<Choices> choices_;
  State state_ = State::kInitialise;
  std::string method_ = "initialize";
  bool takes_http_servers_ = false;
  /// True if it continues an earlier session.
  bool continues_ = false;
  bool is_cancelled_ = false;
  std::string session_{};
  std::string output_{};
  std::vector<AcpHeld> held_{};
  /// The ids of the calls that it was allowed.
  std::set<std::string> granted_{};
  /// Why the conversation ends: a call that it did not ask about.
  std::string denied_{};
  AgentReport report_{};
  bool tool_since_ = false;
  /// The step of the agent's own plan that it works on.
  std::string plan_step_{};
  /// What the session had cost before this prompt.
  model::Microdollars cost_before_ = 0;
  std::size_t messages_ = 0;
  std::size_t oddities_ = 0;
};

}  // namespace clever::engine
