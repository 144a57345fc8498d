#include "engine/actor/internal/graph_reader.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "engine/actor/internal/graph_shape.h"
#include "engine/actor/internal/step_reader.h"
#include "engine/actor/internal/variables.h"
#include "plan/expression.h"

namespace clever::engine::internal {
namespace {

using model::YamlValue;
using YamlKind = YamlValue::Kind;
using NodeKind = GraphNode::Kind;

constexpr std::size_t kMostNodes = 500;
constexpr std::size_t kMostEdges = 5000;
constexpr std::size_t kMostSteps = 1000;
constexpr std::size_t kLongestName = 64;

bool is_node_name(std::string_view name) {
  const auto is_letter = [](char one) {
    return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');
  };
  const auto fits = [&](char one) {
    return is_letter(one) || (one >= '0' && one <= '9') || one == '_';
  };
  return !name.empty() && name.size() <= kLongestName && is_letter(name.front()) &&
         std::ranges::all_of(name, fits);
}

class GraphReader {
 public:
  GraphReader(const YamlFields& fields, Actor& actor) : fields_(fields), actor_(actor) {
    known_ = names_of(actor.arguments);
    known_.emplace_back("project");
  }

  base::Result<void> read() {
    CLEVER_TRY(read_nodes());
    CLEVER_TRY(read_branches());
    CLEVER_TRY(read_edges());
    CLEVER_TRY(read_ends("entry", actor_.entries));
    CLEVER_TRY(read_ends("exits", actor_.exits));
    const GraphShape shape(actor_);
    CLEVER_TRY(check_cycle(shape));
    add_implied_ends(shape);
    CLEVER_TRY(check_entries(shape));
    CLEVER_TRY(check_reachable(shape));
    return check_conditions(shape);
  }

 private:
  /// The position of a value, for messages.
  struct Place {
    std::string path;
    const YamlValue* value;
  };

  [[nodiscard]] base::Error at(const Place& place, std::string_view what) const {
    return model::yaml_error(fields_.file(), place.value->line,
                             place.path + (what.starts_with(':') ? "" : " ") + std::string(what));
  }

  // ---- nodes ------------------------------------------------------------------------------------

  base::Result<void> read_nodes() {
    const YamlValue* nodes = fields_.find("nodes");
    if (nodes == nullptr) {
      return fields_.error("nodes", *fields_.find("type"),
                           "is missing; a graph is made of nodes such as {build: {tool: {steps: "
                           "[{command: make}]}}}");
    }
    const bool fits = nodes->is(YamlKind::kMapping) && !nodes->members.empty() &&
                      nodes->members.size() <= kMostNodes;
    if (!fits) {
      return fields_.wrong("nodes", *nodes,
                           "a mapping of 1 to 500 nodes such as {build: {tool: {steps: [{command: "
                           "make}]}}}");
    }
    for (const auto& [name, value] : nodes->members) CLEVER_TRY(read_node(name, value));
    return {};
  }

  base::Result<void> read_node(const YamlValue& name, const YamlValue& value) {
    const std::string path = "nodes." + name.text;
    if (!is_node_name(name.text)) {
      return at({"nodes", &name}, ": " + describe(name) +
                                      " is no name of a node: a letter, then letters, digits and "
                                      "_; at most 64");
    }
    const std::vector<std::string> kinds = {"agent", "tool", "conditional", "subgraph"};
    CLEVER_ASSIGN(const YamlFields node, YamlFields::of(value, fields_.file(), path, kinds, {}));
    if (value.members.size() != 1) {
      return at({path, &value}, "must be of one kind: " + base::joined(kinds));
    }
    actor_.nodes.push_back({.id = name.text});
    const auto& [kind, content] = value.members.front();
    names_[name.text] = {path + "." + kind.text, &content};
    return read_kind(actor_.nodes.back(), kind.text, content);
  }

  base::Result<void> read_kind(GraphNode& node, const std::string& kind, const YamlValue& content) {
    const std::string path = names_.at(node.id).path;
    if (kind == "tool") return read_tool(node, path, content);
    if (kind == "conditional") return read_conditional(node, path, content);
    node.kind = kind == "agent" ? NodeKind::kAgent : NodeKind::kSubgraph;
    return read_worker(node, path, content);
  }

