#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

// Reading of messages whose form nobody vouches for. Pure functions.
namespace clever::engine::internal {

/// A member of an object; null if there is none, or if it is no object.
[[nodiscard]] const nlohmann::json& member(const nlohmann::json& object, std::string_view key);
/// The same of a text; empty if it is none.
[[nodiscard]] std::string member_text(const nlohmann::json& object, std::string_view key);
/// For messages: valid UTF-8, at most 500 bytes.
[[nodiscard]] std::string shown_text(std::string_view text);
[[nodiscard]] std::string dumped(const nlohmann::json& value);

}  // namespace clever::engine::internal
