#pragma once
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "context/pipeline.h"
#include "context/token_counter.h"
#include "engine/actor/code_views.h"
#include "engine/actor/context_source.h"

namespace clever::engine {

/// Chooses what a model sees by searching the project: the context module's assembly over the files
/// of the turn. `otherwise` answers while there is no index (it is being built, or broken) or the
/// search finds nothing. A strategy, index or history that fails never fails the turn.
///
/// Thread-safe. Owned by the code that assembles the engine.
class IndexedContext final : public ContextSource {
 public:
  struct Options {
    /// Tokens of fragments and picture, however large the model's window is.
    std::size_t most_tokens = 16'000;
    /// Of that, for the picture that subplans get.
    double skeleton_ratio = 0.15;
    /// How long a turn waits for an index update.
    base::Duration wait = std::chrono::seconds(2);
    /// Tokens that tools and the prompt of the phase are taken to need.
    std::size_t tools = 6'000;
    std::size_t system = 3'000;
  };
  using Assemble = std::function<base::Result<context::Assembly>(
      const context::Question&, const context::Budget&, const context::TokenCounter&,
      const base::StopToken&)>;
  using Counter = std::function<std::shared_ptr<const context::TokenCounter>(std::string_view)>;

  /// All outlive it.
  struct Parts {
    base::Clock& clock;
    CodeViews& views;
    ContextSource& otherwise;
    Assemble assemble;
    Counter counter;
  };
  IndexedContext(Parts parts, Options options);

  base::Result<AssembledContext> assemble(const ContextRequest& request,
                                          const base::StopToken& stop,
                                          base::Deadline deadline) override;
  [[nodiscard]] bool searches() const override { return true; }
  void prepare(const ContextRequest& request) override;

  /// The room for a request: half of the model's window without its answer, less tools and prompt,
  /// and at most what is configured or asked for.
  [[nodiscard]] context::Budget budget_of(const ContextRequest& request) const;

 private:
  [[nodiscard]] base::Result<context::Assembly> search(const ContextRequest& request,
                                                       const context::TokenCounter& counter,
                                                       const context::Budget& budget,
                                                       const base::StopToken& stop,
                                                       base::Deadline deadline);
  [[nodiscard]] base::Result<AssembledContext> fall_back(const ContextRequest& request,
                                                         const std::string& why,
                                                         const base::StopToken& stop,
                                                         base::Deadline deadline);

  [[nodiscard]] std::optional<CodeViews::Files> files_of(const ContextRequest& request);
  [[nodiscard]] std::shared_ptr<git::ObjectStore> store_of(const ContextRequest& request);

  // Constant after construction.
  const Parts parts_;
  const Options options_;
  // Guarded: stores of requests that named one, for those that have a workspace only. A view lives
  // long, and must not hold a workspace.
  base::Guarded<std::vector<std::weak_ptr<git::ObjectStore>>> stores_;
};

/// An assembly as a turn uses it: at most `bytes` of text; the best fragments stay.
[[nodiscard]] AssembledContext assembled_context(context::Assembly assembly,
                                                 const std::string& tree, std::size_t bytes,
                                                 bool with_skeleton);

}  // namespace clever::engine