  base::Result<void> read_worker(GraphNode& node, const std::string& path,
                                 const YamlValue& content) {
    const bool is_subgraph = node.kind == NodeKind::kSubgraph;
    CLEVER_ASSIGN(const YamlFields worker,
                  YamlFields::of(content, fields_.file(), path, {"actor", "task", "arguments"},
                                 is_subgraph ? std::vector<std::string>{"actor"}
                                             : std::vector<std::string>{}));
    node.actor = "local/task";
    CLEVER_TRY(worker.text("actor", node.actor));
    auto name = qualified_name(node.actor);
    if (!name.ok()) {
      return worker.error("actor", *worker.find("actor"), ": " + name.error().message());
    }
    node.actor = std::move(*name);
    CLEVER_TRY(worker.text("task", node.task));
    CLEVER_TRY(check_text(worker, "task"));
    return read_arguments(worker, node);
  }

  base::Result<void> read_arguments(const YamlFields& worker, GraphNode& node) {
    const YamlValue* given = worker.find("arguments");
    if (given == nullptr) return {};
    if (!given->is(YamlKind::kMapping)) {
      return worker.wrong("arguments", *given, "a mapping such as {file: src/a.py}");
    }
    for (const auto& [name, value] : given->members) {
      const std::string path = worker.path_of("arguments") + "." + name.text;
      if (!value.is(YamlKind::kScalar) && !value.is(YamlKind::kNull)) {
        return at({path, &value}, "is " + describe(value) + ", but must be a text");
      }
      CLEVER_TRY(check_variables_at({path, &value}));
      node.arguments[name.text] = value.text;
    }
    return {};
  }

  base::Result<void> read_tool(GraphNode& node, const std::string& path, const YamlValue& content) {
    node.kind = NodeKind::kTool;
    CLEVER_ASSIGN(const YamlFields tool,
                  YamlFields::of(content, fields_.file(), path, {"steps"}, {"steps"}));
    const YamlValue& steps = *tool.find("steps");
    if (!steps.is(YamlKind::kList) || steps.items.empty() || steps.items.size() > kMostSteps) {
      return tool.wrong("steps", steps, "a list of 1 to 1000 steps such as [{command: make}]");
    }
    const StepRules rules{.file = fields_.file(), .arguments = names_of(actor_.arguments)};
    for (std::size_t i = 0; i < steps.items.size(); ++i) {
      const std::string place = path + ".steps[" + std::to_string(i + 1) + "]";
      CLEVER_ASSIGN(ToolActorStep step, read_step(steps.items[i], place, rules));
      node.steps.push_back(std::move(step));
    }
    return {};
  }

  base::Result<void> read_conditional(GraphNode& node, const std::string& path,
                                      const YamlValue& content) {
    node.kind = NodeKind::kConditional;
    CLEVER_ASSIGN(
        const YamlFields fields,
        YamlFields::of(content, fields_.file(), path, {"when", "then", "else"}, {"when", "then"}));
    return fields.text("when", node.when);
  }

  base::Result<void> check_text(const YamlFields& fields, std::string_view key) const {
    const YamlValue* value = fields.find(key);
    if (value == nullptr) return {};
    return check_variables_at({fields.path_of(key), value});
  }
  [[nodiscard]] base::Result<void> check_variables_at(const Place& place) const {
    auto checked = check_variables(place.value->text, known_);
    if (!checked.ok()) return at(place, ": " + checked.error().message());
    return {};
  }

  // ---- ways -------------------------------------------------------------------------------------

  // Called once all nodes are known.
  base::Result<void> read_branches() {
    for (GraphNode& node : actor_.nodes) {
      if (node.kind != NodeKind::kConditional) continue;
      const Place& place = names_.at(node.id);
      CLEVER_ASSIGN(
          const YamlFields fields,
          YamlFields::of(*place.value, fields_.file(), place.path, {"when", "then", "else"}, {}));
      CLEVER_TRY(read_names(fields, "then", node.then));
      CLEVER_TRY(read_names(fields, "else", node.otherwise));
    }
    return {};
  }

  base::Result<void> read_edges() {
    const YamlValue* edges = fields_.find("edges");
    if (edges == nullptr) return {};
    if (!edges->is(YamlKind::kList) || edges->items.size() > kMostEdges) {
      return fields_.wrong("edges", *edges, "a list such as [{from: build, to: test}]");
    }
    for (std::size_t i = 0; i < edges->items.size(); ++i) {
      CLEVER_TRY(read_edge(edges->items[i], "edges[" + std::to_string(i + 1) + "]"));
    }
    return {};
  }

