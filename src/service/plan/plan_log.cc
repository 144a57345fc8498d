#include "service/plan/plan_log.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/redact.h"
#include "base/text.h"
#include "engine/actor/agent_actor.h"
#include "engine/agents/login_copies.h"
#include "model/control_events.h"
#include "model/decision_events.h"
#include "model/document_json.h"
#include "model/restored_events.h"
#include "service/amounts.h"
#include "service/commands/plan.h"
#include "service/plan/validation_view.h"
#include "service/text.h"

namespace clever::service {
namespace {

using Kind = LogEntry::Kind;

constexpr std::size_t kShownArgument = 80;
constexpr std::size_t kShownColumns = 160;
// Folded text keeps its first and last lines.
constexpr std::size_t kFirstLines = 5;
constexpr std::size_t kLastLines = 5;

struct EntryWords {
  std::string_view name;
  /// The label before an entry.
  std::string_view label;
};
constexpr std::array<EntryWords, 11> kEntryWords{{{"prompt", "task"},
                                                  {"text", "model"},
                                                  {"thinking", "thinks"},
                                                  {"call", "tool"},
                                                  {"answered", "cost"},
                                                  {"step", "step"},
                                                  {"error", "error"},
                                                  {"validation", "check"},
                                                  {"restored", "back"},
                                                  {"apply", "apply"},
                                                  {"note", "agent"}}};

std::string text_of_result(const model::ToolResult& result) {
  std::string text;
  for (const auto& part : result.content) {
    const auto* words = std::get_if<model::Text>(&part);
    text += words != nullptr ? words->text : "(a picture)";
  }
  return text;
}

/// Collects the log of one plan, event by event.
class Log {
 public:
  explicit Log(const LogMessageOf& message) : message_(message) {}

  base::Result<std::vector<LogEntry>> read(const std::vector<model::StoredEvent>& events) {
    for (const model::StoredEvent& event : events) CLEVER_TRY(read(event));
    return std::move(entries_);
  }

 private:
  base::Result<void> read(const model::StoredEvent& event) {
    using namespace model;
    if (event.kind == PlanPrompted::kKind) return prompted(event);
    if (event.kind == MessageAdded::kKind) return said(event);
    if (event.kind == ModelAnswered::kKind) return answered(event);
    if (event.kind == ToolsRecorded::kKind) return ran(event);
    if (event.kind == ErrorRecorded::kKind) return failed(event);
    if (event.kind == StepMoved::kKind) return moved(event);
    if (event.kind == ValidationsRan::kKind) return validated(event);
    if (event.kind == WorkRestored::kKind) return restored(event);
    if (event.kind == ApplyEnded::kKind) return applied(event);
    if (std::string news = agent_news(event); !news.empty())
      add(event, Kind::kNote, std::move(news));
    if (event.kind == ApplyUndone::kKind) add(event, Kind::kApply, "undone");
    return {};
  }

  LogEntry& add(const model::StoredEvent& event, Kind kind, std::string text) {
    entries_.push_back({.plan = event.plan,
                        .sequence = event.sequence,
                        .place = entries_.size(),
                        .time = event.time,
                        .kind = kind,
                        .text = std::move(text)});
    return entries_.back();
  }

  base::Result<void> prompted(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto prompt, model::PlanPrompted::parse(event.data));
    const auto message = message_(prompt.body);
    LogEntry& entry = add(event, Kind::kPrompt, "");
    if (message) {
      read_words(*message, entry);
    } else {
      entry.text = "(removed by a cleanup)";
    }
    return {};
  }

  // The first text is the person's; what follows it was added for the model.
  static void read_words(const model::Message& message, LogEntry& entry) {
    std::string pictures;
    bool is_first = true;
    for (const model::Part& part : message.parts) {
      const auto* text = std::get_if<model::Text>(&part);
      if (text == nullptr) {
        pictures += " (a picture)";
        continue;
      }
      std::string& words = std::exchange(is_first, false) ? entry.text : entry.output;
      words += (words.empty() ? "" : "\n\n") + text->text;
    }
    entry.text += pictures;
  }

