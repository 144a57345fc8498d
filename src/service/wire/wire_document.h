#pragma once
// Reading and writing the documents of the wire. Private to the module.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/document.h"

namespace clever::service {

/// Any bytes: a text if they are UTF-8, else {"base64": …}.
[[nodiscard]] model::Document bytes_document(std::string_view bytes);
[[nodiscard]] std::string bytes_of(const model::Document& document);

// The value of a key; the empty one if the key is missing or holds another kind: a newer program at
// the other end may say more than this one knows.
[[nodiscard]] std::string text_at(const model::Document& document, std::string_view key);
[[nodiscard]] std::string bytes_at(const model::Document& document, std::string_view key);
[[nodiscard]] std::int64_t number_at(const model::Document& document, std::string_view key);
[[nodiscard]] bool flag_at(const model::Document& document, std::string_view key);
[[nodiscard]] const model::Document::List& list_at(const model::Document& document,
                                                   std::string_view key);
[[nodiscard]] const model::Document::Map& map_at(const model::Document& document,
                                                 std::string_view key);
[[nodiscard]] std::vector<std::string> texts_at(const model::Document& document,
                                                std::string_view key);

}  // namespace clever::service
