#pragma once
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "provider/backend.h"

namespace clever::sim {

[[nodiscard]] inline provider::AttemptEnd failed(provider::FailureKind kind,
                                                 std::string message = "p: trouble") {
  provider::Failure failure;
  failure.kind = kind;
  failure.message = std::move(message);
  return {failure, {}};
}

[[nodiscard]] inline provider::AttemptEnd answered(std::string id = "answer") {
  provider::ModelAnswer answer;
  answer.id = std::move(id);
  return {answer, {}};
}

/// A backend whose attempts the test ends by hand. Used by one thread.
class HandBackend final : public provider::Backend {
 public:
  struct Open {
    std::string model;
    provider::ModelRequest request;
    std::shared_ptr<provider::AttemptSink> sink;
    bool cancelled = false;
  };

  std::unique_ptr<provider::Attempt> start(const std::string& model,
                                           const provider::ModelRequest& request,
                                           std::shared_ptr<provider::AttemptSink> sink) override {
    auto open = std::make_shared<Open>(Open{model, request, std::move(sink)});
    attempts_.push_back(open);
    if (!prepared_.empty()) {
      const provider::AttemptEnd end = prepared_.front();
      prepared_.pop_front();
      finish(attempts_.size() - 1, end);
    }
    return std::make_unique<Handle>(open);
  }

  /// The next attempts end so before start() returns.
  void prepare(const provider::AttemptEnd& end, std::size_t times = 1) {
    prepared_.insert(prepared_.end(), times, end);
  }
  /// Instead of what was prepared before.
  void prepare_only(const provider::AttemptEnd& end, std::size_t times) {
    prepared_.assign(times, end);
  }
  /// Lets go of what has not ended: it would keep its call, and that this backend.
  void close() {
    for (const auto& each : attempts_) each->sink.reset();
  }
  [[nodiscard]] std::size_t count() const { return attempts_.size(); }
  [[nodiscard]] Open& attempt(std::size_t i) { return *attempts_.at(i); }
  void finish(std::size_t i, const provider::AttemptEnd& end) {
    std::exchange(attempts_.at(i)->sink, nullptr)->on_end(end);
  }

 private:
  class Handle final : public provider::Attempt {
   public:
    explicit Handle(std::shared_ptr<Open> open) : open_(std::move(open)) {}
    void cancel() override {
      open_->cancelled = true;
      if (open_->sink == nullptr) return;
      std::exchange(open_->sink, nullptr)->on_end(failed(provider::FailureKind::kCancelled));
    }

   private:
    const std::shared_ptr<Open> open_;
  };

  std::vector<std::shared_ptr<Open>> attempts_;
  std::deque<provider::AttemptEnd> prepared_;
};

}  // namespace clever::sim
