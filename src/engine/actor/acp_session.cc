#include "engine/actor/acp_session.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "engine/actor/internal/acp_calls.h"
#include "engine/actor/internal/acp_json.h"
#include "engine/actor/internal/acp_tools.h"

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

// Destroying a deeply nested document recurses, so the depth is limited.
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

struct Refusal {
  int code = kMethodNotFound;
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

// The kinds of calls that rules can name.
bool has_rules(std::string_view kind) {
  constexpr std::array<std::string_view, 6> kKinds{"execute", "edit", "delete",
                                                   "move",    "read", "search"};
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

// Returns the id of the first option of a wanted kind, in the order of `kinds`.
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

/// The choices (models, modes) that a session offers, in every form the protocol has had.
struct AcpSession::Choices {
  struct Choice {
    /// The config option's id; empty in the older form, which has a method of its own.
    std::string option{};
    std::vector<std::string> values{};
    std::vector<std::string> names{};
    std::string present{};
  };
  Choice model{};
  Choice mode{};
};

namespace {

using Offered = std::pair<std::string, std::string>;

// Each entry is {"value","name"}, in groups or not.
void add_options(const Json& options, std::vector<Offered>& found) {
  if (!options.is_array()) return;
  for (const Json& option : options) {
    if (const std::string value = member_text(option, "value"); !value.empty()) {
      found.emplace_back(value, member_text(option, "name"));
    } else {
      add_options(member(option, "options"), found);
    }
  }
}

template <class Into>
void set_choice(const std::vector<Offered>& found, std::string option, std::string present,
                Into& into) {
  into = {.option = std::move(option), .present = std::move(present)};
  for (const auto& [value, name] : found) {
    into.values.push_back(value);
    into.names.push_back(name);
  }
}

// Each entry is {"modelId","name"} or {"id","name"}.
template <class Into>
void set_older(const Json& state, std::string_view list, std::string_view id,
               std::string_view present, Into& into) {
  std::vector<Offered> found;
  const Json& all = member(state, list);
  if (!all.is_array()) return;
  for (const Json& each : all) found.emplace_back(member_text(each, id), member_text(each, "name"));
  set_choice(found, "", member_text(state, present), into);
}

std::string named_values(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

// Reads a count, which agents write under several names.
std::int64_t count_in(const Json& object, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const Json& value = member(object, key);
    if (!value.is_number()) continue;
    const double number = value.get<double>();
    if (number >= 0 && number < 1e15) return static_cast<std::int64_t>(number);
  }
  return 0;
}

// Reads the usage of a turn or of one answer. Some agents count cached tokens as input, some beside
// it: the total tells which.
AgentUsage usage_in(const Json& usage) {
  AgentUsage used{
      .input_tokens = count_in(usage, {"inputTokens", "input_tokens", "promptTokens"}),
      .output_tokens = count_in(usage, {"outputTokens", "output_tokens", "completionTokens"}),
      .cache_read = count_in(usage, {"cachedReadTokens", "cached_read_tokens", "cachedInputTokens",
                                     "cached_input_tokens"}),
      .cache_write = count_in(usage, {"cachedWriteTokens", "cached_write_tokens"})};
  const std::int64_t total = count_in(usage, {"totalTokens", "total_tokens"});
  const std::int64_t cached = used.cache_read + used.cache_write;
  if (total >= used.input_tokens + used.output_tokens + cached) used.input_tokens += cached;
  used.cache_read = std::min(used.cache_read, used.input_tokens);
  used.cache_write = std::min(used.cache_write, used.input_tokens - used.cache_read);
  return used;
}

model::Microdollars cost_in(const Json& cost) {
  const Json& amount = member(cost, "amount");
  if (!amount.is_number() || member_text(cost, "currency") != "USD") return 0;
  return static_cast<model::Microdollars>(
      std::llround(std::clamp(amount.get<double>(), 0.0, 1e6) * 1e6));
}

}  // namespace

AcpSession::AcpSession(AcpHost& host, AcpOrder order)
    : host_(host),
      order_(std::move(order)),
      calls_(std::make_unique<internal::AcpCalls>(order_.folder)),
      tools_(std::make_unique<internal::AcpTools>()),
      choices_(std::make_unique<Choices>()) {
  ask(State::kInitialise, "initialize",
      dumped({{"protocolVersion", kProtocolVersion},
              {"clientCapabilities",
               {{"fs", {{"readTextFile", false}, {"writeTextFile", false}}}, {"terminal", false}}},
              {"clientInfo", {{"name", "cleveragents"}, {"version", "1"}}}}));
}

AcpSession::~AcpSession() = default;

void AcpSession::ask(State state, std::string_view method, const std::string& params) {
  state_ = state;
  method_ = method;
  send("{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(static_cast<int>(state)) + ",\"method\":\"" +
       method_ + "\",\"params\":" + params + "}");
}

void AcpSession::send(std::string_view line) { output_.append(line).append("\n"); }

std::string AcpSession::take_output() { return std::exchange(output_, {}); }

std::string_view AcpSession::awaited() const {
  return has_ended() ? std::string_view() : std::string_view(method_);
}

void AcpSession::cancel() {
  if (is_cancelled_ || state_ != State::kPrompt) return;
  is_cancelled_ = true;
  send(dumped(
      {{"jsonrpc", "2.0"}, {"method", "session/cancel"}, {"params", {{"sessionId", session_}}}}));
}

base::Result<void> AcpSession::on_line(std::string_view line) {
  if (++messages_ > kMostMessages) {
    return base::resource_exhausted(
        "the agent sent more than a million messages and was stopped: give it a smaller task");
  }
  if (output_.size() > kMostWaiting) {
    return base::resource_exhausted(
        "the agent does not read the answers to its requests and was stopped: start it again, or "
        "update it");
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
  if (!message.error.is_null()) {
    // If the agent no longer knows the session, a new one starts.
    if (state_ != State::kLoad) return refused(message);
    continues_ = false;
    open();
    return {};
  }
  switch (state_) {
    case State::kInitialise:
      return take_initialised(message);
    case State::kLoad:
    case State::kOpen:
      return take_opened(message);
    case State::kModel:
      return choose_mode();
    case State::kMode:
      prompt();
      return {};
    default:
      return take_end(message);
  }
}

base::Result<void> AcpSession::take_initialised(const Message& message) {
  const Json& version = member(message.result, "protocolVersion");
  if (version != kProtocolVersion) {
    return base::invalid_argument(
        "the agent speaks version " + shown_text(dumped(version)) +
        " of the Agent Client Protocol, but version 1 is needed: update the agent or its server");
  }
  const Json& abilities = member(message.result, "agentCapabilities");
  takes_http_servers_ = member(member(abilities, "mcpCapabilities"), "http") == true;
  // Resuming is loading without the replay of earlier updates.
  const bool resumes = member(member(abilities, "sessionCapabilities"), "resume").is_object();
  continues_ = !order_.session.empty() && (resumes || member(abilities, "loadSession") == true);
  if (!continues_) {
    open();
    return {};
  }
  session_ = order_.session;
  ask(State::kLoad, resumes ? "session/resume" : "session/load",
      "{\"sessionId\":" + dumped(session_) + ",\"cwd\":" + dumped(order_.folder) +
          ",\"mcpServers\":" + servers_text() + "}");
  return {};
}

void AcpSession::open() {
  session_.clear();
  ask(State::kOpen, "session/new",
      "{\"cwd\":" + dumped(order_.folder) + ",\"mcpServers\":" + servers_text() + "}");
}

std::string AcpSession::servers_text() const {
  const auto pairs = [](const McpServer::Pairs& from) {
    Json list = Json::array();
    for (const auto& [name, value] : from) list.push_back({{"name", name}, {"value", value}});
    return list;
  };
  Json list = Json::array();
  for (const McpServer& server : order_.servers) {
    if (server.url.empty()) {
      list.push_back({{"name", server.name},
                      {"command", server.argv.front()},
                      {"args", std::vector(server.argv.begin() + 1, server.argv.end())},
                      {"env", pairs(server.environment)}});
    } else if (takes_http_servers_) {
      list.push_back({{"type", "http"},
                      {"name", server.name},
                      {"url", server.url},
                      {"headers", pairs(server.headers)}});
    }
  }
  return dumped(list);
}

base::Result<void> AcpSession::take_opened(const Message& message) {
  if (state_ == State::kOpen) session_ = member_text(message.result, "sessionId");
  if (session_.empty())
    return base::unavailable(
        "the agent opened a session without an id: update the agent or its server");
  host_.on_session(session_);
  report_.session = session_;
  set_older(member(message.result, "models"), "availableModels", "modelId", "currentModelId",
            choices_->model);
  set_older(member(message.result, "modes"), "availableModes", "id", "currentModeId",
            choices_->mode);
  const Json& options = member(message.result, "configOptions");
  for (std::size_t i = 0; options.is_array() && i < options.size(); ++i) {
    const Json& option = options[i];
    const std::string category = member_text(option, "category");
    if (category != "model" && category != "mode") continue;
    std::vector<Offered> found;
    add_options(member(option, "options"), found);
    set_choice(found, member_text(option, "id"), member_text(option, "currentValue"),
               category == "model" ? choices_->model : choices_->mode);
  }
  return choose_model();
}

base::Result<void> AcpSession::choose_model() {
  const Choices::Choice& choice = choices_->model;
  report_.model = order_.model.empty() ? choice.present : order_.model;
  if (order_.model.empty()) return choose_mode();
  auto found = std::ranges::find(choice.values, order_.model);
  if (found == choice.values.end()) {
    const auto named = std::ranges::find(choice.names, order_.model);
    if (named != choice.names.end()) found = choice.values.begin() + (named - choice.names.begin());
  }
  if (found == choice.values.end()) {
    return base::invalid_argument(
        "the agent offers no model \"" + shown_text(order_.model) + "\"; " +
        (choice.values.empty() ? "over the Agent Client Protocol it offers none: omit --model"
                               : "there are " + shown_text(named_values(choice.values))));
  }
  if (choice.option.empty()) {
    ask(State::kModel, "session/set_model", dumped({{"sessionId", session_}, {"modelId", *found}}));
  } else {
    ask(State::kModel, "session/set_config_option",
        dumped({{"sessionId", session_}, {"configId", choice.option}, {"value", *found}}));
  }
  return {};
}

base::Result<void> AcpSession::choose_mode() {
  const Choices::Choice& choice = choices_->mode;
  const bool offered = std::ranges::find(choice.values, order_.mode) != choice.values.end();
  if (!offered || order_.mode.empty() || choice.present == order_.mode) {
    prompt();
  } else if (choice.option.empty()) {
    ask(State::kMode, "session/set_mode",
        dumped({{"sessionId", session_}, {"modeId", order_.mode}}));
  } else {
    ask(State::kMode, "session/set_config_option",
        dumped({{"sessionId", session_}, {"configId", choice.option}, {"value", order_.mode}}));
  }
  return {};
}

void AcpSession::prompt() {
  const std::string& words = continues_ ? order_.follow_up : order_.task;
  ask(State::kPrompt, "session/prompt",
      dumped({{"sessionId", session_},
              {"prompt", Json::array({{{"type", "text"}, {"text", words}}})}}));
}

base::Result<void> AcpSession::take_end(const Message& message) {
  take_usage(message);
  for (const AgentTool& tool : tools_->take_rest()) host_.on_tool(tool);
  const std::string reason = member_text(message.result, "stopReason");
  state_ = State::kEnded;
  report_.ended = true;
  if (!denied_.empty()) return base::permission_denied(denied_);
  if (reason == "end_turn" || !held_.empty()) return {};
  if (reason == "cancelled") return base::cancelled("the agent was stopped");
  if (reason == "refusal") {
    return base::unavailable("the agent refused the task: " + shown_text(report_.said));
  }
  return base::unavailable("the agent stopped early (" +
                           (reason.empty() ? "without a reason" : shown_text(reason)) +
                           "): " + shown_text(report_.said));
}

base::Error AcpSession::refused(const Message& message) const {
  const Json& code = member(message.error, "code");
  std::string words = shown_text(member_text(message.error, "message"));
  for (const char* key : {"message", "details", "detail"}) {
    const std::string more = member_text(member(message.error, "data"), key);
    if (!more.empty()) words += ": " + shown_text(more);
  }
  if (code == kAuthRequired) words += " (authentication is required)";
  return base::unavailable("the agent refused " + std::string(awaited()) + ": " + words);
}

void AcpSession::take_request(const Message& message) {
  const bool known = member_text(message.params, "sessionId") == session_ && !session_.empty();
  if (message.method == "session/request_permission" && known) {
    send(permission(message));
  } else if (message.method.starts_with("session/")) {
    send(failure_text(message.id, {kInvalidParams, "there is no such session"}));
  } else {
    send(failure_text(message.id,
                      {kMethodNotFound, shown_text(message.method) + " is not offered here"}));
  }
}

// Grants a permission for this call only: after a permanent one the agent would stop asking, and
// rules would no longer apply.
std::string AcpSession::permission(const Message& message) {
  const Json& options = member(message.params, "options");
  const Json& call = member(message.params, "toolCall");
  if (const auto tool = tools_->take(call, /*begins=*/false, /*is_asked=*/true)) {
    host_.on_tool(*tool);
  }
  const AcpAsk ask = calls_->asked(call);
  std::string option;
  if (!is_cancelled_ || !held_.empty()) {
    AcpVerdict verdict = host_.judge(ask);
    if (verdict.verdict == model::Verdict::kAsk) {
      if (held_.size() < kMostHeld) held_.push_back({ask, verdict.why});
      host_.on_tool_end({.id = shown_text(member_text(call, "toolCallId")),
                         .output = "not made: it waits for a person"});
      cancel();
    } else if (!is_cancelled_) {
      if (verdict.verdict == model::Verdict::kAllow) {
        option = option_of(options, {"allow_once"});
        if (option.empty()) verdict.why = "the agent offers no permission for this call alone";
      }
      if (!option.empty()) {
        granted_.insert(member_text(call, "toolCallId"));
      } else {
        option = option_of(options, {"reject_once", "reject_always"});
        host_.on_refused(ask, verdict.why);
      }
    }
  }
  Json outcome{{"outcome", "cancelled"}};
  if (!option.empty()) outcome = {{"outcome", "selected"}, {"optionId", option}};
  return result_text(message.id, {{"outcome", outcome}});
}

void AcpSession::take_update(const Message& message) {
  const Json& update = member(message.params, "update");
  const std::string kind = member_text(update, "sessionUpdate");
  if (kind == "usage_update") return take_usage(message);
  // An agent that loads a session repeats its answers to earlier prompts; they are skipped.
  if (state_ != State::kPrompt) return;
  if (kind == "agent_message_chunk" || kind == "agent_thought_chunk") {
    say(member_text(member(update, "content"), "text"), kind == "agent_thought_chunk");
    take_usage(message);
  } else if (kind == "tool_call" || kind == "tool_call_update") {
    take_call(message, kind == "tool_call");
  } else if (kind == "plan") {
    take_plan(message);
  }
}

void AcpSession::take_call(const Message& message, bool begins) {
  const Json& update = member(message.params, "update");
  if (member_text(update, "status") == "completed") hold_against_rules(message);
  calls_->take(update);
  if (begins) {
    ++report_.tools;
    tool_since_ = true;
  }
  if (const auto tool = tools_->take(update, begins)) host_.on_tool(*tool);
  const std::string status = member_text(update, "status");
  if (status == "completed" || status == "failed") end_call(message);
}

void AcpSession::end_call(const Message& message) {
  const Json& update = member(message.params, "update");
  const std::string id = shown_text(member_text(update, "toolCallId"));
  AgentToolEnd end{.id = id,
                   .failed = member_text(update, "status") == "failed",
                   .output = member_text(update, "rawOutput"),
                   .tool = tools_->end(id)};
  const Json& content = member(update, "content");
  for (std::size_t i = 0; content.is_array() && i < content.size(); ++i) {
    const std::string text = member_text(member(content[i], "content"), "text");
    if (!text.empty()) {
      end.output = text;
      break;
    }
  }
  if (end.failed) {
    report_.failed_tools = std::min(report_.failed_tools + 1, report_.tools);
    report_.tool_error = shown_text(end.output);
  }
  host_.on_tool_end(end);
}

// Some agents make calls that they think harmless without asking: one that a rule denies is the
// end. What it read outside or fetched is for the sandbox to refuse.
void AcpSession::hold_against_rules(const Message& message) {
  const Json& update = member(message.params, "update");
  const AcpAsk ask = calls_->asked(update);
  const bool counts = !ask.kinds.empty() && ask.outside.empty() &&
                      std::ranges::all_of(ask.kinds, has_rules) &&
                      !granted_.contains(member_text(update, "toolCallId"));
  if (!counts || is_cancelled_) return;
  const AcpVerdict verdict = host_.judge(ask);
  if (verdict.verdict != model::Verdict::kDeny) return;
  host_.on_refused(ask, verdict.why);
  denied_ = "the agent made a call without asking that is denied: " + ask.title + " (" +
            verdict.why + ")";
  cancel();
}

// Shows the step that the agent works on like a tool: "2/5 Write the tests".
void AcpSession::take_plan(const Message& message) {
  const Json& entries = member(member(message.params, "update"), "entries");
  if (!entries.is_array()) return;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (member_text(entries[i], "status") != "in_progress") continue;
    const std::string step = "step " + std::to_string(i + 1) + "/" +
                             std::to_string(entries.size()) + ": " +
                             shown_text(member_text(entries[i], "content"));
    if (step == plan_step_) return;
    plan_step_ = step;
    host_.on_tool({.title = step, .name = "plan"});
    return;
  }
}

// Agents report the usage of the session, of a turn, or of one answer.
void AcpSession::take_usage(const Message& message) {
  const Json& update = member(message.params, "update");
  if (const model::Microdollars cost = cost_in(member(update, "cost")); cost > 0) {
    if (state_ != State::kPrompt) {
      cost_before_ = cost;
    } else {
      report_.usage.cost = std::max(report_.usage.cost, cost - cost_before_);
      report_.usage.priced = true;
    }
  }
  const AgentUsage answer = usage_in(member(member(update, "_meta"), "usage"));
  AgentUsage turn = usage_in(member(message.result, "usage"));
  if (turn == AgentUsage{}) {
    const Json& quota = member(member(message.result, "_meta"), "quota");
    turn = usage_in(member(quota, "token_count"));
  }
  AgentUsage& used = report_.usage;
  used.input_tokens = std::max(used.input_tokens + answer.input_tokens, turn.input_tokens);
  used.output_tokens = std::max(used.output_tokens + answer.output_tokens, turn.output_tokens);
  used.cache_read = std::max(used.cache_read + answer.cache_read, turn.cache_read);
  used.cache_write = std::max(used.cache_write + answer.cache_write, turn.cache_write);
}

void AcpSession::say(std::string_view text, bool reasoning) {
  if (text.empty()) return;
  for (const AgentTool& tool : tools_->take_rest()) host_.on_tool(tool);
  host_.on_text(std::string(text), reasoning);
  if (reasoning) return;
  if (tool_since_) report_.said.clear();
  tool_since_ = false;
  if (report_.said.size() >= kLongestSummary) return;
  report_.said += base::utf8_prefix(text, kLongestSummary - report_.said.size());
}

}  // namespace clever::engine
