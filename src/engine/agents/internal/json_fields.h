#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/document.h"

// Members of JSON documents by name: "a.b", where "*" stands for each member of a map. Pure.
namespace clever::engine::internal {

/// The member "a.b" of a map, or null. No "*".
[[nodiscard]] const model::Document& member_of(const model::Document& document,
                                               std::string_view name);
/// Its text, or "".
[[nodiscard]] std::string member_text(const model::Document& document, std::string_view name);
/// A whole number that is not negative, or 0.
[[nodiscard]] std::int64_t member_count(const model::Document& document, std::string_view name);
[[nodiscard]] double member_number(const model::Document& document, std::string_view name);
[[nodiscard]] bool member_flag(const model::Document& document, std::string_view name);
/// The entries of a list; none if it is none.
[[nodiscard]] const model::Document::List& member_list(const model::Document& document,
                                                       std::string_view name);

using Members = std::vector<std::pair<std::string, model::Document>>;
/// What a document has of these names, each with the name that it really has.
[[nodiscard]] Members members_of(const model::Document& document,
                                 const std::vector<std::string>& names);
/// The document with these members; maps on the way are made.
[[nodiscard]] model::Document with_members(const model::Document& document, const Members& members);

}  // namespace clever::engine::internal
