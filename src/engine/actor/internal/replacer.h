#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/actor/tool_actor.h"

namespace clever::engine::internal {

/// Finds and replaces in texts, for a step of kind `replace`.
///
/// Plain text is replaced as it is, but for its line ends, which are those of the file. A regular
/// expression is RE2's, ^ and $ are those of lines; its replacement knows \0 … \9 and $0 … $9 for
/// groups, \n, \t, \\ and $$. A variable that is the whole of `find` or `replace` is an expression
/// itself; within a longer one its value is plain text. Takes time linear in the text, whatever the
/// expression.
///
/// Immutable; thread-safe.
class Replacer {
 public:
  /// `invalid_argument` says what is wrong: an empty or broken expression, a group that it does not
  /// have.
  [[nodiscard]] static base::Result<std::shared_ptr<const Replacer>> of(
      const ToolActorStep& step, const std::map<std::string, std::string>& variables);
  virtual ~Replacer() = default;

  [[nodiscard]] virtual bool is_in(std::string_view text) const = 0;
  struct Replaced {
    std::string text{};
    std::int64_t count = 0;
  };
  [[nodiscard]] virtual Replaced replace(std::string_view text) const = 0;
};

}  // namespace clever::engine::internal
