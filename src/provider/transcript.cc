#include "provider/transcript.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
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

// Adds a message, or extends the last one if it has the same role.
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

  // Finds the call of a result: in the latest turn if possible, else the oldest that waits.
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

  // Starts where the same id ended the last time, so that a thousand equal ids do not cost a
  // million steps.
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
  // By the original ids; those of the calls change only after all results are found.
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

// ---- conversations of which most is shared ------------------------------------------------------

bool is_result(const Part& part) { return std::holds_alternative<ToolResult>(part); }

/// Hashes that were seen. Treats equal hashes as equal ids; a collision only costs time.
class SeenHashes {
 public:
  explicit SeenHashes(std::size_t most) : slots_(std::bit_ceil(most * 2 + 2)) {}

  bool insert(std::size_t hash) {
    const std::size_t kept = hash == kFree ? 1 : hash;
    for (std::size_t at = kept;; ++at) {
      std::size_t& slot = slots_[at & (slots_.size() - 1)];
      if (slot == kept) return false;
      if (slot == kFree) {
        slot = kept;
        return true;
      }
    }
  }

 private:
  static constexpr std::size_t kFree = 0;
  std::vector<std::size_t> slots_;
};

/// Finds the end of a conversation that acceptable() would leave as it is.
class GoodEnd {
 public:
  explicit GoodEnd(const Conversation& given)
      : items_(given.items()), ids_(count_of_calls(given.items())) {
    for (std::size_t at = 0; at < items_.size(); ++at) look_at(at);
    const bool users_last = !items_.empty() && message(items_.size() - 1).role == Role::kUser;
    if (!users_last) start_.reset();
  }

  /// Where it begins: 0 if it is the whole conversation, its size if there is none.
  [[nodiscard]] std::size_t start() const { return start_.value_or(items_.size()); }

 private:
  using Items = std::vector<Conversation::Item>;

  static std::size_t count_of_calls(const Items& items) {
    std::size_t count = 0;
    for (const auto& item : items) {
      count += item.shared() == nullptr ? item.message().parts.size()
                                        : item.shared()->call_hashes().size();
    }
    return count;
  }
  [[nodiscard]] const Message& message(std::size_t at) const { return items_[at].message(); }
  [[nodiscard]] bool is_clean(std::size_t at) const {
    const SharedMessage* shared = items_[at].shared();
    return shared == nullptr ? is_acceptable(message(at)) : shared->is_clean();
  }
  bool has_new_ids(std::size_t at) {
    bool all_new = true;
    const auto note = [&](std::size_t hash) { all_new = ids_.insert(hash) && all_new; };
    if (const SharedMessage* shared = items_[at].shared()) {
      std::ranges::for_each(shared->call_hashes(), note);
      return all_new;
    }
    for (const Part& part : message(at).parts) {
      const auto* call = std::get_if<ToolCall>(&part);
      if (call != nullptr) note(std::hash<std::string_view>{}(call->id));
    }
    return all_new;
  }

  // Returns whether the results match the calls, in order, before any other part.
  static bool answer(const Message& results, std::span<const Part> calls) {
    auto next = results.parts.begin();
    const auto end = results.parts.end();
    for (const Part& part : calls) {
      const auto* call = std::get_if<ToolCall>(&part);
      if (call == nullptr) continue;
      const auto* result = next == end ? nullptr : std::get_if<ToolResult>(&*next);
      if (result == nullptr || result->call != call->id) return false;
      ++next;
    }
    return std::none_of(next, end, is_result);
  }

  [[nodiscard]] bool follows(std::size_t at) const {
    const Message& present = message(at);
    const Message* before = at == 0 ? nullptr : &message(at - 1);
    if (before == nullptr ? present.role != Role::kUser : present.role == before->role) {
      return false;
    }
    if (present.role == Role::kAssistant) return true;
    return answer(present, before == nullptr ? std::span<const Part>() : before->parts);
  }

  // The unchanged end begins at an assistant's message whose preceding user message has text and
  // needs no correction.
  [[nodiscard]] bool begins(std::size_t at) const {
    if (at == 0 || message(at).role != Role::kAssistant) return false;
    const Message& before = message(at - 1);
    return before.role == Role::kUser && is_clean(at - 1) &&
           !std::ranges::all_of(before.parts, is_result);
  }

  void look_at(std::size_t at) {
    const bool new_ids = has_new_ids(at);
    const bool alone = new_ids && is_clean(at);
    const bool goes_on = at == 0 || start_.has_value();
    if (alone && goes_on && follows(at)) {
      if (at == 0) start_ = 0;
    } else if (alone && begins(at)) {
      start_ = at;
    } else {
      start_.reset();
    }
  }

  const Items& items_;
  SeenHashes ids_;
  std::optional<std::size_t> start_{};
};

bool share_an_id(const std::vector<Message>& messages, const std::vector<Conversation::Item>& items,
                 std::size_t from) {
  std::unordered_set<std::string_view> ids;
  for (const Message& message : messages) {
    for (const Part& part : message.parts) {
      if (const auto* call = std::get_if<ToolCall>(&part)) ids.insert(call->id);
    }
  }
  if (ids.empty()) return false;
  return std::any_of(items.begin() + static_cast<std::ptrdiff_t>(from), items.end(),
                     [&](const Conversation::Item& item) {
                       return std::ranges::any_of(item.message().parts, [&](const Part& part) {
                         const auto* call = std::get_if<ToolCall>(&part);
                         return call != nullptr && ids.contains(call->id);
                       });
                     });
}

}  // namespace

bool is_acceptable(const Message& message) {
  if (message.parts.empty() || std::holds_alternative<Reasoning>(message.parts.back()))
    return false;
  const bool results_first = std::ranges::is_partitioned(message.parts, is_result);
  const bool named = std::ranges::all_of(message.parts, [](const Part& part) {
    const auto* call = std::get_if<ToolCall>(&part);
    return call == nullptr || (!call->id.empty() && word_of(call->id) == call->id);
  });
  return results_first && named && with_clean_parts({message}) == std::vector<Message>{message};
}

namespace {

// What acceptable() makes of the beginning, up to where the rest stays as it is.
struct Correction {
  std::vector<Message> messages;
  std::size_t end = 0;
};

std::optional<Correction> correction_of(const Conversation& given) {
  const auto corrected_until = [&](std::size_t end) {
    const auto last = std::next(given.begin(), static_cast<std::ptrdiff_t>(end));
    return Correction{acceptable(std::vector<Message>(given.begin(), last)), end};
  };
  const std::size_t good = GoodEnd(given).start();
  if (good == 0 && !given.empty()) return std::nullopt;
  Correction correction = corrected_until(good);
  if (!share_an_id(correction.messages, given.items(), good)) return correction;
  return corrected_until(given.size());
}

}  // namespace

std::optional<Conversation> corrected(const Conversation& given) {
  if (given.is_sendable_) return std::nullopt;
  auto correction = correction_of(given);
  if (!correction) return std::nullopt;
  Conversation result(std::move(correction->messages));
  const auto rest = given.items_.begin() + static_cast<std::ptrdiff_t>(correction->end);
  result.items_.insert(result.items_.end(), rest, given.items_.end());
  result.is_sendable_ = true;
  return result;
}

Conversation sendable(Conversation given) {
  if (given.is_sendable_) return given;
  if (auto correction = correction_of(given)) {
    Conversation first(std::move(correction->messages));
    auto& items = given.items_;
    items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(correction->end));
    items.insert(items.begin(), std::make_move_iterator(first.items_.begin()),
                 std::make_move_iterator(first.items_.end()));
  }
  given.is_sendable_ = true;
  return given;
}

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
