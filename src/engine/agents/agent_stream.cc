#include "engine/agents/agent_stream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "base/utf8.h"
#include "engine/agents/internal/json_fields.h"
#include "io/sse.h"
#include "model/document_json.h"

namespace clever::engine {
namespace {

using internal::member_count;
using internal::member_flag;
using internal::member_list;
using internal::member_number;
using internal::member_of;
using internal::member_text;
using model::Document;

constexpr std::size_t kLongestSaid = 4000;
constexpr std::size_t kLongestError = 2000;
constexpr std::size_t kLongestTitle = 160;
// More answers than this mean a broken agent.
constexpr std::size_t kMostAnswers = 100'000;
constexpr double kMicrodollars = 1e6;

std::string one_line(std::string_view text, std::size_t most) {
  std::string line(base::utf8_prefix(base::to_valid_utf8(text.substr(0, 4 * most)), most));
  for (char& one : line) {
    if (static_cast<unsigned char>(one) < 0x20 || one == 0x7F) one = ' ';
  }
  return line;
}

// Describes a tool call by the first of these arguments: the command, the path, …
std::string title_of(const std::string& tool, const Document& input) {
  constexpr std::array<std::string_view, 12> kTelling{
      "command", "cmd", "file_path", "filePath", "path",        "absolute_path",
      "pattern", "url", "query",     "prompt",   "description", "title"};
  for (const std::string_view key : kTelling) {
    const std::string value = member_text(input, key);
    if (!value.empty()) return one_line(tool + " " + value, kLongestTitle);
  }
  return one_line(tool, kLongestTitle);
}

AgentTool tool_of(const std::string& id, const std::string& name, const Document& input) {
  AgentTool tool{.id = id, .title = title_of(name, input), .name = one_line(name, kLongestTitle)};
  if (input.is_map()) tool.input = model::to_json(input);
  return tool;
}

// Reads the texts of a list of {"text": …}, or a plain text.
std::string text_in(const Document& content) {
  if (const auto* text = std::get_if<std::string>(&content.value())) return *text;
  std::string all;
  if (const auto* list = std::get_if<Document::List>(&content.value())) {
    for (const Document& part : *list) all += text_in(part);
  }
  if (content.is_map()) all = member_text(content, "text");
  return all;
}

/// The common part of all formats.
class Reader : public AgentStream {
 public:
  explicit Reader(const AgentListener& listener) : listener_(listener) {}
  [[nodiscard]] const AgentReport& report() const final { return report_; }

 protected:
  void say(std::string_view text, bool reasoning) {
    if (text.empty()) return;
    const std::string valid = base::to_valid_utf8(text);
    if (listener_.on_text) listener_.on_text(valid, reasoning);
    if (reasoning) return;
    recovered();
    if (tool_since_) report_.said.clear();
    tool_since_ = false;
    if (report_.said.size() < kLongestSaid) {
      report_.said += base::utf8_prefix(valid, kLongestSaid - report_.said.size());
    }
  }
  // Says a whole paragraph.
  void say_whole(const std::string& text, bool reasoning) {
    if (!text.empty()) say(text.ends_with('\n') ? text : text + "\n", reasoning);
  }
  void tool_begins(const AgentTool& tool) {
    ++report_.tools;
    tool_since_ = true;
    recovered();
    if (listener_.on_tool) listener_.on_tool(tool);
  }
  void tool_ended(const std::string& id, const std::string& output) {
    if (listener_.on_tool_end) listener_.on_tool_end({.id = id, .output = output});
  }
  void tool_failed(const std::string& id, const std::string& why) {
    report_.failed_tools = std::min(report_.failed_tools + 1, report_.tools);
    if (!why.empty()) report_.tool_error = one_line(why, kLongestError);
    if (listener_.on_tool_end) listener_.on_tool_end({.id = id, .failed = true, .output = why});
  }
  void go_wrong(const std::string& why) {
    report_.error = why.empty() ? "it failed without a reason" : words_of_error(why);
  }
  void recovered() { report_.error.clear(); }
  void end(bool failed) {
    report_.ended = true;
    report_.failed = failed;
  }
  void add_usage(const AgentUsage& usage) {
    report_.usage.input_tokens += usage.input_tokens;
    report_.usage.output_tokens += usage.output_tokens;
    report_.usage.cache_read += usage.cache_read;
    report_.usage.cache_write += usage.cache_write;
    report_.usage.cost += usage.cost;
    report_.usage.priced = report_.usage.priced || usage.priced;
  }
  AgentReport& own() { return report_; }

