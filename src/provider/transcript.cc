#include "provider/transcript.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/utf8.h"
#include "provider/internal/json_view.h"
#include "provider/internal/json_writer.h"

namespace clever::provider {
namespace {

using model::Image;
using model::Message;
using model::Part;
using model::Reasoning;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;

constexpr std::string_view kOpening = "Begin.";
constexpr std::string_view kContinue = "Continue.";
constexpr std::string_view kInterrupted =
    "The call was interrupted: whether it had any effect is not known.";
constexpr std::string_view kNoOutput = "(no output)";
constexpr std::string_view kOrphan =
    "The result of a tool call that is not part of this conversation any more:";
constexpr std::size_t kLongestName = 64;

bool is_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000 || c == 0xFEFF;
}

bool is_blank(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::decode_utf8(text, at);
    if (!is_space(point.value)) return false;
    at += point.size;
  }
  return true;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

std::string word_of(std::string_view text) {
  std::string word(text.substr(0, kLongestName));
  std::ranges::replace_if(word, [](char c) { return !is_word(c); }, '_');
  return word;
}

bool is_sendable(const Image& image) {
  return !image.bytes.empty() &&
         (image.media_type == "image/png" || image.media_type == "image/jpeg" ||
          image.media_type == "image/gif" || image.media_type == "image/webp");
}

Text note_on(const Image& image) {
  if (image.bytes.empty()) return {"[an image without content]"};
  return {"[an image of the kind \"" + base::to_valid_utf8(image.media_type) +
          "\", which cannot be shown]"};
}

// ---- one part, one message ---------------------------------------------------------------------

std::string valid(std::string text) {
  return base::is_utf8(text) ? std::move(text) : base::to_valid_utf8(text);
}

template <class Into>
void add_text(Into& into, Text& text) {
  if (!is_blank(text.text)) into.push_back(Text{valid(std::move(text.text))});
}
template <class Into>
void add_image(Into& into, Image& image) {
  if (is_sendable(image)) {
    into.push_back(std::move(image));
  } else {
    into.push_back(note_on(image));
  }
}

ToolResult cleaned(ToolResult& result) {
  ToolResult clean{.call = std::move(result.call), .content = {}, .failed = result.failed};
  for (auto& part : result.content) {
    if (auto* text = std::get_if<Text>(&part)) add_text(clean.content, *text);
    if (auto* image = std::get_if<Image>(&part)) add_image(clean.content, *image);
  }
  if (clean.content.empty()) clean.content.emplace_back(Text{std::string(kNoOutput)});
  return clean;
}

void add_users(std::vector<Part>& parts, Part& part) {
  if (auto* text = std::get_if<Text>(&part)) add_text(parts, *text);
  if (auto* image = std::get_if<Image>(&part)) add_image(parts, *image);
  if (auto* result = std::get_if<ToolResult>(&part)) parts.emplace_back(cleaned(*result));
}

void add_assistants(std::vector<Part>& parts, Part& part) {
  if (auto* text = std::get_if<Text>(&part)) add_text(parts, *text);
  if (auto* reasoning = std::get_if<Reasoning>(&part)) {
    if (is_blank(reasoning->text) && reasoning->opaque.empty()) return;
    parts.emplace_back(Reasoning{.text = valid(std::move(reasoning->text)),
                                 .opaque = valid(std::move(reasoning->opaque)),
                                 .wire = valid(std::move(reasoning->wire))});
  }
  if (auto* call = std::get_if<ToolCall>(&part)) {
    parts.emplace_back(ToolCall{.id = std::move(call->id),
                                .name = acceptable_tool_name(call->name),
                                .arguments = valid(std::move(call->arguments)),
                                .opaque = valid(std::move(call->opaque))});
  }
}

// Adds a message, to the one before it if that is of the same role.
void append(std::vector<Message>& messages, Message message) {
  if (message.parts.empty()) return;
  if (messages.empty() || messages.back().role != message.role) {
    messages.push_back(std::move(message));
    return;
  }
  auto& parts = messages.back().parts;
  std::ranges::move(message.parts, std::back_inserter(parts));
}

std::vector<Message> with_clean_parts(std::vector<Message> messages) {
  std::vector<Message> turns;
  turns.reserve(messages.size());
  for (Message& message : messages) {
    Message turn{.role = message.role, .parts = {}};
    turn.parts.reserve(message.parts.size());
    for (Part& part : message.parts) {
      if (message.role == Role::kUser) {
        add_users(turn.parts, part);
      } else {
        add_assistants(turn.parts, part);
      }
    }
    append(turns, std::move(turn));
  }
  return turns;
}

std::vector<Message> without_lonely_reasoning(std::vector<Message> messages) {
  std::vector<Message> turns;
  turns.reserve(messages.size());
  for (Message& message : messages) {
    while (!message.parts.empty() && std::holds_alternative<Reasoning>(message.parts.back())) {
      message.parts.pop_back();
    }
    append(turns, std::move(message));
  }
  return turns;
}

// ---- calls and their results -------------------------------------------------------------------

/// Gives every call of a transcript its result and an id of its own.
class Pairing {
 public:
  explicit Pairing(std::vector<Message>& turns) : turns_(turns) {
    for (std::size_t turn = 0; turn < turns.size(); ++turn) {
      if (turns[turn].role == Role::kAssistant) {
        collect_calls(turn);
      } else {
        take_results(turn);
      }
    }
    for (Found& found : calls_) name(found);
  }

