#include "service/trace/otlp.h"

#include <cstdint>
#include <iterator>
#include <string_view>

#include "base/sha256.h"
#include "model/document_json.h"
#include "service/build_facts.h"

namespace clever::service {
namespace {

using model::Document;

constexpr int kInternal = 1;
constexpr int kClient = 3;
constexpr int kFailed = 2;
constexpr std::size_t kSpanIdDigits = 16;

std::string trace_id(const model::PlanId& plan) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : plan.ulid().bytes()) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

std::string span_id(const model::PlanId& plan, const std::string& key) {
  return base::sha256(plan.to_string() + "/" + key).to_hex().substr(0, kSpanIdDigits);
}

std::string nanoseconds(model::Timestamp time) {
  return std::to_string(model::to_microseconds(time)) + "000";
}

Document value_of(const Document& value) {
  const auto typed = [](std::string_view type, Document one) {
    return Document::map().set(type, std::move(one));
  };
  if (const auto* flag = std::get_if<bool>(&value.value())) return typed("boolValue", *flag);
  if (const auto* text = std::get_if<std::string>(&value.value())) {
    return typed("stringValue", *text);
  }
  // 64 bits are a text in JSON's form of protocol buffers.
  if (const auto* number = std::get_if<std::int64_t>(&value.value())) {
    return typed("intValue", std::to_string(*number));
  }
  if (const auto* number = std::get_if<double>(&value.value())) {
    return typed("doubleValue", *number);
  }
  return typed("stringValue", model::to_json(value));
}

Document attribute(std::string_view key, const Document& value) {
  return Document::map().set("key", key).set("value", value_of(value));
}

Document attributes_of(const Document& all) {
  Document list = Document::list();
  if (!all.is_map()) return list;
  for (const auto& [key, value] : std::get<Document::Map>(all.value())) {
    if (!value.is_null()) list.push(attribute(key, value));
  }
  return list;
}

Document document_of(const TraceSpan& span) {
  Document one = Document::map()
                     .set("traceId", trace_id(span.plan))
                     .set("spanId", span_id(span.plan, span.key));
  if (!span.key.empty()) one.set("parentSpanId", span_id(span.plan, ""));
  one.set("name", span.name)
      .set("kind", span.is_call ? kClient : kInternal)
      .set("startTimeUnixNano", nanoseconds(span.begin))
      .set("endTimeUnixNano", nanoseconds(span.end))
      .set("attributes", attributes_of(span.attributes));
  if (span.error.empty()) return one;
  return std::move(one).set("status",
                            Document::map().set("code", kFailed).set("message", span.error));
}

}  // namespace

TraceSpan span_of(const storage::ModelCallRecord& call) {
  TraceSpan span{.name = "chat " + call.model,
                 .plan = call.plan,
                 .key = "call/" + call.effect.to_string() + "/" + nanoseconds(call.started),
                 .is_call = true,
                 .begin = call.started,
                 .end = call.started + call.latency,
                 .error = call.error};
  auto attributes = model::parse_document(call.attributes);
  if (attributes.ok()) span.attributes = *std::move(attributes);
  return span;
}

std::string otlp_body(const std::vector<TraceSpan>& spans) {
  Document list = Document::list();
  for (const TraceSpan& span : spans) list.push(document_of(span));
  Document resource = Document::list();
  resource.push(attribute("service.name", "cleveragents"));
  resource.push(attribute("service.version", build_facts().version));
  Document scopes = Document::list();
  scopes.push(Document::map()
                  .set("scope", Document::map().set("name", "cleveragents"))
                  .set("spans", std::move(list)));
  Document resources = Document::list();
  resources.push(Document::map()
                     .set("resource", Document::map().set("attributes", std::move(resource)))
                     .set("scopeSpans", std::move(scopes)));
  return model::to_json(Document::map().set("resourceSpans", std::move(resources)));
}

}  // namespace clever::service
