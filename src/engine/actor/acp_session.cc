#include "engine/actor/acp_session.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "engine/actor/internal/acp_calls.h"
#include "engine/actor/internal/acp_json.h"

namespace clever::engine {
namespace {

using internal::dumped;
using internal::member;
using internal::member_text;
using internal::shown_text;
using Json = nlohmann::json;

constexpr int kProtocolVersion = 1;
constexpr int kInvalidParams = -32602;
constexpr int kMethodNotFound = -32601;
constexpr int kAuthRequired = -32000;
constexpr int kInternal = -32603;

// Deep nesting costs stack when it is let go again.
bool is_shallow(std::string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char one = text[i];
    if (quoted) {
      if (one == '\\') ++i;
      if (one == '"') quoted = false;
    } else if (one == '"') {
      quoted = true;
    } else if (one == '{' || one == '[') {
      if (++depth > AcpSession::kDeepest) return false;
    } else if ((one == '}' || one == ']') && depth > 0) {
      --depth;
    }
  }
  return true;
}

// The path seen from the folder; none if it lies outside.
std::optional<std::string> below(const std::string& folder, const std::string& text) {
  if (text.empty() || text.contains('\0')) return std::nullopt;
  const std::filesystem::path wanted(text);
  const std::filesystem::path root(folder);
  const auto whole = (wanted.is_absolute() ? wanted : root / wanted).lexically_normal();
  std::string path = whole.lexically_relative(root).string();
  const bool outside = path.empty() || path == ".." || path.starts_with("../");
  if (outside) return std::nullopt;
  return path;
}

// The same of a file: the folder itself is none.
std::optional<std::string> file_below(const std::string& folder, const std::string& text) {
  auto path = below(folder, text);
  if (path && *path == ".") path.reset();
  return path;
}

// `line` counts from 1; both may be missing.
std::string part_of(const std::string& content, const Json& line, const Json& limit) {
  std::int64_t skip = line.is_number_integer() ? line.get<std::int64_t>() - 1 : 0;
  std::int64_t left = limit.is_number_integer() ? limit.get<std::int64_t>() : INT64_MAX;
  std::size_t begin = 0;
  for (; skip > 0 && begin < content.size(); --skip) {
    begin = std::min(content.find('\n', begin), content.size() - 1) + 1;
  }
  std::size_t end = begin;
  for (; left > 0 && end < content.size(); --left) {
    end = std::min(content.find('\n', end), content.size() - 1) + 1;
  }
  return content.substr(begin, end - begin);
}

struct Refusal {
  int code = kInternal;
  std::string message{};
};

std::string failure_text(const Json& id, const Refusal& refusal) {
  return dumped({{"jsonrpc", "2.0"},
                 {"id", id},
                 {"error", {{"code", refusal.code}, {"message", refusal.message}}}});
}
std::string result_text(const Json& id, const Json& result) {
  return dumped({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

// The first option of the kinds wanted, in their order of preference.
std::string option_of(const Json& options, std::initializer_list<std::string_view> kinds) {
  for (const std::string_view kind : kinds) {
    if (!options.is_array()) break;
    for (const Json& option : options) {
      if (member_text(option, "kind") == kind) return member_text(option, "optionId");
    }
  }
  return {};
}

}  // namespace

struct AcpSession::Message {
  Json id{};
  std::string method{};
  Json params{};
  Json result{};
  Json error{};
};

namespace {

/// Answers what the agent asks.
class Answers {
 public:
  Answers(AcpHost& host, const std::string& folder) : host_(host), folder_(folder) {}

  std::string read(const Json& id, const Json& params) {
    const auto path = file_below(folder_, member_text(params, "path"));
    if (!path) return outside(id, params);
    auto content = host_.read(*path);
    if (!content.ok()) return failure_text(id, {kInternal, shown_text(content.error().sentence())});
    if (!base::is_utf8(*content)) return failure_text(id, {kInternal, *path + " is no text"});
    return result_text(
        id, {{"content", part_of(*content, member(params, "line"), member(params, "limit"))}});
  }

  std::string write(const Json& id, const Json& params) {
    const auto path = file_below(folder_, member_text(params, "path"));
    if (!path) return outside(id, params);
    if (!member(params, "content").is_string()) {
      return failure_text(id, {kInvalidParams, "content must be a text"});
    }
    const auto written = host_.write(*path, member_text(params, "content"));
    if (!written.ok()) return failure_text(id, {kInternal, shown_text(written.error().sentence())});
    return result_text(id, Json::object());
  }

 private:
  std::string outside(const Json& id, const Json& params) const {
    return failure_text(id, {kInvalidParams, shown_text(member_text(params, "path")) +
                                                 " is no file of the project (" + folder_ + ")"});
  }

  AcpHost& host_;
  const std::string& folder_;
};

}  // namespace

AcpSession::AcpSession(AcpHost& host, std::string folder, std::string task)
    : host_(host),
      folder_(std::move(folder)),
      task_(std::move(task)),
      calls_(std::make_unique<internal::AcpCalls>(folder_)) {
  ask(State::kInitialise, "initialize",
      dumped({{"protocolVersion", kProtocolVersion},
              {"clientCapabilities",
               {{"fs", {{"readTextFile", true}, {"writeTextFile", true}}}, {"terminal", false}}},
              {"clientInfo", {{"name", "cleveragents"}, {"version", "1"}}}}));
}

AcpSession::~AcpSession() = default;

// The number of a request is that of the state in which its answer is awaited.
void AcpSession::ask(State state, std::string_view method, const std::string& params) {
  state_ = state;
  send("{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(static_cast<int>(state)) + ",\"method\":\"" +
       std::string(method) + "\",\"params\":" + params + "}");
}

void AcpSession::send(std::string_view line) { output_.append(line).append("\n"); }

std::string AcpSession::take_output() { return std::exchange(output_, {}); }

std::string_view AcpSession::awaited() const {
  switch (state_) {
    case State::kInitialise:
      return "initialize";
    case State::kOpen:
      return "session/new";
    case State::kPrompt:
      return "session/prompt";
    case State::kEnded:
      break;
  }
  return "";
}

void AcpSession::cancel() {
  if (is_cancelled_ || state_ != State::kPrompt) return;
  is_cancelled_ = true;
  send(dumped(
      {{"jsonrpc", "2.0"}, {"method", "session/cancel"}, {"params", {{"sessionId", session_}}}}));
}

base::Result<void> AcpSession::on_line(std::string_view line) {
  if (++messages_ > kMostMessages) {
    return base::resource_exhausted("the agent sent more than a million messages");
  }
  if (output_.size() > kMostWaiting) {
    return base::resource_exhausted("the agent asks, and does not read the answers");
  }
  if (!is_shallow(line)) return odd("a message that is nested too deeply");
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return odd(shown_text(line));
  return take({.id = member(json, "id"),
               .method = member_text(json, "method"),
               .params = member(json, "params"),
               .result = member(json, "result"),
               .error = member(json, "error")});
}

// Programs sometimes print a line of their own among the messages.
base::Result<void> AcpSession::odd(const std::string& what) {
  if (++oddities_ <= kMostOddities) return {};
  return base::unavailable("the agent does not speak the Agent Client Protocol; it wrote: " + what);
}

base::Result<void> AcpSession::take(const Message& message) {
  const bool has_id = message.id.is_number_integer() || message.id.is_string();
  if (message.method.empty() && has_id) return take_answer(message);
  if (message.method.empty()) return odd("a message without method and id");
  if (has_id) {
    take_request(message);
  } else if (message.method == "session/update") {
    take_update(message);
  }
  return {};
}

base::Result<void> AcpSession::take_answer(const Message& message) {
  const bool ours = message.id.is_number_integer() &&
                    message.id.get<std::int64_t>() == static_cast<std::int64_t>(state_);
  if (!ours || has_ended()) return odd("an answer to nothing that was asked");
  if (!message.error.is_null()) return refused(message);
  switch (state_) {
    case State::kInitialise: {
      const Json& version = member(message.result, "protocolVersion");
      if (version != kProtocolVersion) {
        return base::unavailable("the agent speaks version " + shown_text(dumped(version)) +
                                 " of the Agent Client Protocol; version 1 is needed");
      }
      ask(State::kOpen, "session/new", dumped({{"cwd", folder_}, {"mcpServers", Json::array()}}));
      return {};
    }
    case State::kOpen:
      return take_opened(message);
    default:
      return take_end(message);
  }
}

base::Result<void> AcpSession::take_opened(const Message& message) {
  session_ = member_text(message.result, "sessionId");
  if (session_.empty()) return base::unavailable("the agent opened a session without a name");
  ask(State::kPrompt, "session/prompt",
      dumped({{"sessionId", session_},
              {"prompt", Json::array({{{"type", "text"}, {"text", task_}}})}}));
  return {};
}

base::Result<void> AcpSession::take_end(const Message& message) {
  const std::string reason = member_text(message.result, "stopReason");
  state_ = State::kEnded;
  if (reason == "end_turn") return {};
  if (reason == "cancelled") return base::cancelled("the agent was stopped");
  if (reason == "refusal") {
    return base::unavailable("the agent refused the task: " + shown_text(said_));
  }
  return base::unavailable("the agent did not come to its end (" +
                           (reason.empty() ? "without a reason" : shown_text(reason)) +
                           "): " + shown_text(said_));
}

base::Error AcpSession::refused(const Message& message) const {
  const Json& code = member(message.error, "code");
  const std::string words = shown_text(member_text(message.error, "message"));
  std::string text = "the agent refused " + std::string(awaited()) + ": " + words;
  if (code == kAuthRequired) {
    text +=
        "; log in to it yourself once, and allow the folder where it keeps that (folders: in "
        "the actor's file)";
  }
  return base::unavailable(text);
}

void AcpSession::take_request(const Message& message) {
  const bool known = member_text(message.params, "sessionId") == session_ && !session_.empty();
  Answers answers(host_, folder_);
  if (message.method == "session/request_permission" && known) {
    send(permission(message));
  } else if (message.method == "fs/read_text_file" && known) {
    send(answers.read(message.id, message.params));
  } else if (message.method == "fs/write_text_file" && known) {
    send(answers.write(message.id, message.params));
  } else if (message.method.starts_with("fs/") || message.method.starts_with("session/")) {
    send(failure_text(message.id, {kInvalidParams, "there is no such session"}));
  } else {
    send(failure_text(message.id,
                      {kMethodNotFound, shown_text(message.method) + " is not offered here"}));
  }
}

// A permission for good would end the questions, so that no rule counted any more: it is not given.
std::string AcpSession::permission(const Message& message) {
  const Json& options = member(message.params, "options");
  const AcpAsk ask = calls_->asked(member(message.params, "toolCall"));
  std::string option;
  if (!is_cancelled_) {
    std::string why = host_.objection(ask);
    if (why.empty()) {
      option = option_of(options, {"allow_once"});
      if (option.empty()) why = "the agent offers no permission for this call alone";
    }
    if (!why.empty()) {
      option = option_of(options, {"reject_once", "reject_always"});
      host_.on_refused(ask, why);
    }
  }
  Json outcome{{"outcome", "cancelled"}};
  if (!option.empty()) outcome = {{"outcome", "selected"}, {"optionId", option}};
  return result_text(message.id, {{"outcome", outcome}});
}

void AcpSession::take_update(const Message& message) {
  const Json& update = member(message.params, "update");
  const std::string kind = member_text(update, "sessionUpdate");
  if (kind == "agent_message_chunk" || kind == "agent_thought_chunk") {
    say(member_text(member(update, "content"), "text"), kind == "agent_thought_chunk");
  } else if (kind == "tool_call" || kind == "tool_call_update") {
    calls_->take(update);
    if (kind == "tool_call_update") return;
    said_.clear();
    host_.on_tool(shown_text(member_text(update, "title")));
  }
}

void AcpSession::say(std::string_view text, bool reasoning) {
  if (text.empty()) return;
  host_.on_text(std::string(text), reasoning);
  if (reasoning || said_.size() >= kLongestSummary) return;
  said_ += base::utf8_prefix(text, kLongestSummary - said_.size());
}

}  // namespace clever::engine
