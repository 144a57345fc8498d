#include "context/internal/findings.h"

#include <utility>

namespace clever::context::internal {

/// A search in progress. Gives up if it ends without a result, for any reason.
class Findings::Search {
 public:
  Search(base::Monitor<All>& all, const std::string& what) : all_(all), what_(what) {}
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  ~Search() {
    all_.update([&](All& all) { all[what_] = {.sought = false, .found = std::move(found_)}; });
  }
  void keep(std::shared_ptr<const Candidates> found) { found_ = std::move(found); }

 private:
  base::Monitor<All>& all_;
  const std::string& what_;
  std::shared_ptr<const Candidates> found_;
};

base::Result<Findings::Candidates> Findings::find(const std::string& what,
                                                  const base::StopToken& stop,
                                                  base::Deadline deadline, const Look& look) {
  const auto is_settled = [&](const All& all) {
    const auto one = all.find(what);
    return one == all.end() || !one->second.sought;
  };
  const auto begin = [&](All& all) {
    Finding& one = all[what];
    one.sought = one.found == nullptr;
    return one.found;
  };
  CLEVER_ASSIGN(const auto known, findings_.update_when(stop, deadline, is_settled, begin));
  if (known != nullptr) return *known;
  Search search(findings_, what);
  CLEVER_ASSIGN(Candidates found, look());
  // A stopped search may be incomplete, so its result is not kept.
  if (!stop.stop_requested()) search.keep(std::make_shared<const Candidates>(found));
  return found;
}

base::Result<std::vector<Candidate>> found_once(const Question& question, const std::string& what,
                                                const base::StopToken& stop,
                                                base::Deadline deadline,
                                                const Findings::Look& look) {
  return question.findings == nullptr ? look()
                                      : question.findings->find(what, stop, deadline, look);
}

}  // namespace clever::context::internal
