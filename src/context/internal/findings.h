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

/// Results for one question that several strategies build on. The first strategy that needs a
/// result computes it; others wait for it, until their own stop or deadline. A search that failed,
/// threw or was stopped leaves no result, and the next caller starts again.
///
/// Thread-safe. Owned by the runs of one assembly. Searches run without a lock, and a searching
/// strategy waits for none, so that a hanging one delays only those that build on it.
class Findings {
 public:
  using Candidates = std::vector<Candidate>;
  using Look = std::function<base::Result<Candidates>()>;

  /// `what` names everything the answer depends on besides the question.
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

/// Uses the question's findings, if it has any.
[[nodiscard]] base::Result<std::vector<Candidate>> found_once(const Question& question,
                                                              const std::string& what,
                                                              const base::StopToken& stop,
                                                              base::Deadline deadline,
                                                              const Findings::Look& look);

}  // namespace clever::context::internal
