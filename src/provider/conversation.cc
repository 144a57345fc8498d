#include "provider/conversation.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "provider/internal/request_needs.h"
#include "provider/transcript.h"

namespace clever::provider {
namespace {

std::vector<std::size_t> hashes_of_calls(const model::Message& message) {
  std::vector<std::size_t> hashes;
  for (const model::Part& part : message.parts) {
    const auto* call = std::get_if<model::ToolCall>(&part);
    if (call != nullptr) hashes.push_back(std::hash<std::string_view>{}(call->id));
  }
  return hashes;
}

}  // namespace

SharedMessage::SharedMessage(model::Message message)
    : message_(std::move(message)),
      clean_(is_acceptable(message_)),
      call_hashes_(hashes_of_calls(message_)),
      bytes_(bytes_of(message_)),
      has_image_(provider::has_image(message_)) {}

std::shared_ptr<const std::string> SharedMessage::written(std::uint32_t style,
                                                          const Write& write) const {
  auto text = written_.with(
      [&](const Written& written) { return written.style == style ? written.text : nullptr; });
  if (text != nullptr) return text;
  text = std::make_shared<const std::string>(write(message_));
  written_.with([&](Written& written) { written = {style, text}; });
  return text;
}

Conversation::Conversation(std::vector<model::Message> messages) {
  items_.reserve(messages.size());
  for (model::Message& message : messages) items_.emplace_back(std::move(message));
}

Conversation::Conversation(std::initializer_list<model::Message> messages) {
  items_.reserve(messages.size());
  for (const model::Message& message : messages) items_.emplace_back(message);
}

void Conversation::push_back(model::Message message) {
  is_sendable_ = false;
  items_.emplace_back(std::move(message));
}

void Conversation::push_back(std::shared_ptr<const SharedMessage> message) {
  is_sendable_ = false;
  items_.emplace_back(std::move(message));
}

model::Message& Conversation::emplace_back() {
  push_back(model::Message{});
  return items_.back().own_;
}

void Conversation::append(const Conversation& more) {
  is_sendable_ = false;
  items_.insert(items_.end(), more.items_.begin(), more.items_.end());
}

model::Message& Conversation::operator[](std::size_t at) {
  is_sendable_ = false;
  Item& item = items_[at];
  if (item.shared_ != nullptr) item.own_ = std::exchange(item.shared_, nullptr)->message();
  return item.own_;
}

bool operator==(const Conversation& a, const Conversation& b) {
  return std::ranges::equal(a.items_, b.items_, [](const auto& one, const auto& other) {
    const bool same = one.shared() != nullptr && one.shared() == other.shared();
    return same || one.message() == other.message();
  });
}

}  // namespace clever::provider
