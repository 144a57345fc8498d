#include "server/openapi.h"

#include <string>
#include <utility>

#include "base/text.h"
#include "server/routes.h"
#include "service/build_facts.h"

namespace clever::server {
namespace {

using Kind = Field::Kind;
using model::Document;

Document type(std::string_view name) { return Document::map().set("type", name); }

Document schema_of(const Field& field) {
  switch (field.kind) {
    case Kind::kInteger:
      return type("integer");
    case Kind::kDollars:
      return type("number");
    case Kind::kFlag:
      return type("boolean");
    case Kind::kTexts:
    case Kind::kWords:
    case Kind::kProjects:
      return type("array").set("items", type("string"));
    case Kind::kText:
    case Kind::kWord:
    case Kind::kPath:
      break;
  }
  return type("string");
}

Document parameter(std::string_view name, std::string_view place, std::string_view summary,
                   Document schema, bool required) {
  return Document::map()
      .set("name", name)
      .set("in", place)
      .set("description", summary)
      .set("required", required)
      .set("schema", std::move(schema));
}

Document parameters_of(const Route& route) {
  Document all = Document::list();
  for (const std::string_view segment : segments_of(route)) {
    if (!segment.starts_with('{')) continue;
    all.push(parameter(segment.substr(1, segment.size() - 2), "path", "Its id", type("string"),
                       /*required=*/true));
  }
  if (route.method == "GET") {
    for (const Field& field : route.fields) {
      // A list in a query has one element.
      const bool is_list = field.kind == Kind::kProjects;
      all.push(parameter(field.name, "query", field.summary,
                         is_list ? type("string") : schema_of(field), field.required));
    }
  }
  if (route.streams) {
    all.push(parameter("Last-Event-ID", "header",
                       "For a stream: the id of the last event that the client saw", type("string"),
                       /*required=*/false));
  }
  if (route.method == "POST") {
    all.push(parameter("Idempotency-Key", "header",
                       "The same key and body get the same answer, for 24 hours", type("string"),
                       /*required=*/false));
  }
  return all;
}

Document body_of(const Route& route) {
  Document properties = Document::map();
  Document required = Document::list();
  bool requires_any = false;
  for (const Field& field : route.fields) {
    properties.set(field.name, schema_of(field).set("description", field.summary));
    if (field.required) required.push(field.name);
    requires_any |= field.required;
  }
  Document schema = type("object").set("properties", std::move(properties));
  schema.set("additionalProperties", route.own == Own::kSetSettings);
  if (requires_any) schema.set("required", std::move(required));
  return Document::map()
      .set("required", requires_any)
      .set("content", Document::map().set("application/json",
                                          Document::map().set("schema", std::move(schema))));
}

Document answer(std::string_view description, std::string_view media) {
  return Document::map()
      .set("description", description)
      .set("content", Document::map().set(media, Document::map().set("schema", type("object"))));
}

Document answers_of(const Route& route) {
  Document done = answer(route.summary, "application/json");
  if (route.streams) {
    Document content = *done.find("content");
    content.set("text/event-stream", Document::map().set("schema", type("string")));
    done.set("content", std::move(content));
  }
  const bool creates =
      route.creates_plan || !route.creates.empty() || route.own == Own::kNewProject;
  return Document::map()
      .set(creates ? "201" : "200", std::move(done))
      .set("default", answer("Why the request failed (RFC 9457)", "application/problem+json"));
}

// "get_v1_plans_plan_events"
std::string id_of(const Route& route) {
  std::string id = base::lower_case(route.method);
  for (const char c : route.path) {
    if (c == '/') {
      id += '_';
    } else if (c != '{' && c != '}') {
      id += c == '.' ? '_' : c;
    }
  }
  return id;
}

Document operation_of(const Route& route) {
  Document operation = Document::map()
                           .set("operationId", id_of(route))
                           .set("summary", route.summary)
                           .set("parameters", parameters_of(route))
                           .set("responses", answers_of(route));
  if (route.method != "GET") operation.set("requestBody", body_of(route));
  if (route.open) return std::move(operation).set("security", Document::list());
  if (route.any_right) return operation;
  return std::move(operation).set("x-right", service::to_string(right_of(route)));
}

}  // namespace

Document openapi_document() {
  Document paths = Document::map();
  for (const Route& route : routes()) {
    const Document* known = paths.find(route.path);
    Document entry = known == nullptr ? Document::map() : *known;
    entry.set(base::lower_case(route.method), operation_of(route));
    paths.set(route.path, std::move(entry));
  }
  Document token = Document::list();
  token.push(Document::map().set("token", Document::list()));
  return Document::map()
      .set("openapi", "3.1.0")
      .set("info", Document::map()
                       .set("title", "CleverAgents")
                       .set("version", service::build_facts().version))
      .set("security", std::move(token))
      .set("components",
           Document::map().set(
               "securitySchemes",
               Document::map().set("token",
                                   Document::map().set("type", "http").set("scheme", "bearer"))))
      .set("paths", std::move(paths));
}

}  // namespace clever::server
