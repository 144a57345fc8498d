#include "context/internal/commit_order.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace clever::context::internal {
namespace {

class Walk {
 public:
  explicit Walk(const std::vector<Commit>& commits)
      : commits_(commits), children_(commits.size()), reached_(commits.size()) {
    places_.reserve(commits.size());
    for (std::uint32_t i = 0; i < commits.size(); ++i) places_.emplace(commits[i].id, i);
  }

  std::vector<std::uint32_t> from(const git::ObjectId& head) {
    const auto start = places_.find(head);
    if (start == places_.end()) return {};
    count_children(start->second);
    return in_order(start->second);
  }

 private:
  template <class F>
  void for_parents(std::uint32_t commit, F&& f) const {
    for (const git::ObjectId& parent : commits_[commit].parents) {
      if (const auto found = places_.find(parent); found != places_.end()) f(found->second);
    }
  }

  void count_children(std::uint32_t start) {
    std::vector<std::uint32_t> open = {start};
    reached_[start] = true;
    while (!open.empty()) {
      const std::uint32_t commit = open.back();
      open.pop_back();
      for_parents(commit, [&](std::uint32_t parent) {
        ++children_[parent];
        if (!reached_[parent]) open.push_back(parent);
        reached_[parent] = true;
      });
    }
  }

  std::vector<std::uint32_t> in_order(std::uint32_t start) {
    const auto later = [&](std::uint32_t a, std::uint32_t b) {
      if (commits_[a].time != commits_[b].time) return commits_[a].time < commits_[b].time;
      return commits_[a].id < commits_[b].id;
    };
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(later)> ready(later);
    ready.push(start);
    // Nothing leads back to the start, even in a damaged file.
    children_[start] = 0;
    std::vector<std::uint32_t> order;
    while (!ready.empty()) {
      const std::uint32_t commit = ready.top();
      ready.pop();
      order.push_back(commit);
      for_parents(commit, [&](std::uint32_t parent) {
        if (--children_[parent] == 0) ready.push(parent);
      });
    }
    return order;
  }

  const std::vector<Commit>& commits_;
  std::unordered_map<git::ObjectId, std::uint32_t> places_;
  std::vector<std::uint32_t> children_;
  std::vector<bool> reached_;
};

}  // namespace

std::vector<std::uint32_t> newest_first(const std::vector<Commit>& commits,
                                        const git::ObjectId& head) {
  return Walk(commits).from(head);
}

}  // namespace clever::context::internal