 private:
  const AgentListener& listener_;
  AgentReport report_{};
  bool tool_since_ = false;
};

/// Plain text, shown as it arrives.
class TextReader final : public Reader {
 public:
  using Reader::Reader;

  base::Result<void> on_output(std::string_view bytes) override {
    held_ += bytes;
    const std::size_t whole = whole_characters();
    const std::string words = held_.substr(0, whole);
    held_.erase(0, whole);
    say(words, false);
    return {};
  }
  void finish() override { say(std::exchange(held_, {}), false); }

 private:
  // A character may arrive in two pieces.
  [[nodiscard]] std::size_t whole_characters() const {
    const std::size_t end = held_.size();
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, end); ++back) {
      const auto byte = static_cast<unsigned char>(held_[end - back]);
      if ((byte & 0xC0U) == 0x80U) continue;
      const std::size_t needed = byte >= 0xF0U ? 4 : byte >= 0xE0U ? 3 : byte >= 0xC0U ? 2 : 1;
      return needed > back ? end - back : end;
    }
    return end;
  }

  std::string held_{};
};

/// One JSON document per line. Other lines are shown as text.
class LineReader : public Reader {
 public:
  explicit LineReader(const AgentListener& listener) : Reader(listener), lines_(kLongestLine) {}

  base::Result<void> on_output(std::string_view bytes) final {
    const bool fits = lines_.feed(bytes, [this](std::string_view line) { take(line); });
    if (fits) return {};
    return base::resource_exhausted("the agent wrote a line of more than 32 MiB");
  }
  void finish() final { take(std::string(lines_.rest())); }

 protected:
  virtual void on_event(const std::string& type, const Document& event) = 0;

 private:
  void take(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty()) return;
    if (line.front() != '{' && line.front() != '[') {
      if (!own().ended) say_whole(base::to_valid_utf8(line.substr(0, kLongestSaid)), false);
      return;
    }
    const auto event = model::parse_document(line);
    if (event.ok() && event->is_map()) on_event(member_text(*event, "type"), *event);
  }

  io::LineSplitter lines_;
};

/// The format of claude and qwen.
class ClaudeReader final : public LineReader {
 public:
  using LineReader::LineReader;

 private:
  void on_event(const std::string& type, const Document& event) override {
    if (const std::string session = member_text(event, "session_id"); !session.empty()) {
      own().session = session;
    }
    if (type == "system") {
      if (const std::string model = member_text(event, "model"); !model.empty()) {
        own().model = model;
      }
      // Without a status there was no answer at all.
      if (member_text(event, "subtype") == "api_retry") {
        const bool answered = !member_of(event, "error_status").is_null();
        go_wrong(answered ? "API error " + std::to_string(member_count(event, "error_status")) +
                                ": " + member_text(event, "error")
                          : "API connection error: nothing answers");
      }
      return;
    }
    if (type == "assistant") return answered(event);
    if (type == "user") return results(member_of(event, "message"));
    if (type == "result") return ended(event);
  }

  void answered(const Document& event) {
    const Document& message = member_of(event, "message");
    for (const Document& part : member_list(message, "content")) {
      const std::string type = member_text(part, "type");
      if (type == "text") say_whole(member_text(part, "text"), false);
      if (type == "thinking") say_whole(member_text(part, "thinking"), true);
      if (type == "tool_use") {
        tool_begins(
            tool_of(member_text(part, "id"), member_text(part, "name"), member_of(part, "input")));
      }
    }
    if (const std::string error = member_text(event, "error"); !error.empty()) {
      go_wrong(text_in(member_of(message, "content")));
    }
    count(event, message);
  }

