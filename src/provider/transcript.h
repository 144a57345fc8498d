#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/message.h"
#include "provider/conversation.h"

namespace clever::provider {

/// Converts any transcript to the form that every API accepts. Pure and idempotent.
///
///  - The user speaks first and last, and the roles alternate: neighbours of one role are one
///    message. Where the user would be missing there is a short text of ours.
///  - Every tool call has exactly one result, in the message after it, before all else there and in
///    the order of the calls. A call without one gets a failed result that says so. Of several
///    results the first counts. A result whose call is nowhere before it becomes text of the user.
///  - Call ids are unique, of letters, digits, `_` and `-`, at most 64; where two calls bear one
///    id, the results follow in order. Names of tools likewise (but for being unique).
///  - Reasoning stands before something in its message: alone it is dropped.
///  - Parts of the other role, text of white space and what is empty are dropped; an image of an
///    unknown kind, or without bytes, is a note in words. Text is UTF-8.
///
/// Arguments of calls stay as they are: see arguments_object().
[[nodiscard]] std::vector<model::Message> acceptable(std::vector<model::Message> messages);

/// Whether acceptable() leaves the message as it is if its neighbours fit.
[[nodiscard]] bool is_acceptable(const model::Message& message);

/// What acceptable() makes of a conversation; none if nothing changes. Shared messages stay shared
/// from the last change on.
[[nodiscard]] std::optional<Conversation> corrected(const Conversation& given);
/// The same, but returns the conversation itself if nothing changes.
[[nodiscard]] Conversation sendable(Conversation given);

/// A tool's name in a form that every API accepts: letters, digits, `_` and `-`, at most 64.
[[nodiscard]] std::string acceptable_tool_name(std::string_view name);

/// The arguments of a call as the text of a JSON object; other text is wrapped into one, so that
/// the model sees what it wrote.
[[nodiscard]] std::string arguments_object(std::string_view arguments);

}  // namespace clever::provider
