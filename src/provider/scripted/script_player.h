#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/guarded.h"
#include "provider/request.h"
#include "provider/scripted/script.h"

namespace clever::provider {

/// The parts of a request that a script looks at.
struct ScriptQuery {
  std::string model{};
  std::string system{};
  /// The text of the user's last message that has any.
  std::string user{};
  /// The text of each message, including tool results.
  std::vector<std::string> messages{};
  std::vector<std::string> tools{};
  /// The tools whose results are in the last message, and the texts of these results.
  std::vector<std::string> results{};
  std::string result_text{};
  /// The number of this answer, from 1.
  std::size_t turn = 1;
  /// Tool calls in the transcript so far.
  std::size_t calls = 0;
  /// Bytes of text in the whole transcript.
  std::size_t bytes = 0;
};
[[nodiscard]] ScriptQuery script_query(const std::string& model, const ModelRequest& request);

/// The groups that the rule's patterns captured, in the order user, any, system, result; nothing if
/// the rule does not match.
[[nodiscard]] std::optional<std::vector<std::string>> match_rule(const ScriptMatch& match,
                                                                 const ScriptQuery& query);

/// The script's answer to one request, with templates filled in and ids and usage generated.
struct ScriptedAnswer {
  ScriptedReply reply{};
  /// "greeting (demo.yaml:12)", for messages.
  std::string rule{};
};

/// How often each rule of a script was used. The choice of a rule depends only on script, query and
/// these counts.
using ScriptUses = std::vector<std::size_t>;

/// Plays one script. Thread-safe.
class ScriptPlayer {
 public:
  explicit ScriptPlayer(Script script);

  /// The first rule that matches and may still be used; otherwise a kScript failure that shows the
  /// request.
  [[nodiscard]] std::variant<ScriptedAnswer, Failure> answer(const ScriptQuery& query);
  [[nodiscard]] const Script& script() const noexcept { return script_; }
  [[nodiscard]] ScriptUses uses() const;

 private:
  const Script script_;
  base::Guarded<ScriptUses> uses_;
};

/// The answer of a reply without error, cut and damage.
[[nodiscard]] ModelAnswer to_answer(const ScriptedReply& reply, const ScriptQuery& query);
/// Why the reply gives no answer; absent if it gives one.
[[nodiscard]] std::optional<Failure> failure_of(const ScriptedAnswer& answer,
                                                std::string_view provider);
/// The pieces in which a reply is streamed.
[[nodiscard]] std::vector<Delta> deltas_of(const ScriptedReply& reply);

}  // namespace clever::provider