  base::Result<void> said(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto added, model::MessageAdded::parse(event.data));
    const bool answer = added.why == model::MessageWhy::kAnswer;
    if (!answer && added.why != model::MessageWhy::kResults) return {};
    const auto message = message_(added.body);
    if (!message) {
      if (answer) add(event, Kind::kText, "(removed by a cleanup)");
      return {};
    }
    if (answer) calls_.clear();
    for (const model::Part& part : message->parts) take(event, part);
    return {};
  }

  void take(const model::StoredEvent& event, const model::Part& part) {
    if (const auto* text = std::get_if<model::Text>(&part)) {
      // Text among results is a remark of ours.
      if (!base::is_blank(text->text)) add(event, Kind::kText, text->text);
    } else if (const auto* thought = std::get_if<model::Reasoning>(&part)) {
      if (!base::is_blank(thought->text)) add(event, Kind::kThinking, thought->text);
    } else if (const auto* call = std::get_if<model::ToolCall>(&part)) {
      calls_.emplace_back(call->id, entries_.size());
      add(event, Kind::kCall, call->arguments).tool = call->name;
    } else if (const auto* result = std::get_if<model::ToolResult>(&part)) {
      const auto found = std::ranges::find(calls_, result->call, &OpenCall::first);
      if (found == calls_.end()) return;
      LogEntry& called = entries_[found->second];
      called.answered = true;
      called.failed = result->failed;
      called.output = text_of_result(*result);
    }
  }

  // The calls of the last answer, in its order.
  base::Result<void> ran(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto recorded, model::ToolsRecorded::parse(event.data));
    for (std::size_t i = 0; i < std::min(calls_.size(), recorded.calls.size()); ++i) {
      LogEntry& called = entries_[calls_[i].second];
      called.failed = recorded.calls[i].failed;
      called.exit_code = recorded.calls[i].exit_code;
      called.took = recorded.calls[i].took;
    }
    return {};
  }

  base::Result<void> answered(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto answer, model::ModelAnswered::parse(event.data));
    LogEntry& entry = add(event, Kind::kAnswered, answer.model);
    entry.input_tokens = answer.input_tokens;
    entry.output_tokens = answer.output_tokens;
    entry.cost = answer.cost;
    return {};
  }

  base::Result<void> failed(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto error, model::ErrorRecorded::parse(event.data));
    LogEntry& entry = add(event, Kind::kError,
                          std::string(to_string(error.category)) + ": " + error.message + " (" +
                              std::string(to_string(error.recovery)) + ")");
    entry.failed = true;
    return {};
  }

  base::Result<void> moved(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto step, model::StepMoved::parse(event.data));
    const auto before = std::exchange(steps_[step.step], step.state);
    if (before == step.state) return {};
    std::string text = step.step + " " + std::string(to_string(step.state));
    add(event, Kind::kStep, std::move(text)).failed = step.state == model::StepState::kFailed;
    return {};
  }

  base::Result<void> validated(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto checked, model::ValidationsRan::parse(event.data));
    for (const model::ValidationResult& result : checked.results) {
      LogEntry& entry = add(event, Kind::kValidation, result_text(result));
      entry.tool = result.name;
      entry.output = result.output;
      entry.failed = !result.passed;
      entry.took = result.took;
    }
    return {};
  }

  base::Result<void> restored(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto back, model::WorkRestored::parse(event.data));
    add(event, Kind::kRestored, "rolled back to event " + std::to_string(back.to_sequence));
    return {};
  }

  base::Result<void> applied(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto ended, model::ApplyEnded::parse(event.data));
    const std::string files = std::to_string(ended.files.size());
    add(event, Kind::kApply,
        ended.applied ? "applied (files: " + files + ")" : "not applied: " + ended.reason)
        .failed = !ended.applied;
    return {};
  }

  using OpenCall = std::pair<std::string, std::size_t>;
  const LogMessageOf& message_;
  std::vector<LogEntry> entries_;
  // Maps call ids to the positions of their entries.
  std::vector<OpenCall> calls_;
  std::map<std::string, model::StepState> steps_;
};

std::string call_outcome(const LogEntry& entry) {
  if (!entry.answered) return {};
  std::string text;
  if (entry.exit_code) text = "exit code " + std::to_string(*entry.exit_code);
  if (!entry.exit_code && entry.failed) {
    text = one_line(entry.output, kShownColumns);
  }
  if (entry.took.count() > 0) text += (text.empty() ? "" : ", ") + seconds_text(entry.took);
  return text;
}

