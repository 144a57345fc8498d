#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/check.h"
#include "base/utf8.h"
#include "provider/adapter.h"

// The first byte chooses wire and content type, the second where the bytes are cut. For any input
// the reader ends with an answer or a failure, and the cut makes no difference.
namespace {

using namespace clever::provider;

constexpr std::array kWires = {Wire::kOpenAiChat, Wire::kOpenAiResponses, Wire::kAnthropic,
                               Wire::kGoogle, Wire::kOllama};
constexpr std::array<std::string_view, 4> kTypes = {"text/event-stream", "application/json",
                                                    "application/x-ndjson", "text/plain"};

std::variant<ModelAnswer, Failure> read(std::uint8_t choice, std::string_view first,
                                        std::string_view second) {
  Endpoint endpoint;
  endpoint.provider = "fuzz";
  clever::io::HttpHead head;
  head.status = 200;
  head.headers = {{"content-type", std::string(kTypes[choice / kWires.size() % kTypes.size()])}};
  const auto reader = adapter(kWires[choice % kWires.size()])->reader(endpoint, head, true);
  const auto ignore = [](const Delta&) {};
  reader->feed(first, ignore);
  reader->feed(second, ignore);
  return reader->finish();
}

void check_part(const clever::model::Part& part) {
  if (const auto* text = std::get_if<clever::model::Text>(&part)) {
    CLEVER_CHECK(!text->text.empty() && clever::base::is_utf8(text->text), "a strange text");
  }
  if (const auto* call = std::get_if<clever::model::ToolCall>(&part)) {
    CLEVER_CHECK(!call->id.empty() && !call->name.empty(), "a call without id or name");
    CLEVER_CHECK(clever::base::is_utf8(call->arguments), "strange arguments");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t cut = data[1] % body.size();
  const auto whole = read(data[0], body, {});
  CLEVER_CHECK(whole == read(data[0], body.substr(0, cut), body.substr(cut)), "a cut mattered");
  if (const auto* answer = std::get_if<ModelAnswer>(&whole)) {
    for (const auto& part : answer->message.parts) check_part(part);
  } else {
    CLEVER_CHECK(std::get<Failure>(whole).message.starts_with("fuzz: "), "a nameless failure");
  }
  return 0;
}
