#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace clever::context::internal {

/// The searchable words of a commit's message, with repetitions: stems of the text. Leaves out
/// lines for machines ("Signed-off-by: …"), numbers and object ids.
[[nodiscard]] std::vector<std::string> message_words(std::string_view message);

}  // namespace clever::context::internal
