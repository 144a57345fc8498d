#pragma once
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "provider/adapter.h"

// For tests: reads an answer as a caller would.
namespace clever::provider::internal {

struct Reading {
  std::variant<ModelAnswer, Failure> result{};
  /// "text:…", "reasoning:…", "call 0:id name arguments"
  std::vector<std::string> deltas{};
  /// Whether the reader reported completion before the end.
  bool complete = false;

  [[nodiscard]] const ModelAnswer& answer() const {
    const auto* failure = std::get_if<Failure>(&result);
    EXPECT_EQ(failure, nullptr) << (failure != nullptr ? failure->message : "");
    static const ModelAnswer kNone;
    return failure == nullptr ? std::get<ModelAnswer>(result) : kNone;
  }
  [[nodiscard]] Failure failure() const {
    const auto* found = std::get_if<Failure>(&result);
    EXPECT_NE(found, nullptr) << "there is an answer";
    return found != nullptr ? *found : Failure{};
  }
};

inline std::string shown_delta(const Delta& delta) {
  if (const auto* text = std::get_if<TextDelta>(&delta)) return "text:" + text->text;
  if (const auto* text = std::get_if<ReasoningDelta>(&delta)) return "reasoning:" + text->text;
  const auto& call = std::get<ToolCallDelta>(delta);
  return "call " + std::to_string(call.index) + ":" + call.id + " " + call.name + " " +
         call.arguments;
}

inline Endpoint test_endpoint(Wire wire, Dialect dialect = Dialect::kNone) {
  Endpoint endpoint;
  endpoint.provider = "acme";
  endpoint.wire = wire;
  endpoint.dialect = dialect;
  endpoint.base_url = "https://acme.example/v1";
  endpoint.key = "key-of-the-test-0123456789";
  return endpoint;
}

inline io::HttpHead test_head(int status, std::string_view content_type,
                              std::vector<io::HttpHeader> more = {}) {
  io::HttpHead head;
  head.status = status;
  head.headers = std::move(more);
  head.headers.push_back({"content-type", std::string(content_type)});
  return head;
}

inline Reading read_pieces(Wire wire, const std::vector<std::string>& pieces,
                           std::string_view content_type) {
  Reading reading;
  const auto reader =
      adapter(wire)->reader(test_endpoint(wire), test_head(200, content_type), true);
  for (const std::string& piece : pieces) {
    reader->feed(piece, [&](const Delta& delta) { reading.deltas.push_back(shown_delta(delta)); });
  }
  reading.complete = reader->complete();
  reading.result = reader->finish();
  return reading;
}

/// Also reads it byte by byte: the cuts of the network must not matter.
inline Reading read_answer(Wire wire, const std::string& body,
                           std::string_view content_type = "text/event-stream") {
  std::vector<std::string> bytes;
  for (const char c : body) bytes.emplace_back(1, c);
  Reading whole = read_pieces(wire, {body}, content_type);
  const Reading cut = read_pieces(wire, bytes, content_type);
  EXPECT_EQ(whole.result, cut.result);
  EXPECT_EQ(whole.deltas, cut.deltas);
  return whole;
}

/// An event stream with one event per element.
inline std::string event_stream(const std::vector<std::string>& data) {
  std::string stream;
  for (const std::string& one : data) stream += "data: " + one + "\n\n";
  return stream;
}

}  // namespace clever::provider::internal