  base::Result<void> read_edge(const YamlValue& value, const std::string& path) {
    CLEVER_ASSIGN(const YamlFields fields, YamlFields::of(value, fields_.file(), path,
                                                          {"from", "to", "when"}, {"from", "to"}));
    GraphEdge edge;
    CLEVER_TRY(read_name(fields, "from", edge.from));
    CLEVER_TRY(read_name(fields, "to", edge.to));
    CLEVER_TRY(fields.text("when", edge.when));
    const bool twice = std::ranges::any_of(actor_.edges, [&](const GraphEdge& other) {
      return other.from == edge.from && other.to == edge.to;
    });
    if (twice) {
      return at({path, &value}, "leads from " + edge.from + " to " + edge.to +
                                    ", as another edge does; join their conditions by or");
    }
    if (node(edge.from).kind == NodeKind::kConditional) {
      return fields.error(
          "from", *fields.find("from"),
          "is the conditional node " + edge.from + "; name what follows it in its then or else");
    }
    actor_.edges.push_back(std::move(edge));
    edge_places_.push_back({path + ".when", fields.has("when") ? fields.find("when") : &value});
    return {};
  }

  base::Result<void> read_name(const YamlFields& fields, std::string_view key, std::string& into) {
    CLEVER_TRY(fields.text(key, into));
    return check_name({fields.path_of(key), fields.find(key)});
  }
  base::Result<void> read_names(const YamlFields& fields, std::string_view key,
                                std::vector<std::string>& into) {
    const YamlValue* value = fields.find(key);
    if (value == nullptr) return {};
    if (value->is(YamlKind::kList)) {
      CLEVER_TRY(fields.texts(key, into));
      for (const YamlValue& item : value->items) {
        CLEVER_TRY(check_name({fields.path_of(key), &item}));
      }
      return {};
    }
    into.emplace_back();
    return read_name(fields, key, into.back());
  }
  [[nodiscard]] base::Result<void> check_name(const Place& place) const {
    if (names_.contains(place.value->text)) return {};
    std::vector<std::string> known;
    for (const GraphNode& each : actor_.nodes) known.push_back(each.id);
    return at(place, ": " + model::unknown_word("node", *place.value, known));
  }
  base::Result<void> read_ends(std::string_view key, std::vector<std::string>& into) {
    return read_names(fields_, key, into);
  }

  // ---- shape ------------------------------------------------------------------------------------

  [[nodiscard]] const GraphNode& node(const std::string& id) const {
    return *std::ranges::find(actor_.nodes, id, &GraphNode::id);
  }

  [[nodiscard]] base::Result<void> check_cycle(const GraphShape& shape) const {
    const std::vector<std::size_t> cycle = shape.cycle();
    if (cycle.empty()) return {};
    std::string way;
    for (const std::size_t one : cycle) {
      way.append(way.empty() ? "" : " → ").append(actor_.nodes[one].id);
    }
    const std::string& first = actor_.nodes[cycle.front()].id;
    return at(
        {"nodes." + first, names_.at(first).value},
        "is part of a cycle: " + way +
            "; work goes forward only, also over conditional edges: remove one of these ways");
  }

  void add_implied_ends(const GraphShape& shape) {
    const bool all_entries = actor_.entries.empty();
    const bool all_exits = actor_.exits.empty();
    for (std::size_t i = 0; i < actor_.nodes.size(); ++i) {
      if (all_entries && shape.before(i).empty()) actor_.entries.push_back(actor_.nodes[i].id);
      if (all_exits && shape.after(i).empty()) actor_.exits.push_back(actor_.nodes[i].id);
    }
  }

  [[nodiscard]] base::Error wrong_entry(const std::string& entry, const std::string& from) const {
    return fields_.error("entry", *fields_.find("entry"),
                         ": work begins with " + entry + ", but " + from +
                             " leads to it; an entry has nothing before it");
  }

  [[nodiscard]] base::Result<void> check_entries(const GraphShape& shape) const {
    for (const std::string& entry : actor_.entries) {
      if (shape.before(shape.place(entry)).empty()) continue;
      const std::string& from = actor_.nodes[shape.before(shape.place(entry)).front()].id;
      return wrong_entry(entry, from);
    }
    return {};
  }

