#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/actor/graph_actor.h"
#include "engine/actor/tool_actor.h"

namespace clever::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kHead =
    "name: g\ntype: graph\narguments: [{name: mode, default: fast}]\n";

// `rest` begins in line 4.
base::Result<Actor> graph(std::string_view rest) {
  return actor_from_yaml(std::string(kHead) + std::string(rest), "g.yaml");
}
std::string graph_error(std::string_view rest) {
  const auto actor = graph(rest);
  return actor.ok() ? "no error" : actor.error().message();
}

constexpr std::string_view kRelease = R"(nodes:
  build: {tool: {steps: [{command: make}]}}
  review: {agent: {actor: reviewer, task: "Review ${project} in ${mode}", arguments: {depth: "2"}}}
  clean: {conditional: {when: 'steps.review.files == 0', then: ship, else: [fix]}}
  fix: {agent: {task: Fix what was found}}
  ship: {subgraph: {actor: team/ship}}
edges:
- {from: build, to: review, when: 'args.mode != "fast"'}
- {from: review, to: clean}
- {from: fix, to: ship}
entry: build
exits: [ship]
)";

TEST(GraphFromYaml, NodesOfEveryKind) {
  const Actor actor = graph(kRelease).value();
  EXPECT_EQ(actor.type, ActorType::kGraph);
  ASSERT_EQ(actor.nodes.size(), 5U);
  EXPECT_EQ(actor.nodes[0].kind, GraphNode::Kind::kTool);
  EXPECT_EQ(actor.nodes[0].steps.at(0).kind, "command");
  EXPECT_EQ(actor.nodes[1].actor, "local/reviewer");
  EXPECT_EQ(actor.nodes[1].arguments.at("depth"), "2");
  EXPECT_THAT(actor.nodes[2].then, ElementsAre("ship"));
  EXPECT_THAT(actor.nodes[2].otherwise, ElementsAre("fix"));
  EXPECT_EQ(actor.nodes[3].actor, "local/task");
  EXPECT_EQ(actor.nodes[4].kind, GraphNode::Kind::kSubgraph);
  EXPECT_THAT(actor.entries, ElementsAre("build"));
  EXPECT_EQ(actor.edges[0].when, "args.mode != \"fast\"");
}

TEST(GraphFromYaml, EntriesAndExitsFollowFromTheEdges) {
  const Actor actor =
      graph(
          "nodes: {a: {agent: {task: t}}, b: {agent: {task: t}}, c: {agent: {task: t}}}\n"
          "edges: [{from: a, to: c}, {from: b, to: c}]\n")
          .value();
  EXPECT_THAT(actor.entries, ElementsAre("a", "b"));
  EXPECT_THAT(actor.exits, ElementsAre("c"));
}

// Three agents a, b, c and whatever else.
std::string with_nodes(std::string_view rest) {
  return "nodes:\n  a: {agent: {task: t}}\n  b: {agent: {task: t}}\n  c: {agent: {task: t}}\n" +
         std::string(rest);
}

TEST(GraphFromYaml, ACycleIsShownWithItsNodes) {
  EXPECT_EQ(graph_error(with_nodes("edges:\n- {from: a, to: b}\n- {from: b, to: c}\n"
                                   "- {from: c, to: b, when: 'false'}\n")),
            "g.yaml:6: nodes.b is part of a cycle: b → c → b; work goes forward only, also over "
            "conditional edges: remove one of these ways");
  EXPECT_THAT(graph_error(with_nodes("edges: [{from: a, to: a}]\n")), HasSubstr("a → a"));
}

TEST(GraphFromYaml, ACycleThroughAConditionalNodeIsOne) {
  EXPECT_THAT(
      graph_error("nodes:\n  a: {agent: {task: t}}\n  c: {conditional: {when: 'true', then: a}}\n"
                  "edges: [{from: a, to: c}]\n"),
      HasSubstr("a → c → a"));
}

TEST(GraphFromYaml, UnknownNodesAreNamedWithTheNearest) {
  EXPECT_EQ(
      graph_error("nodes:\n  build: {agent: {task: t}}\nedges:\n- {from: build, to: buidl}\n"),
      "g.yaml:7: edges[1].to: there is no node \"buidl\"; did you mean \"build\"? Known: build");
  EXPECT_THAT(graph_error(with_nodes("entry: x\n")),
              HasSubstr("g.yaml:8: entry: there is no node"));
  EXPECT_THAT(graph_error(with_nodes("exits: [a, x]\n")),
              HasSubstr("exits: there is no node \"x\""));
  EXPECT_THAT(graph_error("nodes:\n  c: {conditional: {when: 'true', then: x}}\n"),
              HasSubstr("g.yaml:5: nodes.c.conditional.then: there is no node"));
}