  /// For every turn the results of its calls, in their order.
  [[nodiscard]] std::vector<std::vector<Part>> results() {
    std::vector<std::vector<Part>> results(turns_.size());
    for (Found& found : calls_) {
      results[found.turn].emplace_back(found.result ? std::move(*found.result)
                                                    : interrupted(found));
    }
    return results;
  }

 private:
  struct Found {
    std::size_t turn;
    ToolCall* call;
    std::string id{};
    std::optional<ToolResult> result{};
  };

  static ToolResult interrupted(const Found& found) {
    return {.call = found.id, .content = {Text{std::string(kInterrupted)}}, .failed = true};
  }

  void collect_calls(std::size_t turn) {
    latest_ = turn;
    for (Part& part : turns_[turn].parts) {
      if (auto* call = std::get_if<ToolCall>(&part)) {
        by_id_[call->id].push_back(calls_.size());
        calls_.push_back({.turn = turn, .call = call});
      }
    }
  }

  // The call that a result belongs to: of the latest turn if possible, else the oldest that waits.
  Found* waiting(const std::vector<std::size_t>& candidates) {
    Found* oldest = nullptr;
    for (const std::size_t candidate : candidates) {
      Found& found = calls_[candidate];
      if (found.result) continue;
      if (found.turn == latest_) return &found;
      if (oldest == nullptr) oldest = &found;
    }
    return oldest;
  }

  void take_results(std::size_t turn) {
    std::vector<Part> rest;
    for (Part& part : turns_[turn].parts) {
      auto* result = std::get_if<ToolResult>(&part);
      if (result == nullptr) {
        rest.push_back(std::move(part));
        continue;
      }
      const auto known = by_id_.find(result->call);
      if (known == by_id_.end()) {
        add_orphan(rest, std::move(*result));
      } else if (Found* found = waiting(known->second)) {
        found->result = std::move(*result);
      }
    }
    turns_[turn].parts = std::move(rest);
  }

  static void add_orphan(std::vector<Part>& parts, ToolResult result) {
    parts.emplace_back(Text{std::string(kOrphan)});
    for (auto& part : result.content) {
      std::visit([&](auto& content) { parts.emplace_back(std::move(content)); }, part);
    }
  }

  void name(Found& found) {
    const std::string wanted = found.call->id.empty() ? "call_1" : word_of(found.call->id);
    std::string id = taken_.insert(wanted).second ? wanted : another(wanted);
    if (found.result) found.result->call = id;
    found.call->id = id;
    found.id = std::move(id);
  }

  // Starts where the same id ended the last time, so that a thousand equal ids cost no million.
  std::string another(const std::string& wanted) {
    std::size_t& count = tried_[wanted];
    while (true) {
      const std::string suffix = "_" + std::to_string(++count + 1);
      std::string id = wanted.substr(0, kLongestName - suffix.size()) + suffix;
      if (taken_.insert(id).second) return id;
    }
  }

  std::vector<Message>& turns_;
  std::vector<Found> calls_{};
  // By the ids as they were; those of the calls change only when all results have been found.
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_id_{};
  std::unordered_map<std::string, std::size_t> tried_{};
  std::unordered_set<std::string> taken_{};
  std::size_t latest_ = 0;
};

std::vector<Message> with_results(std::vector<Message> turns) {
  std::vector<std::vector<Part>> results = Pairing(turns).results();
  std::vector<Message> paired;
  paired.reserve(turns.size() + 1);
  for (std::size_t turn = 0; turn < turns.size(); ++turn) {
    append(paired, std::move(turns[turn]));
    append(paired, {.role = Role::kUser, .parts = std::move(results[turn])});
  }
  return paired;
}

Message users(std::string_view text) {
  return {.role = Role::kUser, .parts = {Text{std::string(text)}}};
}

}  // namespace

std::vector<Message> acceptable(std::vector<Message> messages) {
  std::vector<Message> turns =
      with_results(without_lonely_reasoning(with_clean_parts(std::move(messages))));
  if (turns.empty() || turns.front().role != Role::kUser) {
    turns.insert(turns.begin(), users(kOpening));
  }
  if (turns.back().role != Role::kUser) turns.push_back(users(kContinue));
  return turns;
}

std::string acceptable_tool_name(std::string_view name) {
  return name.empty() ? "unnamed" : word_of(name);
}

std::string arguments_object(std::string_view arguments) {
  if (is_blank(arguments)) return "{}";
  if (internal::is_json_object(arguments)) return base::to_valid_utf8(arguments);
  internal::JsonWriter writer;
  writer.object([&] { writer.text("unreadable_arguments", arguments); });
  return writer.take();
}

}  // namespace clever::provider
