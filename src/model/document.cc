#include "model/document.h"

#include "base/check.h"

namespace clever::model {

Document Document::list() {
  Document document;
  document.value_ = List{};
  return document;
}

Document Document::map() {
  Document document;
  document.value_ = Map{};
  return document;
}

Document Document::texts(const std::vector<std::string>& words) {
  Document document = list();
  for (const std::string& word : words) document.push(word);
  return document;
}

Document Document::texts(const std::vector<std::string_view>& words) {
  Document document = list();
  for (const std::string_view word : words) document.push(word);
  return document;
}

Document& Document::set(std::string_view key, Document value) & {
  if (is_null()) value_ = Map{};
  Map* map = std::get_if<Map>(&value_);
  CLEVER_CHECK(map != nullptr, "set() on a document that is no map");
  for (Entry& entry : *map) {
    if (entry.key == key) {
      entry.value = std::move(value);
      return *this;
    }
  }
  map->push_back({std::string(key), std::move(value)});
  return *this;
}

Document&& Document::set(std::string_view key, Document value) && {
  set(key, std::move(value));
  return std::move(*this);
}

Document& Document::push(Document value) & {
  if (is_null()) value_ = List{};
  List* list = std::get_if<List>(&value_);
  CLEVER_CHECK(list != nullptr, "push() on a document that is no list");
  list->push_back(std::move(value));
  return *this;
}

const Document* Document::find(std::string_view key) const noexcept {
  const Map* map = std::get_if<Map>(&value_);
  if (map == nullptr) return nullptr;
  for (const Entry& entry : *map) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

}  // namespace clever::model
