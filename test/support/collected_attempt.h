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
    told_.update([](Told& told) { told.begun = true; });
  }
  void on_delta(const provider::Delta& delta) override {
    told_.update([&](Told& told) {
      told.late = told.late || !told.ends.empty();
      told.deltas.push_back(delta);
    });
  }
  void on_end(provider::AttemptEnd end) override {
    told_.update([&](Told& told) { told.ends.push_back(std::move(end)); });
  }

  /// Waits for the end.
  provider::AttemptEnd end() {
    return told_
        .update_when(
            {}, [](const Told& told) { return !told.ends.empty(); },
            [](Told& told) { return told.ends.front(); })
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
    told_
        .wait({}, base::Deadline::never(),
              [=](const Told& told) { return told.deltas.size() >= count || !told.ends.empty(); })
        .value();
  }

  [[nodiscard]] bool begun() const {
    return told_.read([](const Told& told) { return told.begun; });
  }
  [[nodiscard]] std::size_t ends() const {
    return told_.read([](const Told& told) { return told.ends.size(); });
  }
  /// Whether a delta came after the end.
  [[nodiscard]] bool late() const {
    return told_.read([](const Told& told) { return told.late; });
  }
  [[nodiscard]] std::vector<provider::Delta> deltas() const {
    return told_.read([](const Told& told) { return told.deltas; });
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
  struct Told {
    bool begun = false;
    bool late = false;
    std::vector<provider::Delta> deltas;
    std::vector<provider::AttemptEnd> ends;
  };
  base::Monitor<Told> told_;
};

/// A request that says one thing.
inline provider::ModelRequest user_says(std::string text) {
  return {.messages = {{model::Role::kUser, {model::Text{std::move(text)}}}}};
}

}  // namespace clever::test
