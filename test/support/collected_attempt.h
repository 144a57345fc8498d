#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/monitor.h"
#include "provider/backend.h"

namespace clever::test {

/// A sink that keeps what one attempt told it. Thread-safe.
class CollectedAttempt final : public provider::AttemptSink {
 public:
  void on_begin() override {
    reported_.update([](Reported& reported) { reported.begun = true; });
  }
  void on_delta(const provider::Delta& delta) override {
    reported_.update([&](Reported& reported) {
      reported.late = reported.late || !reported.ends.empty();
      reported.deltas.push_back(delta);
    });
  }
  void on_end(provider::AttemptEnd end) override {
    reported_.update([&](Reported& reported) { reported.ends.push_back(std::move(end)); });
  }

  /// Waits for the end.
  provider::AttemptEnd end() {
    return reported_
        .update_when(
            {}, [](const Reported& reported) { return !reported.ends.empty(); },
            [](Reported& reported) { return reported.ends.front(); })
        .value();
  }
  /// The answer; aborts with the failure's message if there is none.
  provider::ModelAnswer answer() {
    const provider::AttemptEnd ended = end();
    if (const auto* failure = std::get_if<provider::Failure>(&ended.result)) {
      base::check_failed("answered", failure->message, __FILE__, __LINE__);
    }
    return std::get<provider::ModelAnswer>(ended.result);
  }
  provider::Failure failure() {
    const provider::AttemptEnd ended = end();
    CLEVER_CHECK(!ended.answered(), "an answer where a failure was expected");
    return std::get<provider::Failure>(ended.result);
  }
  void wait_for_deltas(std::size_t count) {
    reported_
        .wait({}, base::Deadline::never(),
              [=](const Reported& reported) {
                return reported.deltas.size() >= count || !reported.ends.empty();
              })
        .value();
  }

  [[nodiscard]] bool begun() const {
    return reported_.read([](const Reported& reported) { return reported.begun; });
  }
  [[nodiscard]] std::size_t ends() const {
    return reported_.read([](const Reported& reported) { return reported.ends.size(); });
  }
  /// Whether a delta came after the end.
  [[nodiscard]] bool late() const {
    return reported_.read([](const Reported& reported) { return reported.late; });
  }
  [[nodiscard]] std::vector<provider::Delta> deltas() const {
    return reported_.read([](const Reported& reported) { return reported.deltas; });
  }
  /// The pieces of text put together.
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const provider::Delta& delta : deltas()) {
      if (const auto* piece = std::get_if<provider::TextDelta>(&delta)) text += piece->text;
    }
    return text;
  }

 private:
  struct Reported {
    bool begun = false;
    bool late = false;
    std::vector<provider::Delta> deltas;
    std::vector<provider::AttemptEnd> ends;
  };
  base::Monitor<Reported> reported_;
};

/// A request that says one thing.
inline provider::ModelRequest user_says(std::string text) {
  return {.messages = {{model::Role::kUser, {model::Text{std::move(text)}}}}};
}

}  // namespace clever::test
