#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "context/fragment.h"
#include "context/strategy.h"

namespace clever::context::internal {

/// What was found for one question by strategies that others build on. Each thing is looked for
/// once, by whoever needs it first; who needs it meanwhile waits for that, until its own stop or
/// deadline. What failed, threw or was stopped half-way is nobody's: the next one looks anew.
///
/// Thread-safe. Owned by the runs of one assembly. Nothing is looked for under a lock, and who
/// looks waits for nobody, so that a strategy that hangs delays those alone that build on it.
class Findings {
 public:
  using Candidates = std::vector<Candidate>;
  using Look = std::function<base::Result<Candidates>()>;

  /// `what` names all that the answer depends on but the question.
  [[nodiscard]] base::Result<Candidates> find(const std::string& what, const base::StopToken& stop,
                                              base::Deadline deadline, const Look& look);

 private:
  struct Finding {
    bool sought = false;
    std::shared_ptr<const Candidates> found{};
  };
  using All = std::map<std::string, Finding>;
  class Search;

  base::Monitor<All> findings_;
};

/// From the question's findings, if it has any.
[[nodiscard]] base::Result<std::vector<Candidate>> found_once(const Question& question,
                                                              const std::string& what,
                                                              const base::StopToken& stop,
                                                              base::Deadline deadline,
                                                              const Findings::Look& look);

}  // namespace clever::context::internal
