#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/actor/tool_actor.h"

namespace clever::engine::internal {

/// The nodes of a graph actor and all ways between them: edges, and what conditional nodes lead to.
/// A view: the actor must outlive it. All names must exist.
class GraphShape {
 public:
  explicit GraphShape(const Actor& graph);

  [[nodiscard]] std::size_t place(std::string_view id) const { return places_.at(id); }
  [[nodiscard]] const std::vector<std::size_t>& after(std::size_t node) const {
    return after_[node];
  }
  [[nodiscard]] const std::vector<std::size_t>& before(std::size_t node) const {
    return before_[node];
  }
  /// One way round, its first node again at its end; empty: there is none.
  [[nodiscard]] std::vector<std::size_t> cycle() const;
  /// Of the nodes, by place: whether an entry leads to it.
  [[nodiscard]] std::vector<bool> reachable() const;
  /// Of the nodes, by place: whether it leads to this one.
  [[nodiscard]] std::vector<bool> ancestors(std::size_t node) const;
  /// Each after all that lead to it, else as written. Of an acyclic graph.
  [[nodiscard]] std::vector<std::size_t> order() const;

 private:
  void connect(std::string_view from, std::string_view to);

  const Actor& graph_;
  std::map<std::string_view, std::size_t> places_;
  std::vector<std::vector<std::size_t>> after_;
  std::vector<std::vector<std::size_t>> before_;
};

}  // namespace clever::engine::internal
