#include "provider/scripted/internal/templates.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

namespace clever::provider::internal {
namespace {

using nlohmann::json;

struct Place {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t group = 0;
};

// The next {n} with n from 1 to 99.
std::optional<Place> next_place(std::string_view text, std::size_t from) {
  for (std::size_t begin = text.find('{', from); begin != std::string_view::npos;
       begin = text.find('{', begin + 1)) {
    std::size_t at = begin + 1;
    std::size_t group = 0;
    while (at < text.size() && at < begin + 3 && text[at] >= '0' && text[at] <= '9') {
      group = group * 10 + static_cast<std::size_t>(text[at++] - '0');
    }
    if (group > 0 && at < text.size() && text[at] == '}') return Place{begin, at + 1, group};
  }
  return std::nullopt;
}

void for_strings(json& value, const std::function<void(std::string&)>& act) {
  if (value.is_string()) return act(value.get_ref<std::string&>());
  if (!value.is_structured()) return;
  for (json& item : value) for_strings(item, act);
}

void for_texts(ScriptedReply& reply, const std::function<void(std::string&)>& act) {
  act(reply.text);
  act(reply.reasoning);
  act(reply.refusal);
  if (reply.error) act(reply.error->message);
  for (ScriptedToolCall& call : reply.tool_calls) {
    if (!next_place(call.arguments, 0)) continue;
    json arguments = json::parse(call.arguments, nullptr, /*allow_exceptions=*/false);
    if (arguments.is_discarded()) continue;
    for_strings(arguments, act);
    call.arguments = arguments.dump(-1, ' ', false, json::error_handler_t::replace);
  }
}

}  // namespace

std::size_t groups_of(const ScriptMatch& match) {
  std::size_t groups = 0;
  for (const auto& pattern :
       {match.user_regex, match.any_regex, match.system_regex, match.result_regex}) {
    if (pattern) groups += pattern->groups();
  }
  return groups;
}

std::size_t highest_group(const ScriptedReply& reply) {
  std::size_t highest = 0;
  ScriptedReply copy = reply;
  for_texts(copy, [&](const std::string& text) {
    for (auto place = next_place(text, 0); place; place = next_place(text, place->end)) {
      highest = std::max(highest, place->group);
    }
  });
  return highest;
}

std::string fill(std::string_view text, const std::vector<std::string>& groups) {
  std::string filled;
  std::size_t done = 0;
  for (auto place = next_place(text, 0); place; place = next_place(text, place->end)) {
    if (place->group > groups.size()) continue;
    filled += text.substr(done, place->begin - done);
    filled += groups[place->group - 1];
    done = place->end;
  }
  return filled.append(text.substr(done));
}

void fill(ScriptedReply& reply, const std::vector<std::string>& groups) {
  if (groups.empty()) return;
  for_texts(reply, [&](std::string& text) { text = fill(text, groups); });
}

}  // namespace clever::provider::internal
