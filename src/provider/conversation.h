#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "model/message.h"

namespace clever::provider {

/// A message shared by many requests, with facts about it that are computed once, so that a turn
/// costs the same after a thousand others. Observably immutable; thread-safe.
class SharedMessage {
 public:
  explicit SharedMessage(model::Message message);

  [[nodiscard]] const model::Message& message() const { return message_; }
  /// Whether acceptable() (transcript.h) leaves it as it is, if its neighbours fit.
  [[nodiscard]] bool is_clean() const { return clean_; }
  /// Hashes of the ids of its tool calls; equal ids have equal hashes.
  [[nodiscard]] const std::vector<std::size_t>& call_hashes() const { return call_hashes_; }
  /// The bytes of its words, for token limits.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] bool has_image() const { return has_image_; }

  using Write = std::function<std::string(const model::Message&)>;
  /// The text that `write` makes of it, which must depend on the style alone. Caches the last
  /// style's text.
  [[nodiscard]] std::shared_ptr<const std::string> written(std::uint32_t style,
                                                           const Write& write) const;

 private:
  struct Written {
    std::uint32_t style = 0;
    std::shared_ptr<const std::string> text{};
  };
  // Constant after construction.
  const model::Message message_;
  const bool clean_;
  const std::vector<std::size_t> call_hashes_;
  const std::size_t bytes_;
  const bool has_image_;
  // Guarded.
  mutable base::Guarded<Written> written_;
};

/// The messages of a request: like a vector, but messages may be shared with other requests instead
/// of copied. A value; safe to share between threads that only read.
class Conversation {
 public:
  class Item {
   public:
    explicit Item(model::Message own) : own_(std::move(own)) {}
    explicit Item(std::shared_ptr<const SharedMessage> shared) : shared_(std::move(shared)) {}

    [[nodiscard]] const model::Message& message() const {
      return shared_ == nullptr ? own_ : shared_->message();
    }
    /// Null for the conversation's own message.
    [[nodiscard]] const SharedMessage* shared() const { return shared_.get(); }

   private:
    friend class Conversation;
    std::shared_ptr<const SharedMessage> shared_{};
    model::Message own_{};
  };

  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = model::Message;
    using reference = const model::Message&;
    using pointer = const model::Message*;
    using iterator_category = std::bidirectional_iterator_tag;

    Iterator() = default;
    explicit Iterator(std::vector<Item>::const_iterator at) : at_(at) {}
    reference operator*() const { return at_->message(); }
    pointer operator->() const { return &at_->message(); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    Iterator& operator--() {
      --at_;
      return *this;
    }
    Iterator operator--(int) { return Iterator(at_--); }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    std::vector<Item>::const_iterator at_{};
  };
  using value_type = model::Message;
  using const_iterator = Iterator;
  using iterator = Iterator;

  Conversation() = default;
  // Implicit, so that a vector of messages can be passed as a conversation.
  Conversation(std::vector<model::Message> messages);
  Conversation(std::initializer_list<model::Message> messages);

  [[nodiscard]] Iterator begin() const { return Iterator(items_.begin()); }
  [[nodiscard]] Iterator end() const { return Iterator(items_.end()); }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] const model::Message& operator[](std::size_t at) const {
    return items_[at].message();
  }
  [[nodiscard]] const model::Message& at(std::size_t at) const { return items_.at(at).message(); }
  [[nodiscard]] const model::Message& front() const { return items_.front().message(); }
  [[nodiscard]] const model::Message& back() const { return items_.back().message(); }
  [[nodiscard]] std::vector<model::Message> to_vector() const {
    return std::vector<model::Message>(begin(), end());
  }

  void reserve(std::size_t size) { items_.reserve(size); }
  void push_back(model::Message message);
  void push_back(std::shared_ptr<const SharedMessage> message);
  model::Message& emplace_back();
  void append(const Conversation& more);
  /// Returns a message for changing, copied first if it is shared.
  [[nodiscard]] model::Message& operator[](std::size_t at);
  [[nodiscard]] model::Message& back() { return (*this)[size() - 1]; }

  friend bool operator==(const Conversation& a, const Conversation& b);

 private:
  friend std::optional<Conversation> corrected(const Conversation& given);
  friend Conversation sendable(Conversation given);

  std::vector<Item> items_{};
  // True if corrected() has nothing to change.
  bool is_sendable_ = false;
};

}  // namespace clever::provider