  // An answer comes in several events that repeat the same numbers.
  void count(const Document& event, const Document& message) {
    std::string id = member_text(event, "request_id");
    if (id.empty()) id = member_text(message, "id");
    const Document& usage = member_of(message, "usage");
    const AgentUsage used = usage_in(usage);
    if (used == AgentUsage{} || counted_.size() >= kMostAnswers) return;
    if (!id.empty() && !counted_.insert(id).second) return;
    add_usage(used);
  }

  static AgentUsage usage_in(const Document& usage) {
    const std::int64_t written = member_count(usage, "cache_creation_input_tokens");
    const std::int64_t read = member_count(usage, "cache_read_input_tokens");
    return {.input_tokens = member_count(usage, "input_tokens") + written + read,
            .output_tokens = member_count(usage, "output_tokens"),
            .cache_read = read,
            .cache_write = written};
  }

  void results(const Document& message) {
    for (const Document& part : member_list(message, "content")) {
      if (member_text(part, "type") != "tool_result") continue;
      const std::string id = member_text(part, "tool_use_id");
      const std::string output = text_in(member_of(part, "content"));
      member_flag(part, "is_error") ? tool_failed(id, output) : tool_ended(id, output);
    }
  }

  void ended(const Document& event) {
    const AgentUsage used = usage_in(member_of(event, "usage"));
    AgentUsage& all = own().usage;
    all.input_tokens = std::max(all.input_tokens, used.input_tokens);
    all.output_tokens = std::max(all.output_tokens, used.output_tokens);
    if (!member_of(event, "total_cost_usd").is_null()) {
      all.cost = static_cast<model::Microdollars>(std::llround(
          std::clamp(member_number(event, "total_cost_usd"), 0.0, 1e6) * kMicrodollars));
      all.priced = true;
    }
    const std::string result = member_text(event, "result");
    const bool failed =
        member_flag(event, "is_error") || member_text(event, "subtype") != "success";
    end(failed);
    if (!failed) {
      recovered();
      if (!result.empty())
        own().said = base::utf8_prefix(base::to_valid_utf8(result), kLongestSaid);
      return;
    }
    std::string why = result.empty() ? member_text(event, "error.message") : result;
    for (const Document& error : member_list(event, "errors")) {
      if (why.empty()) why = text_in(error);
    }
    go_wrong(why.empty() ? member_text(event, "subtype") : why);
  }

  std::set<std::string> counted_{};
};

class CodexReader final : public LineReader {
 public:
  using LineReader::LineReader;

 private:
  void on_event(const std::string& type, const Document& event) override {
    if (type == "thread.started") own().session = member_text(event, "thread_id");
    if (type == "item.started") started(member_of(event, "item"));
    if (type == "item.completed") completed(member_of(event, "item"));
    if (type == "error") go_wrong(member_text(event, "message"));
    if (type == "turn.failed") {
      go_wrong(member_text(event, "error.message"));
      end(true);
    }
    if (type == "turn.completed") {
      add_usage({.input_tokens = member_count(event, "usage.input_tokens"),
                 .output_tokens = member_count(event, "usage.output_tokens"),
                 .cache_read = member_count(event, "usage.cached_input_tokens"),
                 .cache_write = member_count(event, "usage.cache_write_input_tokens")});
      recovered();
      end(false);
    }
  }

  static bool is_tool(const std::string& type) {
    return type == "command_execution" || type == "file_change" || type == "mcp_tool_call" ||
           type == "web_search";
  }

  static AgentTool tool(const std::string& type, const Document& item) {
    const std::string id = member_text(item, "id");
    Document input = Document::map();
    if (type == "command_execution") {
      input.set("command", member_text(item, "command"));
      return tool_of(id, "run", input);
    }
    if (type == "mcp_tool_call") {
      return tool_of(id, member_text(item, "tool"), member_of(item, "arguments"));
    }
    if (type == "web_search") {
      input.set("query", member_text(item, "query"));
      return tool_of(id, "search", input);
    }
    std::string paths;
    for (const Document& change : member_list(item, "changes")) {
      if (paths.size() < kLongestTitle) {
        paths += (paths.empty() ? "" : " ") + member_text(change, "path");
      }
    }
    input.set("path", one_line(paths, kLongestTitle));
    return tool_of(id, "change", input);
  }