  [[nodiscard]] base::Result<void> check_reachable(const GraphShape& shape) const {
    const std::vector<bool> reachable = shape.reachable();
    for (const std::string& exit : actor_.exits) {
      if (reachable[shape.place(exit)] || !fields_.has("exits")) continue;
      return fields_.error("exits", *fields_.find("exits"),
                           ": nothing leads from the entry (" + base::joined(actor_.entries) +
                               ") to the exit " + exit + "; add an edge, or remove it");
    }
    for (std::size_t i = 0; i < actor_.nodes.size(); ++i) {
      if (reachable[i]) continue;
      const std::string& id = actor_.nodes[i].id;
      return at({"nodes." + id, names_.at(id).value},
                "cannot be reached from the entry (" + base::joined(actor_.entries) +
                    "); add an edge that leads to it, or remove it");
    }
    return {};
  }

  // ---- conditions -------------------------------------------------------------------------------

  [[nodiscard]] base::Result<void> check_conditions(const GraphShape& shape) const {
    for (std::size_t i = 0; i < actor_.edges.size(); ++i) {
      const GraphEdge& edge = actor_.edges[i];
      if (edge.when.empty()) continue;
      const std::size_t from = shape.place(edge.from);
      std::vector<bool> known = shape.ancestors(from);
      known[from] = true;
      CLEVER_TRY(check_condition(edge_places_[i], edge.when, known, shape));
    }
    for (const GraphNode& each : actor_.nodes) {
      if (each.kind != NodeKind::kConditional) continue;
      const Place& place = names_.at(each.id);
      CLEVER_TRY(check_condition({place.path + ".when", place.value}, each.when,
                                 shape.ancestors(shape.place(each.id)), shape));
    }
    return {};
  }

  [[nodiscard]] base::Result<void> check_condition(const Place& place, const std::string& text,
                                                   const std::vector<bool>& known,
                                                   const GraphShape& shape) const {
    const auto expression = plan::Expression::parse(text);
    if (!expression.ok()) return at(place, ": " + expression.error().message());
    for (const plan::ExpressionName& name : expression->names()) {
      auto checked = name.of == "args"    ? check_argument(name)
                     : name.of == "steps" ? check_step(name, known, shape)
                                          : base::Result<void>();
      if (!checked.ok()) {
        return at(place,
                  ": column " + std::to_string(name.column) + ": " + checked.error().message());
      }
    }
    return {};
  }
  [[nodiscard]] base::Result<void> check_argument(const plan::ExpressionName& name) const {
    if (std::ranges::find(known_, name.id) != known_.end()) return {};
    const YamlValue word{.kind = YamlKind::kScalar, .text = name.id};
    return base::invalid_argument(model::unknown_word("argument", word, known_));
  }
  [[nodiscard]] base::Result<void> check_step(const plan::ExpressionName& name,
                                              const std::vector<bool>& known,
                                              const GraphShape& shape) const {
    std::vector<std::string> before;
    for (std::size_t i = 0; i < known.size(); ++i) {
      const bool works = actor_.nodes[i].kind != NodeKind::kConditional;
      if (known[i] && works) before.push_back(actor_.nodes[i].id);
    }
    if (std::ranges::find(before, name.id) != before.end()) return {};
    if (names_.contains(name.id) && node(name.id).kind == NodeKind::kConditional) {
      return base::invalid_argument(name.id +
                                    " is a conditional node, which does nothing itself; ask about "
                                    "a node before it");
    }
    if (names_.contains(name.id) && !known[shape.place(name.id)]) {
      return base::invalid_argument(name.id +
                                    " need not have ended when this is decided; it may ask about " +
                                    (before.empty() ? "no node here" : base::joined(before)));
    }
    const YamlValue word{.kind = YamlKind::kScalar, .text = name.id};
    return base::invalid_argument(model::unknown_word("node", word, before));
  }

  const YamlFields& fields_;
  Actor& actor_;
  std::vector<std::string> known_;
  std::map<std::string, Place> names_;
  std::vector<Place> edge_places_;
};

}  // namespace

base::Result<void> read_graph(const YamlFields& fields, Actor& actor) {
  return GraphReader(fields, actor).read();
}

}  // namespace clever::engine::internal