TEST(GraphFromYaml, WhatCannotBeReachedIsAMistake) {
  EXPECT_THAT(graph_error(with_nodes("edges: [{from: a, to: b}]\nentry: a\n")),
              HasSubstr("g.yaml:7: nodes.c cannot be reached from the entry (a)"));
  EXPECT_THAT(graph_error(with_nodes("edges: [{from: a, to: b}]\nentry: a\nexits: c\n")),
              HasSubstr("exits: nothing leads from the entry (a) to the exit c"));
  EXPECT_THAT(graph_error(with_nodes("edges: [{from: a, to: b}, {from: b, to: c}]\nentry: b\n")),
              HasSubstr("work begins with b, but a leads to it"));
}

TEST(GraphFromYaml, ExpressionsAreCheckedWhereTheyStand) {
  const auto of_edge = [](const std::string& when) {
    return graph_error(
        with_nodes("edges:\n- {from: a, to: b, when: '" + when + "'}\n- {from: b, to: c}\n"));
  };
  EXPECT_EQ(of_edge("1 <"),
            "g.yaml:9: edges[1].when: column 4: a value is missing before the end; write a name "
            "such as args.x, a number, a text in quotes, true or false");
  EXPECT_THAT(of_edge("args.mod == \"x\""), HasSubstr("column 1: there is no argument \"mod\""));
  EXPECT_THAT(
      of_edge("true and steps.c.files > 0"),
      HasSubstr("column 10: c need not have ended when this is decided; it may ask about a"));
  EXPECT_THAT(of_edge("steps.x.files > 0"), HasSubstr("there is no node \"x\""));
  EXPECT_EQ(of_edge("steps.a.files > 0 and args.project != \"\""), "no error");
  EXPECT_THAT(graph_error("nodes:\n  c: {conditional: {when: 'steps.a.files', then: a}}\n"
                          "  a: {agent: {task: t}}\n"),
              HasSubstr("g.yaml:5: nodes.c.conditional.when: column 1: a need not have ended"));
  EXPECT_THAT(graph_error("nodes:\n  c: {conditional: {when: 'true', then: a}}\n"
                          "  a: {agent: {task: t}}\n  b: {agent: {task: t}}\n"
                          "edges: [{from: a, to: b, when: 'steps.c.state == \"done\"'}]\n"),
              HasSubstr("c is a conditional node, which does nothing itself"));
}

TEST(GraphFromYaml, EdgesLeadOnceAndNotFromConditionalNodes) {
  EXPECT_THAT(graph_error(with_nodes("edges:\n- {from: a, to: b}\n- {from: a, to: b}\n")),
              HasSubstr("g.yaml:10: edges[2] leads from a to b, as another edge does"));
  EXPECT_THAT(graph_error("nodes:\n  c: {conditional: {when: 'true', then: a}}\n"
                          "  a: {agent: {task: t}}\nedges: [{from: c, to: a}]\n"),
              HasSubstr("name what follows it in its then or else"));
}

TEST(GraphFromYaml, MistakesInNodesSayWhere) {
  EXPECT_THAT(graph_error(""), HasSubstr("g.yaml:2: nodes is missing"));
  EXPECT_THAT(graph_error("nodes: []\n"), HasSubstr("a mapping of 1 to 500 nodes"));
  EXPECT_THAT(graph_error("nodes: {a-b: {agent: {task: t}}}\n"), HasSubstr("is no name of a node"));
  EXPECT_THAT(graph_error("nodes: {a: {agent: {task: t}, tool: {steps: []}}}\n"),
              HasSubstr("nodes.a must be of one kind: agent, tool, conditional, subgraph"));
  EXPECT_THAT(graph_error("nodes: {a: {agnet: {task: t}}}\n"),
              HasSubstr("nodes.a: there is no key"));
  EXPECT_THAT(graph_error("nodes: {a: {agent: {task: '${mood}'}}}\n"),
              HasSubstr("nodes.a.agent.task: there is no variable"));
  EXPECT_THAT(graph_error("nodes: {a: {agent: {arguments: [x]}}}\n"),
              HasSubstr("a mapping such as"));
  EXPECT_THAT(graph_error("nodes: {a: {agent: {arguments: {x: [y]}}}}\n"),
              HasSubstr("nodes.a.agent.arguments.x is a list, but must be a text"));
  EXPECT_THAT(graph_error("nodes: {a: {agent: {arguments: {x: '${y}'}}}}\n"),
              HasSubstr("nodes.a.agent.arguments.x: there is no variable"));
  EXPECT_THAT(graph_error("nodes: {a: {agent: {actor: A/b}}}\n"),
              HasSubstr("nodes.a.agent.actor: "));
  EXPECT_THAT(graph_error("nodes: {a: {subgraph: {}}}\n"), HasSubstr("\"actor\" is missing"));
  EXPECT_THAT(graph_error("nodes: {a: {tool: {steps: []}}}\n"),
              HasSubstr("a list of 1 to 1000 steps"));
  EXPECT_THAT(graph_error("nodes: {a: {tool: {steps: [{relpace: x}]}}}\n"),
              HasSubstr("nodes.a.tool.steps[1]"));
  EXPECT_THAT(graph_error("nodes: {a: {conditional: {then: a}}}\n"),
              HasSubstr("\"when\" is missing"));
  EXPECT_THAT(graph_error(with_nodes("edges: {a: b}\n")), HasSubstr("edges is"));
  EXPECT_THAT(graph_error(with_nodes("edges: [{from: a}]\n")), HasSubstr("\"to\" is missing"));
  EXPECT_THAT(graph_error("nodes: {a: {agent: {task: t}}}\nsystem: x\n"),
              HasSubstr("system belongs to an actor of type llm"));
}