  void started(const Document& item) {
    const std::string type = member_text(item, "type");
    if (!is_tool(type)) return;
    if (const std::string id = member_text(item, "id"); counted_.size() < kMostAnswers) {
      counted_.insert(id);
    }
    tool_begins(tool(type, item));
  }

  void completed(const Document& item) {
    const std::string type = member_text(item, "type");
    if (type == "agent_message") say_whole(member_text(item, "text"), false);
    if (type == "reasoning") say_whole(member_text(item, "text"), true);
    if (!is_tool(type)) return;
    if (counted_.erase(member_text(item, "id")) == 0) tool_begins(tool(type, item));
    const std::string id = member_text(item, "id");
    const std::string output = member_text(item, "aggregated_output");
    if (member_text(item, "status") != "failed") return tool_ended(id, output);
    tool_failed(id, output.empty() ? member_text(item, "error.message") : output);
  }

  std::set<std::string> counted_{};
};

class OpencodeReader final : public LineReader {
 public:
  using LineReader::LineReader;

 private:
  void on_event(const std::string& type, const Document& event) override {
    if (const std::string id = member_text(event, "sessionID"); !id.empty()) own().session = id;
    const Document& part = member_of(event, "part");
    if (type == "text") say_whole(member_text(part, "text"), false);
    if (type == "reasoning") say_whole(member_text(part, "text"), true);
    if (type == "tool_use") tool(part);
    if (type == "step_finish") step(part);
    if (type == "error") {
      const std::string message = member_text(event, "error.data.message");
      go_wrong(message.empty() ? member_text(event, "error.name") : message);
      end(true);
    }
  }

  void tool(const Document& part) {
    const Document& state = member_of(part, "state");
    const std::string id = member_text(part, "callID");
    tool_begins(tool_of(id, member_text(part, "tool"), member_of(state, "input")));
    const bool failed = member_text(state, "status") == "error";
    failed ? tool_failed(id, member_text(state, "error"))
           : tool_ended(id, member_text(state, "output"));
  }

  void step(const Document& part) {
    const Document& tokens = member_of(part, "tokens");
    add_usage({.input_tokens = member_count(tokens, "input") + member_count(tokens, "cache.read") +
                               member_count(tokens, "cache.write"),
               .output_tokens = member_count(tokens, "output") + member_count(tokens, "reasoning"),
               .cache_read = member_count(tokens, "cache.read"),
               .cache_write = member_count(tokens, "cache.write"),
               .cost = static_cast<model::Microdollars>(
                   std::llround(std::clamp(member_number(part, "cost"), 0.0, 1e6) * kMicrodollars)),
               .priced = member_number(part, "cost") > 0});
    if (member_text(part, "reason") != "tool-calls") {
      recovered();
      end(false);
    }
  }
};

class GeminiReader final : public LineReader {
 public:
  using LineReader::LineReader;

 private:
  void on_event(const std::string& type, const Document& event) override {
    if (type == "init") {
      own().session = member_text(event, "session_id");
      own().model = member_text(event, "model");
    }
    if (type == "message" && member_text(event, "role") == "assistant") {
      say(member_text(event, "content"), false);
    }
    if (type == "tool_use") {
      tool_begins(tool_of(member_text(event, "tool_id"), member_text(event, "tool_name"),
                          member_of(event, "parameters")));
    }
    if (type == "tool_result") {
      const std::string id = member_text(event, "tool_id");
      const std::string why = member_text(event, "error.message");
      const std::string output = member_text(event, "output");
      member_text(event, "status") == "error" ? tool_failed(id, why.empty() ? output : why)
                                              : tool_ended(id, output);
    }
    if (type == "error" && member_text(event, "severity") != "warning") {
      go_wrong(member_text(event, "message"));
    }
    if (type == "result") ended(event);
  }

  void ended(const Document& event) {
    add_usage({.input_tokens = member_count(event, "stats.input_tokens"),
               .output_tokens = member_count(event, "stats.output_tokens"),
               .cache_read = member_count(event, "stats.cached")});
    const bool failed = member_text(event, "status") != "success";
    end(failed);
    if (!failed) return recovered();
    go_wrong(member_text(event, "error.message"));
  }
};

