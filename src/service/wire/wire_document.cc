#include "service/wire/wire_document.h"

#include "base/base64.h"
#include "base/utf8.h"

namespace clever::service {
namespace {

using model::Document;

template <class T>
const T& value_at(const Document& document, std::string_view key) {
  static const T kNone{};
  const Document* found = document.find(key);
  const T* value = found == nullptr ? nullptr : std::get_if<T>(&found->value());
  return value == nullptr ? kNone : *value;
}

}  // namespace

Document bytes_document(std::string_view bytes) {
  if (base::is_utf8(bytes)) return bytes;
  return Document::map().set("base64", base::to_base64(bytes));
}

std::string bytes_of(const Document& document) {
  if (const auto* text = std::get_if<std::string>(&document.value())) return *text;
  return base::from_base64(text_at(document, "base64")).value_or("");
}

std::string text_at(const Document& document, std::string_view key) {
  return value_at<std::string>(document, key);
}

std::string bytes_at(const Document& document, std::string_view key) {
  const Document* found = document.find(key);
  return found == nullptr ? std::string() : bytes_of(*found);
}

std::int64_t number_at(const Document& document, std::string_view key) {
  return value_at<std::int64_t>(document, key);
}

bool flag_at(const Document& document, std::string_view key) {
  return value_at<bool>(document, key);
}

const Document::List& list_at(const Document& document, std::string_view key) {
  return value_at<Document::List>(document, key);
}

const Document::Map& map_at(const Document& document, std::string_view key) {
  return value_at<Document::Map>(document, key);
}

std::vector<std::string> texts_at(const Document& document, std::string_view key) {
  std::vector<std::string> texts;
  for (const Document& item : list_at(document, key)) {
    if (const auto* text = std::get_if<std::string>(&item.value())) texts.push_back(*text);
  }
  return texts;
}

}  // namespace clever::service
