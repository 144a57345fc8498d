#include "plan/edits.h"

#include <nlohmann/json.hpp>

#include "base/base64.h"

namespace clever::plan {
namespace {

using nlohmann::json;

base::Result<std::string> bytes_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) {
    return base::corruption(std::string("the edits of a choice: \"") + key + "\" is missing");
  }
  auto bytes = base::from_base64(found->get<std::string>());
  if (!bytes.ok()) return base::corruption("the edits of a choice: " + bytes.error().message());
  return bytes;
}

}  // namespace

std::string edits_to_json(const std::vector<Choose::Edit>& edits) {
  json list = json::array();
  for (const Choose::Edit& edit : edits) {
    list.push_back(
        {{"path", base::to_base64(edit.path)}, {"content", base::to_base64(edit.content)}});
  }
  return list.dump();
}

base::Result<std::vector<Choose::Edit>> edits_from_json(std::string_view text) {
  const json list = json::parse(text, nullptr, false);
  if (!list.is_array()) return base::corruption("the edits of a choice are not a list");
  std::vector<Choose::Edit> edits;
  for (const json& object : list) {
    if (!object.is_object()) return base::corruption("an edit of a choice is not an object");
    Choose::Edit edit;
    CLEVER_ASSIGN(edit.path, bytes_at(object, "path"));
    CLEVER_ASSIGN(edit.content, bytes_at(object, "content"));
    edits.push_back(std::move(edit));
  }
  return edits;
}

}  // namespace clever::plan
