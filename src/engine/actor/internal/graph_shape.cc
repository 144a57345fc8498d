#include "engine/actor/internal/graph_shape.h"

#include <algorithm>

namespace clever::engine::internal {

GraphShape::GraphShape(const Actor& graph)
    : graph_(graph), after_(graph.nodes.size()), before_(graph.nodes.size()) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) places_.emplace(graph.nodes[i].id, i);
  for (const GraphEdge& edge : graph.edges) connect(edge.from, edge.to);
  for (const GraphNode& node : graph.nodes) {
    for (const std::string& next : node.then) connect(node.id, next);
    for (const std::string& next : node.otherwise) connect(node.id, next);
  }
}

void GraphShape::connect(std::string_view from, std::string_view to) {
  after_[place(from)].push_back(place(to));
  before_[place(to)].push_back(place(from));
}

// Searches depth first without recursion: a chain may have as many links as there are nodes.
std::vector<std::size_t> GraphShape::cycle() const {
  enum class Mark : std::uint8_t { kNew, kOpen, kDone };
  std::vector<Mark> marks(after_.size(), Mark::kNew);
  std::vector<std::size_t> next(after_.size());
  for (std::size_t start = 0; start < after_.size(); ++start) {
    std::vector<std::size_t> way;
    if (marks[start] == Mark::kNew) way.push_back(start);
    while (!way.empty()) {
      const std::size_t node = way.back();
      marks[node] = Mark::kOpen;
      if (next[node] == after_[node].size()) {
        marks[node] = Mark::kDone;
        way.pop_back();
        continue;
      }
      const std::size_t to = after_[node][next[node]++];
      if (marks[to] == Mark::kOpen) {
        way.erase(way.begin(), std::ranges::find(way, to));
        way.push_back(to);
        return way;
      }
      if (marks[to] == Mark::kNew) way.push_back(to);
    }
  }
  return {};
}

namespace {

std::vector<bool> closure(std::vector<std::size_t> open,
                          const std::vector<std::vector<std::size_t>>& ways) {
  std::vector<bool> found(ways.size());
  while (!open.empty()) {
    const std::size_t one = open.back();
    open.pop_back();
    if (found[one]) continue;
    found[one] = true;
    open.insert(open.end(), ways[one].begin(), ways[one].end());
  }
  return found;
}

}  // namespace

std::vector<bool> GraphShape::reachable() const {
  std::vector<std::size_t> entries;
  for (const std::string& entry : graph_.entries) entries.push_back(place(entry));
  return closure(std::move(entries), after_);
}

std::vector<bool> GraphShape::ancestors(std::size_t node) const {
  return closure(before_[node], before_);
}

std::vector<std::size_t> GraphShape::order() const {
  std::vector<std::size_t> order;
  std::vector<bool> placed(before_.size());
  while (order.size() < before_.size()) {
    const std::size_t count = order.size();
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const bool ready =
          std::ranges::all_of(before_[i], [&](std::size_t one) { return placed[one]; });
      if (placed[i] || !ready) continue;
      placed[i] = true;
      order.push_back(i);
    }
    if (order.size() == count) break;
  }
  return order;
}

}  // namespace clever::engine::internal