class GooseReader final : public LineReader {
 public:
  using LineReader::LineReader;

 private:
  void on_event(const std::string& type, const Document& event) override {
    if (type == "message") return message(member_of(event, "message"));
    if (type == "error") {
      go_wrong(member_text(event, "error"));
      end(true);
    }
    if (type != "complete") return;
    AgentUsage used{.input_tokens = member_count(event, "input_tokens"),
                    .output_tokens = member_count(event, "output_tokens")};
    if (used == AgentUsage{}) used.input_tokens = member_count(event, "total_tokens");
    add_usage(used);
    if (own().failed) return;
    recovered();
    end(!own_words_.empty());
    if (!own_words_.empty()) go_wrong(own_words_);
  }

  // A broken connection comes as a message of goose's own, which names no model, and goose ends as
  // if it were done.
  [[nodiscard]] static bool is_own(const Document& message) {
    return member_of(message, "metadata").is_map() &&
           member_of(message, "metadata.inference").is_null();
  }

  void message(const Document& message) {
    const bool is_agent = member_text(message, "role") == "assistant";
    own_words_.clear();
    if (is_agent && is_own(message)) {
      const std::string words = text_in(member_of(message, "content"));
      if (words.starts_with("Network error")) own_words_ = words;
    }
    for (const Document& part : member_list(message, "content")) {
      const std::string type = member_text(part, "type");
      if (type == "text" && is_agent) say(member_text(part, "text"), false);
      if (type == "thinking") say(member_text(part, "thinking"), true);
      if (type == "toolRequest") {
        tool_begins(tool_of(member_text(part, "id"), member_text(part, "toolCall.value.name"),
                            member_of(part, "toolCall.value.arguments")));
      }
      if (type == "toolResponse") response(member_text(part, "id"), member_of(part, "toolResult"));
    }
  }

  void response(const std::string& id, const Document& result) {
    const bool failed = member_text(result, "status") == "error" ||
                        member_flag(result, "value.isError") || member_flag(result, "isError");
    const std::string output = text_in(member_of(result, "value.content"));
    if (!failed) return tool_ended(id, output);
    const std::string why = member_text(result, "error");
    tool_failed(id, why.empty() ? output : why);
  }

  std::string own_words_{};
};

}  // namespace

bool counts_whole_session(AgentStreamFormat format) noexcept {
  return format == AgentStreamFormat::kCodex || format == AgentStreamFormat::kGoose;
}

std::string_view to_string(AgentStreamFormat format) noexcept {
  switch (format) {
    case AgentStreamFormat::kClaude:
      return "claude";
    case AgentStreamFormat::kCodex:
      return "codex";
    case AgentStreamFormat::kOpencode:
      return "opencode";
    case AgentStreamFormat::kGemini:
      return "gemini";
    case AgentStreamFormat::kGoose:
      return "goose";
    case AgentStreamFormat::kText:
      break;
  }
  return "text";
}

std::unique_ptr<AgentStream> AgentStream::make(AgentStreamFormat format,
                                               const AgentListener& listener) {
  switch (format) {
    case AgentStreamFormat::kClaude:
      return std::make_unique<ClaudeReader>(listener);
    case AgentStreamFormat::kCodex:
      return std::make_unique<CodexReader>(listener);
    case AgentStreamFormat::kOpencode:
      return std::make_unique<OpencodeReader>(listener);
    case AgentStreamFormat::kGemini:
      return std::make_unique<GeminiReader>(listener);
    case AgentStreamFormat::kGoose:
      return std::make_unique<GooseReader>(listener);
    case AgentStreamFormat::kText:
      break;
  }
  return std::make_unique<TextReader>(listener);
}

std::string words_of_error(std::string_view text) {
  const std::size_t brace = text.find('{');
  if (brace != std::string_view::npos) {
    const auto document = model::parse_document(text.substr(brace));
    for (const char* name : {"error.message", "message", "detail", "error"}) {
      if (!document.ok()) break;
      const std::string words = member_text(*document, name);
      if (!words.empty()) return one_line(words, kLongestError);
    }
  }
  return one_line(text, kLongestError);
}

}  // namespace clever::engine
