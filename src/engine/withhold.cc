#include "engine/withhold.h"

#include <algorithm>
#include <utility>

namespace clever::engine {
namespace {

using base::Secrets;

bool mask(std::string& text, const Secrets& secrets) {
  if (!secrets.found_in(text)) return false;
  text = secrets.withhold(text);
  return true;
}

class AnswerMask {
 public:
  AnswerMask(model::Message& answer, const Secrets& secrets) : answer_(answer), secrets_(secrets) {}

  WithheldAnswer run() && {
    join_split_text();
    std::vector<model::Part> kept;
    for (model::Part& part : answer_.parts) {
      const bool stays = std::visit([this](auto& one) { return mask_part(one); }, part);
      if (stays) kept.push_back(std::move(part));
    }
    answer_.parts = std::move(kept);
    return std::move(withheld_);
  }

 private:
  void note(bool masked) { withheld_.parts += masked ? 1 : 0; }

  // A secret may be split over parts that are read one after the other.
  void join_split_text() {
    std::string all;
    for (const model::Part& part : answer_.parts) {
      if (const auto* text = std::get_if<model::Text>(&part)) all += text->text;
    }
    const auto holds_one = [this](const model::Part& part) {
      const auto* text = std::get_if<model::Text>(&part);
      return text != nullptr && secrets_.found_in(text->text);
    };
    if (!secrets_.found_in(all) || std::ranges::any_of(answer_.parts, holds_one)) return;
    bool is_first = true;
    std::erase_if(answer_.parts, [&](model::Part& part) {
      auto* text = std::get_if<model::Text>(&part);
      if (text == nullptr) return false;
      if (std::exchange(is_first, false)) {
        text->text = std::move(all);
        return false;
      }
      return true;
    });
  }

  bool mask_part(model::Text& text) {
    note(mask(text.text, secrets_));
    return true;
  }
  bool mask_part(model::Image& /*image*/) { return true; }
  bool mask_part(model::Reasoning& thought) {
    const bool holds = secrets_.found_in(thought.text) || secrets_.found_in(thought.opaque);
    note(holds);
    if (holds && !thought.opaque.empty()) return false;
    (void)mask(thought.text, secrets_);
    return true;
  }
  bool mask_part(model::ToolCall& call) {
    const std::size_t number = withheld_.refused.size() + 1;
    bool masked = mask(call.arguments, secrets_);
    masked = mask(call.name, secrets_) || masked;
    withheld_.refused.push_back(masked);
    // Ids must stay distinct, unlike words.
    if (secrets_.found_in(call.id)) {
      call.id = "withheld-" + std::to_string(number);
      masked = true;
    }
    if (secrets_.found_in(call.opaque)) {
      call.opaque.clear();
      masked = true;
    }
    note(masked);
    return true;
  }
  bool mask_part(model::ToolResult& /*result*/) { return true; }

  model::Message& answer_;
  const Secrets& secrets_;
  WithheldAnswer withheld_;
};

void mask_words(model::Message& message, const Secrets& secrets) {
  for (model::Part& part : message.parts) {
    if (auto* text = std::get_if<model::Text>(&part)) (void)mask(text->text, secrets);
    auto* result = std::get_if<model::ToolResult>(&part);
    if (result == nullptr) continue;
    for (auto& content : result->content) {
      if (auto* text = std::get_if<model::Text>(&content)) (void)mask(text->text, secrets);
    }
  }
}

// Masks a command's words. Leaves commands without words alone, and those whose words are file
// contents.
struct CommandMask {
  const Secrets& secrets;

  void operator()(plan::Create& create) const {
    (void)mask(create.title, secrets);
    (void)mask(create.settings.definition_of_done, secrets);
    for (model::Invariant& invariant : create.settings.control.invariants) {
      (void)mask(invariant.text, secrets);
    }
    mask_words(create.prompt, secrets);
  }
  void operator()(plan::Prompt& prompt) const { mask_words(prompt.message, secrets); }
  void operator()(plan::Cancel& cancel) const { (void)mask(cancel.reason, secrets); }
  void operator()(plan::Correct& correct) const { mask_words(correct.guidance, secrets); }
  void operator()(plan::Reject& reject) const { (void)mask(reject.reason, secrets); }
  void operator()(plan::ToolsRan& ran) const {
    mask_words(ran.results, secrets);
    for (model::ToolNote& call : ran.outcomes) {
      (void)mask(call.shown, secrets);
      (void)mask(call.problem, secrets);
    }
  }
  void operator()(plan::ActorWorked& worked) const { (void)mask(worked.summary, secrets); }
  void operator()(plan::Validated& validated) const {
    for (model::ValidationResult& result : validated.results) {
      (void)mask(result.outcome, secrets);
      (void)mask(result.output, secrets);
    }
  }
  void operator()(plan::ApplyCame& came) const { (void)mask(came.outcome.reason, secrets); }
  void operator()(plan::UndoCame& came) const { (void)mask(came.reason, secrets); }
  void operator()(plan::RecordError& error) const { (void)mask(error.message, secrets); }
  void operator()(plan::RecordDecision& decision) const {
    for (std::string* words : {&decision.question, &decision.chosen, &decision.rationale}) {
      (void)mask(*words, secrets);
    }
    for (std::string& alternative : decision.alternatives) (void)mask(alternative, secrets);
  }
  template <class Other>
  void operator()(Other& /*other*/) const {}
};

// Looks for a secret in settings, which cannot be masked.
class SettingsCheck {
 public:
  explicit SettingsCheck(const Secrets& secrets) : secrets_(secrets) {}

  base::Result<void> check(const model::PlanSettings& settings) const {
    for (const auto& [name, value] : settings.arguments) {
      CLEVER_TRY(refuse("the argument " + secrets_.withhold(name), {name, value}));
    }
    for (const model::Validation& validation : settings.control.validations) {
      std::vector<std::string> texts = validation.argv;
      texts.insert(texts.end(), {validation.name, validation.arguments});
      CLEVER_TRY(refuse("the validation " + secrets_.withhold(validation.name), texts));
    }
    for (const model::Hook& hook : settings.control.hooks) {
      CLEVER_TRY(refuse("the hook " + secrets_.withhold(hook.name), hook.argv));
    }
    for (const model::Permission& rule : settings.control.permissions) {
      CLEVER_TRY(refuse("the rule " + secrets_.withhold(rule.pattern), {rule.pattern}));
    }
    return {};
  }

 private:
  [[nodiscard]] base::Result<void> refuse(const std::string& what,
                                          const std::vector<std::string>& texts) const {
    const auto holds = [this](const std::string& text) { return secrets_.found_in(text); };
    if (std::ranges::none_of(texts, holds)) return {};
    return base::invalid_argument(
        what +
        " contains a known secret (a key, token or password of this machine), and the journal "
        "would store it: put the secret into a file or a variable, and name that");
  }

  const Secrets& secrets_;
};

}  // namespace

base::Result<void> refuse_secrets(const model::PlanSettings& settings,
                                  const base::Secrets& secrets) {
  return SettingsCheck(secrets).check(settings);
}

WithheldAnswer withhold_from_answer(model::Message& answer, const base::Secrets& secrets) {
  return AnswerMask(answer, secrets).run();
}

void withhold_from_command(plan::Command& command, const base::Secrets& secrets) {
  std::visit(CommandMask{secrets}, command);
}

std::string secret_in_arguments(const std::string& tool) {
  return tool +
         ": the arguments hold a known secret (a key, token or password of this machine), and "
         "secrets are never passed on; do without its value, for example read it from the "
         "environment where it is needed";
}

}  // namespace clever::engine
