#include "service/plan/audit_trail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/plan_story.h"

namespace clever::service {
namespace {

using plan::Answered;
using plan::EffectKind;
using test::PlanStory;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// "what | subject | detail" of each line.
std::vector<std::string> lines_of(const PlanStory& story, bool has_bodies = true) {
  const MessageOf message = [&](const base::Sha256Digest& hash) -> std::optional<model::Message> {
    const auto found = story.bodies.find(hash);
    if (!has_bodies || found == story.bodies.end()) return std::nullopt;
    return model::messages_from_json(found->second).value().front();
  };
  std::vector<std::string> lines;
  for (const AuditEntry& entry : audit_trail(story.journal, message).value()) {
    EXPECT_EQ(entry.plan, story.state.id);
    EXPECT_EQ(entry.time, story.journal.at(static_cast<std::size_t>(entry.sequence) - 1).time);
    lines.push_back(entry.what + " | " + entry.subject + " | " + entry.detail);
  }
  return lines;
}

/// A direct plan whose model made calls on which there are these verdicts.
PlanStory calling(const std::vector<plan::CallVerdict>& verdicts) {
  PlanStory story;
  story.direct();
  Answered answered = story.calling(std::vector<std::string>(verdicts.size(), "run_command"));
  answered.verdicts = verdicts;
  story.must(answered);
  return story;
}

plan::CallVerdict asks(const std::string& shown) {
  return {.verdict = model::Verdict::kAsk, .shown = shown, .why = "a rule"};
}

TEST(AuditTrail, OfAPlanThatAskedNothingIsEmpty) {
  PlanStory story;
  story.direct();
  story.calls({"write_file"});
  story.ran("a");
  EXPECT_THAT(lines_of(story), IsEmpty());
}

TEST(AuditTrail, HasWhatWasAskedAndWhatWasAnswered) {
  PlanStory story = calling({asks("git push"), asks("git tag"), asks("git clean")});
  story.must(plan::Reject{.items = {"call-3"}, .reason = "keep them"});
  story.must(plan::Approve{.items = {"call-1"}});
  story.must(plan::Reject{.reason = "no tags"});
  EXPECT_THAT(lines_of(story),
              ElementsAre("asked | git push | a rule", "asked | git tag | a rule",
                          "asked | git clean | a rule", "rejected | git clean | keep them",
                          "approved | git push | ", "rejected | git tag | no tags"));
}

TEST(AuditTrail, HasWhatIsStillAsked) {
  EXPECT_THAT(lines_of(calling({asks("git push")})), ElementsAre("asked | git push | a rule"));
}

TEST(AuditTrail, HasWhatWasDeniedOnceAlthoughItIsRequestedAgain) {
  PlanStory story = calling({{.verdict = model::Verdict::kDeny, .why = "never"}, asks("git push")});
  story.must(plan::Approve{});
  EXPECT_THAT(lines_of(story), ElementsAre("denied | run_command | not run: never",
                                           "asked | git push | a rule", "approved | git push | "));
}

TEST(AuditTrail, HasWhatAHookBlocked) {
  PlanStory story;
  story.direct();
  story.calls({"write_file", "read_file"});
  model::Message results;
  results.parts.emplace_back(
      model::ToolResult{.call = "call-1",
                        .content = {model::Text{"not run: the hook guard blocked it: no"}},
                        .failed = true});
  results.parts.emplace_back(
      model::ToolResult{.call = "call-2", .content = {model::Text{"not run: the hook is fine"}}});
  story.must(plan::ToolsRan{.effect = story.open(EffectKind::kTools), .results = results});
  EXPECT_THAT(lines_of(story),
              ElementsAre("blocked | write_file | not run: the hook guard blocked it: no"));
  EXPECT_THAT(lines_of(story, /*has_bodies=*/false), IsEmpty()) << "its words are gone";
}

TEST(AuditTrail, HasInvariantsInForce) {
  PlanStory story;
  model::PlanSettings settings;
  settings.control.invariants = {{.name = "api", .text = "The public API stays."}};
  story.direct(settings);
  const auto lines = lines_of(story);
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines.front(), ::testing::StartsWith("invariant | The public API stays."));
}

TEST(AuditTrail, HasWhatWasSaidInTheMiddleAndWhatWasCorrected) {
  PlanStory story;
  model::PlanSettings settings;
  settings.profile = "manual";
  story.with_strategy(test::strategy_of({test::inline_step("a")}), settings);
  story.must(plan::Reject{.reason = "too much"});
  story.submit(test::strategy_of({test::inline_step("b")}));
  story.must(plan::Approve{});
  const model::DecisionId decision = story.state.steps.at(0).decision;
  story.must(plan::Correct{decision, model::CorrectionMode::kAppend, test::user("and more")});
  const auto lines = lines_of(story);
  EXPECT_THAT(lines, ::testing::Contains("said | no: too much | "));
  EXPECT_THAT(lines,
              ::testing::Contains("corrected | decision " + decision.to_string() + " | append"));
}

TEST(AuditTrail, HasWhatLanded) {
  PlanStory story;
  story.ready();
  const std::string digest = "digest " + story.state.changeset.digest->to_hex();
  story.must(story.apply());
  story.must(plan::ApplyCame{
      .effect = story.open(EffectKind::kApply),
      .outcome = {.digest = *story.state.changeset.digest, .reason = "a hook is against it"}});
  story.must(story.apply());
  story.must(plan::ApplyCame{.effect = story.open(EffectKind::kApply),
                             .outcome = {.digest = *story.state.changeset.digest,
                                         .applied = true,
                                         .commit = "c1",
                                         .files = {"a"}}});
  EXPECT_THAT(lines_of(story),
              ElementsAre("apply | " + digest + " | asked for",
                          "constrained | " + digest + " | a hook is against it",
                          "apply | " + digest + " | asked for", "applied | " + digest + " | c1"));
}

TEST(AuditTrail, AnEventThatCannotBeReadIsAnError) {
  const MessageOf none = [](const base::Sha256Digest&) { return std::optional<model::Message>(); };
  const auto is_read = [&](const char* kind) {
    model::StoredEvent event{.plan = {}};
    event.kind = kind;
    event.data = "no json";
    return audit_trail({event}, none).ok();
  };
  for (const char* kind :
       {"approval.requested", "approval.given", "effect.requested", "message.added",
        "decision.recorded", "plan.corrected", "apply.requested", "apply.ended"}) {
    EXPECT_FALSE(is_read(kind)) << kind;
  }
  EXPECT_TRUE(is_read("step.added"));
}

}  // namespace
}  // namespace clever::service
