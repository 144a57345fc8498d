#include "storage/decisions.h"

#include <unordered_map>

#include "storage/keys.h"

namespace clever::storage {
namespace {

constexpr Sql kTree =
    "SELECT id, parent, sequence, kind, question, chosen, confidence, superseded, data "
    "FROM decision WHERE plan = $1 ORDER BY sequence, id";

DecisionNode node_of(const Row& row) {
  return {.id = id_of<model::DecisionId>(row.blob(0)),
          .parent = id_of<model::DecisionId>(row.blob(1)),
          .sequence = row.integer(2),
          .kind = row.text(3),
          .question = row.text(4),
          .chosen = row.text(5),
          .confidence = row.is_null(6) ? std::nullopt : std::optional(row.real(6)),
          .superseded = row.integer(7),
          .data = row.blob(8),
          .children = {}};
}

void link(std::vector<DecisionNode>& nodes) {
  std::unordered_map<model::DecisionId, std::size_t> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) places.emplace(nodes[i].id, i);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto parent = places.find(nodes[i].parent);
    if (parent != places.end()) nodes[parent->second].children.push_back(i);
  }
}

}  // namespace

base::Result<std::vector<DecisionNode>> Decisions::tree(const model::PlanId& plan,
                                                        const base::StopToken& stop,
                                                        base::Deadline deadline) {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kTree, to_blob(plan)), stop, deadline));
  std::vector<DecisionNode> nodes;
  nodes.reserve(rows.size());
  for (const Row& row : rows) nodes.push_back(node_of(row));
  link(nodes);
  return nodes;
}

}  // namespace clever::storage
