#pragma once
#include <string>
#include <utility>
#include <vector>

#include "model/message.h"

// Messages of conversations.
namespace clever::test {

inline model::Message user_message(std::vector<model::Part> parts) {
  return {model::Role::kUser, std::move(parts)};
}
inline model::Message assistant_message(std::vector<model::Part> parts) {
  return {model::Role::kAssistant, std::move(parts)};
}
/// A call that reads a file, and what it found there.
inline model::ToolCall read_call(std::string id) { return {std::move(id), "read_file", "{}", ""}; }
inline model::ToolResult read_result(std::string id, std::string text = "a note") {
  return {std::move(id), {model::Text{std::move(text)}}, false};
}

}  // namespace clever::test
