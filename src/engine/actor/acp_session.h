#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::engine {

namespace internal {
class AcpCalls;
}

/// What an agent asks permission for, by what it said of the call when that began, and now. A
/// value.
struct AcpAsk {
  /// Of the protocol: "edit", "execute", "fetch", …; several if the agent said several.
  std::vector<std::string> kinds{};
  std::string title{};
  /// Of an MCP server: "mcp__SERVER__TOOL".
  std::string tool{};
  /// What it would run, if it said so.
  std::vector<std::string> commands{};
  /// Seen from the project.
  std::vector<std::string> paths{};
  /// A path that lies outside of the project; empty: none does.
  std::string outside{};
  /// Its raw input, JSON; empty if there is none, or if it is_long.
  std::string input{};
  bool is_long = false;
  /// It names more than can be looked at.
  bool is_too_large = false;
};

/// What the other side of a session is given by ours. Paths are relative to the session's folder
/// and lie below it as texts; links are the host's to look at.
class AcpHost {
 public:
  virtual ~AcpHost() = default;
  [[nodiscard]] virtual base::Result<std::string> read(const std::string& path) = 0;
  [[nodiscard]] virtual base::Result<void> write(const std::string& path,
                                                 std::string_view content) = 0;
  /// Why the agent may not do what it asks for: a sentence; empty: it may.
  [[nodiscard]] virtual std::string objection(const AcpAsk& ask) = 0;
  /// It was told no.
  virtual void on_refused(const AcpAsk& ask, const std::string& why) = 0;
  virtual void on_text(const std::string& text, bool reasoning) = 0;
  virtual void on_tool(const std::string& title) = 0;
};

/// The client's side of one conversation in the Agent Client Protocol (version 1): one prompt, and
/// whatever the agent asks until it has answered that. Lines in, lines out; no thread, no process,
/// no clock.
///
///   kInitialise --answer--> kOpen --answer--> kPrompt --answer--> kEnded
///
/// Owned by who carries the lines; used by one thread. An error of on_line() is final: the agent
/// does not speak the protocol, floods, or refuses.
class AcpSession {
 public:
  static constexpr std::size_t kMostOddities = 100;
  static constexpr std::size_t kMostMessages = 1'000'000;
  static constexpr std::size_t kDeepest = 100;
  static constexpr std::size_t kMostWaiting = std::size_t{64} << 20U;
  static constexpr std::size_t kLongestSummary = 4000;

  /// `folder`: the project as the agent sees it, absolute. The host must outlive the session.
  AcpSession(AcpHost& host, std::string folder, std::string task);
  AcpSession(const AcpSession&) = delete;
  AcpSession& operator=(const AcpSession&) = delete;
  ~AcpSession();

  /// One line of the agent, without its end.
  base::Result<void> on_line(std::string_view line);
  /// What is to be sent now, whole lines; empty: nothing.
  [[nodiscard]] std::string take_output();
  /// Asks the agent to stop. It answers the prompt then, if it is polite.
  void cancel();

  [[nodiscard]] bool has_ended() const { return state_ == State::kEnded; }
  /// What has not been answered, for messages: "session/new".
  [[nodiscard]] std::string_view awaited() const;
  /// The words that the agent ended with.
  [[nodiscard]] const std::string& summary() const { return said_; }

 private:
  enum class State : std::uint8_t { kInitialise, kOpen, kPrompt, kEnded };
  struct Message;

  void send(std::string_view line);
  void ask(State state, std::string_view method, const std::string& params);
  base::Result<void> odd(const std::string& what);
  base::Result<void> take(const Message& message);
  base::Result<void> take_answer(const Message& message);
  base::Result<void> take_opened(const Message& message);
  base::Result<void> take_end(const Message& message);
  [[nodiscard]] base::Error refused(const Message& message) const;
  void take_request(const Message& message);
  [[nodiscard]] std::string permission(const Message& message);
  void take_update(const Message& message);
  void say(std::string_view text, bool reasoning);

  // Constant after construction.
  AcpHost& host_;
  const std::string folder_;
  const std::string task_;

  std::unique_ptr<internal::AcpCalls> calls_;
  State state_ = State::kInitialise;
  bool is_cancelled_ = false;
  std::string session_{};
  std::string output_{};
  std::string said_{};
  std::size_t messages_ = 0;
  std::size_t oddities_ = 0;
};

}  // namespace clever::engine