// Formats a call's arguments in one line, `command="make test"`; cuts long ones.
std::string arguments_text(const std::string& arguments) {
  const auto document = model::parse_document(arguments);
  if (!document.ok() || !document->is_map()) return one_line(arguments, kShownColumns);
  std::string text;
  for (const auto& [key, value] : std::get<Document::Map>(document->value())) {
    const auto* words = std::get_if<std::string>(&value.value());
    const std::size_t lines =
        words == nullptr ? 1 : static_cast<std::size_t>(std::ranges::count(*words, '\n'));
    std::string shown = one_line(words == nullptr ? to_json(value) : *words, kShownArgument);
    if (words != nullptr) shown = '"' + shown + '"';
    if (lines > 1) shown += " (" + std::to_string(lines) + " lines)";
    text += (text.empty() ? "" : " ") + key + "=" + shown;
  }
  return text;
}

void add_lines(std::string_view text, bool full, Prose& prose) {
  const std::string shown = base::redact(std::string(base::trimmed(text, "\r\n")));
  if (shown.empty()) return;
  const auto lines = base::split(shown, '\n');
  const bool folded = !full && lines.size() > kFirstLines + kLastLines + 1;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (folded && i == kFirstLines) {
      i = lines.size() - kLastLines;
      prose.lines.push_back(
          {{"    … " + std::to_string(i - kFirstLines) + " more lines (--full shows them)",
            Tone::kDim}});
    }
    const std::string line = printable(lines[i]);
    prose.lines.push_back(
        {{"    " + (full ? line : shortened(line, kShownColumns, true)), Tone::kDim}});
  }
}

// Shows each argument on lines of its own.
void add_arguments(const std::string& arguments, Prose& prose) {
  const auto document = model::parse_document(arguments);
  if (!document.ok() || !document->is_map()) return add_lines(arguments, true, prose);
  for (const auto& [key, value] : std::get<Document::Map>(document->value())) {
    const auto* words = std::get_if<std::string>(&value.value());
    prose.lines.push_back({{"    " + printable(key) + ":", Tone::kAccent}});
    add_lines(words == nullptr ? to_json(value) : *words, true, prose);
  }
}

Tone tone_of_entry(const LogEntry& entry) {
  if (entry.failed) return Tone::kBad;
  if (entry.kind == Kind::kPrompt) return Tone::kStrong;
  return entry.kind == Kind::kThinking || entry.kind == Kind::kAnswered ? Tone::kDim
                                                                        : Tone::kAccent;
}

std::string chosen_for(std::string_view question, const model::StoredEvent& event) {
  if (event.kind != model::DecisionRecorded::kKind) return {};
  auto decision = model::DecisionRecorded::parse(event.data);
  return decision.ok() && decision->question == question ? std::move(decision->chosen)
                                                         : std::string();
}

Line head(const LogEntry& entry, const std::string& label) {
  constexpr std::size_t kTimeBegin = 11;
  constexpr std::size_t kTimeLength = 8;
  const std::string_view word = entry.failed && entry.kind == Kind::kCall
                                    ? "FAILED"
                                    : kEntryWords.at(static_cast<std::size_t>(entry.kind)).label;
  Line line{{shown_time(entry.time).substr(kTimeBegin, kTimeLength) + " ", Tone::kDim},
            {padded(word, 6) + " ", tone_of_entry(entry)}};
  if (!label.empty()) line.push_back({"[" + label + "] ", Tone::kDim});
  return line;
}

Prose call_prose(const LogEntry& entry, bool full, Line line) {
  line.push_back({entry.tool, Tone::kStrong});
  const std::string outcome = call_outcome(entry);
  if (!full) line.push_back({" " + base::redact(arguments_text(entry.text))});
  if (!outcome.empty()) {
    line.push_back({" (" + base::redact(outcome) + ")", entry.failed ? Tone::kBad : Tone::kDim});
  }
  if (!entry.answered) line.push_back({" (no answer)", Tone::kDim});
  Prose prose{{std::move(line)}};
  if (full) add_arguments(entry.text, prose);
  if (full && !entry.output.empty()) prose.lines.push_back({{"    answer:", Tone::kAccent}});
  add_lines(entry.output, full, prose);
  return prose;
}

}  // namespace

