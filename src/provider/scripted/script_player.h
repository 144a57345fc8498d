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

/// What of a request a script looks at.
struct ScriptQuery {
  std::string model{};
  std::string system{};
  /// The text of the last message of the user that has any.
  std::string user{};
  /// The text of each message, results of tools included.
  std::vector<std::string> messages{};
  std::vector<std::string> tools{};
  /// The tools whose results stand in the last message, and what these say.
  std::vector<std::string> results{};
  std::string result_text{};
  /// Which answer this will be: 1 for the first.
  std::size_t turn = 1;
  /// Tool calls in the transcript so far.
  std::size_t calls = 0;
  /// Bytes of text in all of it.
  std::size_t bytes = 0;
};
[[nodiscard]] ScriptQuery script_query(const std::string& model, const ModelRequest& request);

/// The groups that the rule's patterns captured, in the order user, any, system, result; nothing if
/// the rule does not match.
[[nodiscard]] std::optional<std::vector<std::string>> match_rule(const ScriptMatch& match,
                                                                 const ScriptQuery& query);

/// What the script says to one request: templates filled in, ids and usage made.
struct ScriptedAnswer {
  ScriptedReply reply{};
  /// "greeting (demo.yaml:12)", for messages.
  std::string rule{};
};

/// How often each rule of a script was used. Which rule is chosen is a function of script, query
/// and that alone.
using ScriptUses = std::vector<std::size_t>;

/// Plays one script. Thread-safe.
class ScriptPlayer {
 public:
  explicit ScriptPlayer(Script script);

  /// The first rule that matches and may still be used; a kScript failure that shows the request if
  /// there is none.
  [[nodiscard]] std::variant<ScriptedAnswer, Failure> answer(const ScriptQuery& query);
  [[nodiscard]] const Script& script() const noexcept { return script_; }
  [[nodiscard]] ScriptUses uses() const;

 private:
  const Script script_;
  base::Guarded<ScriptUses> uses_;
};

/// The answer that a whole reply makes; for a reply without error, cut and damage.
[[nodiscard]] ModelAnswer to_answer(const ScriptedReply& reply, const ScriptQuery& query);
/// Why the reply gives no answer; absent if it gives one.
[[nodiscard]] std::optional<Failure> failure_of(const ScriptedAnswer& answer,
                                                std::string_view provider);
/// The pieces in which a reply is streamed.
[[nodiscard]] std::vector<Delta> deltas_of(const ScriptedReply& reply);

}  // namespace clever::provider
