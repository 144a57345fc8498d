#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace clever::engine {

/// What an agent writes to its standard output.
enum class AgentStreamFormat : std::uint8_t {
  kText,      // words for people
  kClaude,    // claude --output-format stream-json; qwen writes the same
  kCodex,     // codex exec --json
  kOpencode,  // opencode run --format json
  kGemini,    // gemini --output-format stream-json
  kGoose,     // goose run --output-format stream-json
};
[[nodiscard]] std::string_view to_string(AgentStreamFormat format) noexcept;  // "text", "claude", …
/// Whether the usage that an agent reports is that of its session, not of the run.
[[nodiscard]] bool counts_whole_session(AgentStreamFormat format) noexcept;

/// A JSON file that holds a person's login to an agent, and the parts of it that an agent gets.
/// Members are named as "a.b"; "*" stands for each member of an object.
struct AgentLogin {
  /// Below the home folder: "~/.claude/.credentials.json".
  std::string file{};
  /// Copied into the agent's home; nothing else of the file is.
  std::vector<std::string> fields{};
  /// Secrets among them. An agent may renew them.
  std::vector<std::string> tokens{};
  /// Times among them: written back with renewed tokens.
  std::vector<std::string> renewed{};
  /// Who is logged in: a file in which one of these differs is another person's.
  std::vector<std::string> account{};
  friend bool operator==(const AgentLogin&, const AgentLogin&) = default;
};

/// A file that we write into the agent's home before it starts: its settings.
struct AgentSettings {
  enum class When : std::uint8_t { kAlways, kWithLogin, kWithoutLogin };

  /// Below the home folder.
  std::string file{};
  std::string content{};
  When when = When::kAlways;
  friend bool operator==(const AgentSettings&, const AgentSettings&) = default;
};

/// How an external agent is started, read and continued. A value, read from YAML.
///
/// In `command`, "${task}" and "${argument}" may stand in words; the words "${model}" and
/// "${session}" alone stand for the lists below, or for nothing.
struct AgentProgram {
  std::vector<std::string> command{};
  /// `command` speaks the Agent Client Protocol over its standard streams; else it is plain.
  bool speaks_acp = false;
  /// The agent as a server of the Agent Client Protocol; empty: it does not speak it.
  std::vector<std::string> acp_command{};
  /// Variables that the server gets beside `set`: those that make it ask.
  std::map<std::string, std::string> acp_set{};
  /// The mode of the server in which it asks before each call; empty: it does by itself.
  std::string acp_mode{};
  /// The task is its standard input; else a word of its command line.
  bool reads_task = false;
  AgentStreamFormat stream = AgentStreamFormat::kText;
  /// With "${model}": how a model is chosen. Empty: it cannot be.
  std::vector<std::string> model_words{};
  // With "${session}": how a session gets its id (empty: the agent chooses it, and its stream says
  // it), and how one is continued (empty: it cannot be).
  std::vector<std::string> session_words{};
  std::vector<std::string> resume_words{};

  // What it is allowed beside the workspace; a person's own files alone can say so.
  bool network = false;
  /// Hosts that it may reach; used if `network` is false.
  std::vector<std::string> hosts{};
  /// Absolute, or below the home folder ("~/.agent"). What lies in the home is copied into the
  /// agent's own; all else is visible, and read-only.
  std::vector<std::string> folders{};
  /// Names of variables that it gets as they are here.
  std::vector<std::string> environment{};
  /// Variables that it always gets.
  std::map<std::string, std::string> set{};
  std::vector<AgentLogin> logins{};
  std::vector<AgentSettings> settings{};
  std::int64_t timeout_s = 3600;

  // For people.
  std::string install{};
  std::string log_in{};
  /// Whose prices count where the agent reports tokens alone ("openai").
  std::string provider{};
};

}  // namespace clever::engine
