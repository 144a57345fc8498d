#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "io/http.h"
#include "io/sse.h"
#include "provider/adapter.h"
#include "provider/internal/json_view.h"
#include "provider/internal/wire_answer.h"
#include "provider/internal/wire_failure.h"

namespace clever::provider::internal {

/// How a stream separates its pieces.
enum class Framing : std::uint8_t { kEvents, kLines };

/// The common part of all answer readers: from bytes to JSON values, deltas, and the possible ends
/// of an answer. A derived reader interprets the values.
class WireReader : public AnswerReader {
 public:
  WireReader(const Endpoint& endpoint, const io::HttpHead& head, Framing framing);

  void feed(std::string_view bytes, const OnDelta& on_delta) final;
  [[nodiscard]] bool complete() const final { return complete_ || failure_.has_value(); }
  [[nodiscard]] std::variant<ModelAnswer, Failure> finish() final;

 protected:
  /// One piece of a streamed answer.
  virtual void on_piece(std::string_view event, JsonView piece) = 0;
  /// An answer in one piece.
  virtual void on_whole(JsonView body) = 0;
  /// Called before the answer is taken, unless it has failed.
  virtual void on_finish() {}

  // What the wires report.
  void add_text(JsonView text);
  void add_reasoning(JsonView text, std::string_view wire);
  void add_arguments(std::size_t call, JsonView text);
  std::size_t add_call(std::string id, std::string name);
  /// Only shows a piece whose text arrives elsewhere too.
  template <class D, class... A>
  void show(A&&... arguments) {
    if (on_delta_ != nullptr) (*on_delta_)(Delta(D{std::forward<A>(arguments)...}));
  }
  /// The reason why the model stopped: the answer is complete.
  void stop(StopReason reason, std::string_view detail);
  /// Nothing more of the answer follows.
  void set_complete() { complete_ = true; }
  [[nodiscard]] bool stopped() const { return stopped_; }
  void fail(FailureKind kind, std::string_view seen);
  void fail(const ErrorFacts& facts);

  [[nodiscard]] AnswerBuilder& answer() { return answer_; }

 private:
  enum class Mode : std::uint8_t { kUndecided, kEvents, kLines, kWhole, kHtml };
  void decide(std::string_view bytes);
  void take(std::string_view bytes);
  void collect(std::string_view bytes);
  void feed_events(std::string_view bytes);
  void feed_lines(std::string_view bytes);
  void take_last_line();
  void take_piece(std::string_view event, std::string_view data);
  void take_body();

  Speaker speaker_;
  Framing framing_;
  Mode mode_ = Mode::kUndecided;
  const OnDelta* on_delta_ = nullptr;
  io::SseParser events_{};
  io::LineSplitter lines_{io::SseParser::kLongestEvent};
  JsonDocument document_{};
  std::string body_{};
  AnswerBuilder answer_{};
  std::optional<Failure> failure_{};
  bool began_ = false;
  bool stopped_ = false;
  bool complete_ = false;
};

}  // namespace clever::provider::internal
