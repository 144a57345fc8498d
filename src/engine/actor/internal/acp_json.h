#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

// Reads messages of unchecked form. Pure functions.
namespace clever::engine::internal {

/// A member of an object; null if there is none, or `object` is no object.
[[nodiscard]] const nlohmann::json& member(const nlohmann::json& object, std::string_view key);
/// A text member; empty if it is none.
[[nodiscard]] std::string member_text(const nlohmann::json& object, std::string_view key);
/// For messages: valid UTF-8, at most 500 bytes.
[[nodiscard]] std::string shown_text(std::string_view text);
[[nodiscard]] std::string dumped(const nlohmann::json& value);

}  // namespace clever::engine::internal