std::string_view to_string(LogEntry::Kind kind) noexcept {
  return kEntryWords.at(static_cast<std::size_t>(kind)).name;
}

base::Result<std::vector<LogEntry>> plan_log(const std::vector<model::StoredEvent>& events,
                                             const LogMessageOf& message) {
  return Log(message).read(events);
}

std::string last_answer(const std::vector<LogEntry>& entries, const model::PlanId& plan) {
  std::string answer;
  std::int64_t sequence = 0;
  for (const LogEntry& entry : entries) {
    if (entry.plan != plan || entry.kind != Kind::kText) continue;
    if (std::exchange(sequence, entry.sequence) != entry.sequence) answer.clear();
    answer += (answer.empty() ? "" : "\n") + entry.text;
  }
  return answer;
}

Document log_document(const LogEntry& entry) {
  Document document = Document::map()
                          .set("plan_id", entry.plan.to_string())
                          .set("sequence", entry.sequence)
                          .set("time", shown_time(entry.time))
                          .set("kind", to_string(entry.kind));
  if (entry.kind == Kind::kAnswered) {
    return std::move(document)
        .set("model", entry.text)
        .set("input_tokens", entry.input_tokens)
        .set("output_tokens", entry.output_tokens)
        .set("cost", entry.cost);
  }
  if (entry.kind == Kind::kPrompt && !entry.output.empty()) {
    document.set("added", base::redact(entry.output));
  }
  if (entry.kind == Kind::kCall) {
    document.set("tool", entry.tool)
        .set("arguments", document_of_json(base::redact(entry.text)))
        .set("answered", entry.answered)
        .set("exit_code", entry.exit_code ? Document(*entry.exit_code) : Document());
  } else {
    if (!entry.tool.empty()) document.set("name", entry.tool);
    document.set("text", base::redact(entry.text));
  }
  if (entry.kind == Kind::kCall || entry.kind == Kind::kValidation) {
    document.set("took_ms", static_cast<std::int64_t>(entry.took.count()))
        .set("output", base::redact(entry.output));
  }
  return std::move(document).set("failed", entry.failed);
}

View log_view(const LogEntry& entry, bool full, const std::string& label) {
  Line line = head(entry, label);
  switch (entry.kind) {
    case Kind::kCall:
      return {call_prose(entry, full, std::move(line))};
    case Kind::kAnswered:
      if (!full) return {};
      line.push_back({entry.text + ": " + std::to_string(entry.input_tokens) + " tokens in, " +
                          std::to_string(entry.output_tokens) + " out, " + cost_text(entry.cost),
                      Tone::kDim});
      return {Prose{{std::move(line)}}};
    case Kind::kText:
      return {Prose{{std::move(line)}}, Markdown{base::redact(entry.text), 4}};
    case Kind::kPrompt:
    case Kind::kThinking: {
      Prose prose{{std::move(line)}};
      add_lines(entry.text, full, prose);
      if (full) add_lines(entry.output, full, prose);
      return {std::move(prose)};
    }
    default:
      break;
  }
  const std::string name = entry.tool.empty() ? "" : entry.tool + " ";
  line.push_back({name + base::redact(entry.text), entry.failed ? Tone::kBad : Tone::kPlain});
  Prose prose{{std::move(line)}};
  if (entry.failed || full) add_lines(entry.output, full, prose);
  return {std::move(prose)};
}

std::string call_words(const model::ToolCall& call) {
  return call.name + " " + arguments_text(call.arguments);
}

std::string agent_silence(const model::StoredEvent& event) {
  return chosen_for(engine::kSilenceQuestion, event);
}

std::string agent_news(const model::StoredEvent& event) {
  std::string news = agent_silence(event);
  return news.empty() ? chosen_for(engine::kLoginQuestion, event) : news;
}

std::string tool_call_text(const model::ToolNote& call) {
  constexpr std::chrono::seconds kWorthSaying{1};
  std::string text = call.shown.empty() ? call.tool : call.shown;
  if (call.failed) text += " failed" + (call.problem.empty() ? "" : ": " + call.problem);
  if (call.took >= kWorthSaying) text += " (" + seconds_text(call.took) + ")";
  return text;
}

}  // namespace clever::service
