#include "provider/openai/internal/reasoning_details.h"

#include "provider/internal/json_writer.h"

namespace clever::provider::openai {
namespace {

using internal::JsonView;

// A server that sends more tries to exhaust our memory.
constexpr std::size_t kMost = 4096;

}  // namespace

ReasoningDetails::Detail& ReasoningDetails::place(JsonView detail) {
  const std::string type = detail["type"].text();
  const std::int64_t index = detail["index"].integer().value_or(0);
  const bool goes_on = !details_.empty() && details_.back().type == type &&
                       details_.back().index == index && type != "reasoning.encrypted";
  if (!goes_on && details_.size() < kMost) details_.push_back({.type = type, .index = index});
  return details_.back();
}

void ReasoningDetails::add(JsonView details) {
  for (const JsonView detail : details) {
    if (!detail["type"].is_string()) continue;
    Detail& into = place(detail);
    detail["text"].append_text(into.text);
    detail["summary"].append_text(into.summary);
    detail["data"].append_text(into.data);
    if (detail["signature"].is_string()) into.signature = detail["signature"].text();
    if (detail["id"].is_string()) into.id = detail["id"].text();
    if (detail["format"].is_string()) into.format = detail["format"].text();
  }
}

std::string ReasoningDetails::json() const {
  if (details_.empty()) return {};
  internal::JsonWriter out;
  const auto optional = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) out.text(key, value);
  };
  out.array([&] {
    for (const Detail& detail : details_) {
      out.object([&] {
        out.text("type", detail.type);
        optional("text", detail.text);
        optional("summary", detail.summary);
        optional("data", detail.data);
        optional("signature", detail.signature);
        optional("id", detail.id);
        optional("format", detail.format);
        out.number("index", detail.index);
      });
    }
  });
  return out.take();
}

}  // namespace clever::provider::openai