// ---- from a graph to a strategy ----------------------------------------------------------------

model::Strategy strategy_of(std::string_view rest) {
  return graph_strategy(graph(rest).value(), {{"mode", "slow"}, {"project", "p"}}).value();
}

TEST(GraphStrategy, ASubplanForEachNodeThatWorks) {
  const model::Strategy strategy = strategy_of(kRelease);
  ASSERT_EQ(strategy.steps.size(), 4U);
  EXPECT_TRUE(strategy.check().ok()) << strategy.check().error().message();
  const auto& [build, review, fix, ship] =
      std::tie(strategy.steps[0], strategy.steps[1], strategy.steps[2], strategy.steps[3]);
  EXPECT_EQ(build.id, "build");
  EXPECT_EQ(build.actor, "local/g#build");
  EXPECT_EQ(build.arguments.at("mode"), "slow");
  EXPECT_EQ(build.when, "");
  EXPECT_EQ(build.mode, model::StepMode::kSubplan);
  EXPECT_EQ(review.title, "Review p in slow");
  EXPECT_EQ(review.arguments,
            (std::map<std::string, std::string>{{"depth", "2"}, {"project", "p"}}));
  EXPECT_EQ(review.when, "(steps.build.state == \"done\") and (args.mode != \"fast\")");
  EXPECT_THAT(*fix.depends_on, ElementsAre("review"));
  EXPECT_EQ(fix.when, "(steps.review.state == \"done\") and (not (steps.review.files == 0))");
  EXPECT_EQ(ship.id, "ship");
  EXPECT_EQ(ship.actor, "team/ship");
  EXPECT_THAT(*ship.depends_on, testing::UnorderedElementsAre("fix", "review"));
  EXPECT_EQ(ship.when,
            "(steps.fix.state == \"done\") or ((steps.review.state == \"done\") and "
            "(steps.review.files == 0))");
}

TEST(GraphStrategy, WithoutConditionsADependencyIsEnough) {
  const auto strategy = strategy_of(with_nodes("edges: [{from: a, to: c}, {from: b, to: c}]\n"));
  EXPECT_EQ(strategy.steps[2].when, "");
  EXPECT_THAT(*strategy.steps[2].depends_on, ElementsAre("a", "b"));
}

TEST(GraphStrategy, AConditionalNodeAtTheBeginning) {
  const auto strategy = strategy_of(
      "nodes:\n  which: {conditional: {when: 'args.mode == \"slow\"', then: a, else: b}}\n"
      "  a: {agent: {task: t}}\n  b: {agent: {task: t}}\nedges: [{from: a, to: b}]\n");
  EXPECT_EQ(strategy.steps[0].when, "args.mode == \"slow\"");
  EXPECT_TRUE(strategy.steps[0].depends_on->empty());
  EXPECT_EQ(strategy.steps[1].when, "(not (args.mode == \"slow\")) or (steps.a.state == \"done\")");
}

TEST(GraphStrategy, TooManyWaysThroughConditionalNodesAreRefused) {
  std::string nodes = "nodes:\n  end: {agent: {task: t}}\n";
  std::string edges = "edges:\n";
  nodes += "  all: {conditional: {when: 'true', then: end}}\n";
  for (int i = 0; i < 80; ++i) {
    const std::string id = "n" + std::to_string(i);
    nodes += "  " + id + ": {agent: {task: t}}\n";
    edges += "- {from: " + id + ", to: all}\n";
  }
  const auto strategy = graph_strategy(graph(nodes + edges).value(), {});
  ASSERT_FALSE(strategy.ok());
  EXPECT_THAT(strategy.error().message(), HasSubstr("g.yaml: nodes.all: more than 64 ways"));
}

TEST(GraphStrategy, ConditionsThatAreTooMuchTogetherAreRefused) {
  const std::string when = "args.mode == \"" + std::string(4100, 'x') + "\"";
  const auto strategy = graph_strategy(
      graph(
          "nodes:\n  a: {agent: {task: t}}\n  b: {agent: {task: t}}\n  c: {conditional: {when: '" +
          when +
          "', then: end}}\n  end: {agent: {task: t}}\n"
          "edges: [{from: a, to: c}, {from: b, to: c}, {from: a, to: b}]\n")
          .value(),
      {});
  ASSERT_FALSE(strategy.ok());
  EXPECT_THAT(strategy.error().message(), HasSubstr("are too many"));
}

}  // namespace
}  // namespace clever::engine
