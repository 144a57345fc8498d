// The fuzzers' promises on mutations of good texts, in every run.
#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/testing/exercise_yaml.h"
#include "support/campaign.h"
#include "support/mutated.h"

namespace clever::engine {
namespace {

constexpr std::string_view kActor =
    "name: a\ntype: tool\narguments: [{name: x, default: y}]\nsplit: {glob: '*.c', contains: "
    "'${x}', into: 2}\nsteps:\n- replace: {find: '(${x}) a', replace: \"$1 ${x}\", regex: true}\n"
    "- command: [a, '${paths}']\n- delete: '${path}'\n";
constexpr std::string_view kAction =
    "name: a\ndescription: Do ${x}.\ndefinition_of_done: done\narguments: [{name: x, default: b}]\n"
    "invariants: [a ${x}]\nautomation_profile: ci\nread_only: true\n";

TEST(YamlMutation, Actors) {
  internal::exercise_actor(kActor);
  base::SeededRandom random(1);
  const std::size_t runs = test::campaign(1000, 100'000);
  for (std::size_t i = 0; i < runs; ++i)
    internal::exercise_actor(test::mutated(kActor, test::kYamlBytes, random));
}

TEST(YamlMutation, Actions) {
  internal::exercise_action(kAction);
  base::SeededRandom random(2);
  const std::size_t runs = test::campaign(1000, 100'000);
  for (std::size_t i = 0; i < runs; ++i)
    internal::exercise_action(test::mutated(kAction, test::kYamlBytes, random));
}

TEST(YamlMutation, Titles) {
  base::SeededRandom random(3);
  const std::size_t runs = test::campaign(1000, 100'000);
  for (std::size_t i = 0; i < runs; ++i)
    internal::exercise_title(test::mutated(kAction, test::kYamlBytes, random));
}

}  // namespace
}  // namespace clever::engine
