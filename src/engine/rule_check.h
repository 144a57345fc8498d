#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/control_settings.h"
#include "tool/tool.h"

// Finds rules that can match no call, such as one with a misspelt tool. Pure and total.
namespace clever::engine {

/// A rule as a person wrote it. A value.
struct PlacedRule {
  std::string text{};
  /// For messages: "permissions.deny of your settings".
  std::string place{};
  /// A permission: it may be about sensitive changes.
  bool may_be_sensitive = false;
  friend bool operator==(const PlacedRule&, const PlacedRule&) = default;
};

/// All rules that watch over a plan: its permissions, guards and hooks.
[[nodiscard]] std::vector<PlacedRule> rules_in(const model::Control& control);

/// The tools that a rule can name. A value.
struct KnownTools {
  struct Server {
    std::string name{};
    /// It said which tools it has, and they are in `tools`. Else every tool of its name may exist.
    bool answered = false;
  };
  std::vector<tool::ToolSpec> tools{};
  std::vector<Server> servers{};
};

/// A sentence for each rule that can match no call of these tools: it names the rule, its place and
/// the likely correction.
[[nodiscard]] std::vector<std::string> rules_without_effect(const std::vector<PlacedRule>& rules,
                                                            const KnownTools& known);

}  // namespace clever::engine
