#pragma once
// What the context commands share. Private to the module.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "context/pipeline.h"
#include "context/token_counter.h"
#include "engine/actor/code_context.h"
#include "git/project.h"
#include "index/code_index.h"
#include "service/command.h"
#include "service/context.h"
#include "service/invocation.h"

namespace clever::service {

/// What the command line asks for.
struct Asked {
  std::string text{};
  std::vector<std::string> focus{};
  model::Phase phase = model::Phase::kStrategize;
  std::size_t budget = 0;
  std::string model{};
  bool is_subplan = false;
};
/// The words from the one at `first` on, with the options; `invalid_argument` if there is nothing
/// to ask.
[[nodiscard]] base::Result<Asked> asked(const Invocation& invocation, std::size_t first,
                                        Context& context);
/// --budget, --focus, --phase, --model and --subplan: what a question is asked with.
[[nodiscard]] std::vector<Option> question_options();
/// A whole number of an option; `invalid_argument` says what was expected.
[[nodiscard]] base::Result<std::size_t> count_option(const Invocation& invocation,
                                                     std::string_view name, std::size_t usual);

/// The project's files as they lie there now, and what finds its way in them. Used by one thread.
class ContextLook {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<ContextLook>> open(const Invocation& invocation,
                                                                       Context& context);

  [[nodiscard]] const git::Project& project() const noexcept { return project_; }
  [[nodiscard]] engine::CodeContext& code() const noexcept { return *code_; }

  /// The files as they are now. Shows progress at a terminal.
  [[nodiscard]] base::Result<std::shared_ptr<const index::View>> view(
      model::Phase phase = model::Phase::kStrategize);

  /// With history and earlier decisions, as far as there are any; remarks say what there was not.
  [[nodiscard]] base::Result<context::Question> question(const Asked& asked);
  struct Answer {
    context::Assembly assembly{};
    std::shared_ptr<const context::TokenCounter> counter{};
  };
  [[nodiscard]] base::Result<Answer> assemble(const context::Question& question,
                                              const Asked& asked);

  /// As it is seen from the project's root: what a person types is seen from where they are.
  [[nodiscard]] std::string from_root(const std::string& path) const;
  /// Sentences about what could not be had.
  [[nodiscard]] const std::vector<std::string>& remarks() const noexcept { return remarks_; }

 private:
  ContextLook(Context& context, git::Project project, engine::ContextOptions options,
              std::unique_ptr<engine::CodeContext> code)
      : context_(context),
        project_(std::move(project)),
        options_(std::move(options)),
        code_(std::move(code)) {}

  void add_history(context::Question& question);
  void add_decisions(context::Question& question);

  Context& context_;
  const git::Project project_;
  const engine::ContextOptions options_;
  const std::unique_ptr<engine::CodeContext> code_;
  std::vector<std::string> remarks_;
};

/// "0.81"
[[nodiscard]] std::string shown_score(double score);
/// "lines 3-9", or nothing for a whole file.
[[nodiscard]] std::string shown_lines(const context::Fragment& fragment);
[[nodiscard]] std::string_view shown_outcome(context::StrategyOutcome::How how) noexcept;
[[nodiscard]] Document outcomes_document(const context::Assembly& assembly);
[[nodiscard]] Table outcomes_table(const context::Assembly& assembly);

}  // namespace clever::service
