#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace clever::context::internal {

/// The words by which a commit's message is found, with repetitions: stems of what people wrote.
/// Lines for machines ("Signed-off-by: …"), numbers and object ids say nothing and are left out.
[[nodiscard]] std::vector<std::string> message_words(std::string_view message);

}  // namespace clever::context::internal
