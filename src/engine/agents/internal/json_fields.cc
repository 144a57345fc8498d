#include "engine/agents/internal/json_fields.h"

#include <algorithm>
#include <cmath>

namespace clever::engine::internal {
namespace {

using model::Document;

std::pair<std::string_view, std::string_view> split(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return {name, {}};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

void collect(const Document& document, std::string_view name, const std::string& above,
             Members& found) {
  const auto [first, rest] = split(name);
  const auto* map = std::get_if<Document::Map>(&document.value());
  if (map == nullptr) return;
  for (const Document::Entry& entry : *map) {
    // Paths use dots, so a key with a dot cannot be named.
    const bool fits = (first == "*" && !entry.key.contains('.')) || first == entry.key;
    if (!fits) continue;
    const std::string path = above.empty() ? entry.key : above + "." + entry.key;
    if (rest.empty()) {
      found.emplace_back(path, entry.value);
    } else {
      collect(entry.value, rest, path, found);
    }
  }
}

Document with_member(const Document& document, std::string_view name, const Document& value) {
  const auto [first, rest] = split(name);
  Document changed = document.is_map() ? document : Document::map();
  if (rest.empty()) return std::move(changed).set(first, value);
  const Document* below = document.find(first);
  Document inner = with_member(below == nullptr ? Document() : *below, rest, value);
  return std::move(changed).set(first, std::move(inner));
}

}  // namespace

const Document& member_of(const Document& document, std::string_view name) {
  static const Document kNothing;
  const auto [first, rest] = split(name);
  const Document* found = document.is_map() ? document.find(first) : nullptr;
  if (found == nullptr) return kNothing;
  return rest.empty() ? *found : member_of(*found, rest);
}

std::string member_text(const Document& document, std::string_view name) {
  const auto* text = std::get_if<std::string>(&member_of(document, name).value());
  return text == nullptr ? std::string() : *text;
}

double member_number(const Document& document, std::string_view name) {
  const auto& value = member_of(document, name).value();
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  const auto* number = std::get_if<double>(&value);
  return number != nullptr && std::isfinite(*number) ? *number : 0.0;
}

std::int64_t member_count(const Document& document, std::string_view name) {
  constexpr double kMost = 1e15;
  return static_cast<std::int64_t>(std::clamp(member_number(document, name), 0.0, kMost));
}

bool member_flag(const Document& document, std::string_view name) {
  const auto* flag = std::get_if<bool>(&member_of(document, name).value());
  return flag != nullptr && *flag;
}

const Document::List& member_list(const Document& document, std::string_view name) {
  static const Document::List kEmpty;
  const auto* list = std::get_if<Document::List>(&member_of(document, name).value());
  return list == nullptr ? kEmpty : *list;
}

Members members_of(const Document& document, const std::vector<std::string>& names) {
  Members found;
  for (const std::string& name : names) collect(document, name, "", found);
  return found;
}

Document with_members(const Document& document, const Members& members) {
  Document changed = document;
  for (const auto& [name, value] : members) changed = with_member(changed, name, value);
  return changed;
}

}  // namespace clever::engine::internal
