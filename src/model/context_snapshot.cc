#include "model/context_snapshot.h"

#include <cmath>

#include "model/internal/json_object.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

void put_number(json& object, const char* key, std::int64_t number) {
  if (number != 0) object[key] = number;
}

// Three decimals distinguish scores and keep the text short; an invalid score becomes 0.
double rounded(double score) {
  constexpr double kLargest = 1e6;
  if (!(std::abs(score) <= kLargest)) return 0;
  return std::round(score * 1000) / 1000;
}

json fragment_json(const ShownFragment& fragment) {
  json object = json::object();
  internal::put_text(object, "path", fragment.path);
  put_number(object, "first_line", fragment.first_line);
  put_number(object, "last_line", fragment.last_line);
  internal::put_text(object, "depth", fragment.depth);
  put_number(object, "tokens", fragment.tokens);
  if (const double score = rounded(fragment.score); score != 0) object["score"] = score;
  internal::put_texts(object, "strategies", fragment.strategies);
  internal::put_text(object, "why", fragment.why);
  return object;
}

base::Result<ShownFragment> fragment_of(const JsonObject& object) {
  ShownFragment fragment;
  CLEVER_ASSIGN(fragment.path, object.text_or("path", ""));
  CLEVER_ASSIGN(fragment.first_line, object.integer_or("first_line", 0));
  CLEVER_ASSIGN(fragment.last_line, object.integer_or("last_line", 0));
  CLEVER_ASSIGN(fragment.depth, object.text_or("depth", ""));
  CLEVER_ASSIGN(fragment.tokens, object.integer_or("tokens", 0));
  CLEVER_ASSIGN(const auto score, object.real("score"));
  fragment.score = rounded(score.value_or(0));
  CLEVER_ASSIGN(fragment.strategies, object.texts("strategies"));
  CLEVER_ASSIGN(fragment.why, object.text_or("why", ""));
  return fragment;
}

}  // namespace

std::string ContextSnapshot::to_json() const {
  json object{{"fragments", json::array()}};
  internal::put_text(object, "tree", tree);
  internal::put_text(object, "source", source);
  put_number(object, "tokens", tokens);
  put_number(object, "budget", budget);
  internal::put_text(object, "remark", remark);
  for (const ShownFragment& fragment : fragments) {
    object["fragments"].push_back(clever::model::fragment_json(fragment));
  }
  return internal::to_text(object);
}

base::Result<ContextSnapshot> ContextSnapshot::parse(std::string_view text) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(text, "context snapshot"));
  ContextSnapshot snapshot;
  CLEVER_ASSIGN(snapshot.tree, object.text_or("tree", ""));
  CLEVER_ASSIGN(snapshot.source, object.text_or("source", ""));
  CLEVER_ASSIGN(snapshot.tokens, object.integer_or("tokens", 0));
  CLEVER_ASSIGN(snapshot.budget, object.integer_or("budget", 0));
  CLEVER_ASSIGN(snapshot.remark, object.text_or("remark", ""));
  CLEVER_ASSIGN(const std::vector<JsonObject> fragments, object.objects("fragments"));
  for (const JsonObject& fragment : fragments) {
    CLEVER_ASSIGN(ShownFragment shown, fragment_of(fragment));
    snapshot.fragments.push_back(std::move(shown));
  }
  return snapshot;
}

}  // namespace clever::model
