#include "service/demo/demo_report.h"

#include <string_view>

namespace clever::service {
namespace {

using Check = Checks::Check;

constexpr std::size_t kShownDigest = 12;

std::string of(std::int64_t some, std::int64_t all) {
  return std::to_string(some) + " of " + std::to_string(all);
}

std::int64_t test_count(const DemoTests& tests) { return tests.passed + tests.failed; }

Check kill_check(const DemoOutcome& outcome) {
  if (!outcome.kill) {
    return {
        "kill -9", Verdict::kWarn, "the plan was finished before its worker could be killed", {}};
  }
  return {"kill -9",
          Verdict::kOk,
          "process " + std::to_string(outcome.kill->process) + " died when " +
              of(outcome.kill->steps_done, outcome.kill->steps) + " subplans were done",
          {}};
}

Check answers_check(const DemoOutcome& outcome) {
  const auto& calm = outcome.undisturbed;
  std::string detail = std::to_string(outcome.answers) + " answers of the " +
                       (outcome.live ? "model" : "script") + " are in the journal";
  if (!calm) return {"resume", Verdict::kOk, std::move(detail), {}};
  const bool same = calm->answers == outcome.answers;
  detail += same ? ", as many as without the kill"
                 : "; without the kill " + std::to_string(calm->answers);
  return {"resume", same ? Verdict::kOk : Verdict::kFail, std::move(detail), {}};
}

Check tree_check(const DemoOutcome& outcome) {
  const std::string tree = outcome.plan.tree.substr(0, kShownDigest);
  if (!outcome.undisturbed) {
    return {"same tree",
            Verdict::kWarn,
            "a model never says the same twice: without --live two runs are compared",
            {}};
  }
  const std::string calm = outcome.undisturbed->tree.substr(0, kShownDigest);
  if (outcome.same_as_undisturbed()) {
    return {"same tree", Verdict::kOk, tree + ", same as the undisturbed run", {}};
  }
  return {"same tree", Verdict::kFail, tree + "; undisturbed run: " + calm, {}};
}

Check demo_tests_check(const DemoOutcome& outcome) {
  const bool green = outcome.tests_after.failed == 0;
  return {"tests",
          green ? Verdict::kOk : (outcome.live ? Verdict::kWarn : Verdict::kFail),
          of(outcome.tests_before.passed, test_count(outcome.tests_before)) + " before, " +
              of(outcome.tests_after.passed, test_count(outcome.tests_after)) + " after",
          {}};
}

std::vector<Check> demo_checks(const DemoOutcome& outcome) {
  const std::string subplans = std::to_string(outcome.plan.steps.size());
  return {{"plan",
           Verdict::kOk,
           outcome.plan.id.to_string() + ": " + subplans + " subplans at once, each in a sandbox",
           {}},
          kill_check(outcome),
          answers_check(outcome),
          tree_check(outcome),
          {"apply", Verdict::kOk, "commit " + outcome.commit + ", all files or none", {}},
          demo_tests_check(outcome)};
}

bool any_failed(const std::vector<Check>& checks) {
  for (const Check& check : checks) {
    if (check.verdict == Verdict::kFail) return true;
  }
  return false;
}

Document tests_document(const DemoTests& tests) {
  return Document::map().set("passed", tests.passed).set("failed", tests.failed);
}

Document demo_data(const DemoOutcome& outcome, const std::vector<std::string>& next) {
  Document data =
      Document::map()
          .set("scripted", !outcome.live)
          .set("plan_id", outcome.plan.id.to_string())
          .set("subplans", outcome.plan.steps.size())
          .set("project", outcome.kept ? Document(outcome.project.string()) : Document())
          .set("answers", outcome.answers);
  data.set("killed", outcome.kill ? Document::map()
                                        .set("process", outcome.kill->process)
                                        .set("subplans_done", outcome.kill->steps_done)
                                  : Document());
  data.set("tree", outcome.plan.tree).set("digest", outcome.digest());
  data.set("undisturbed", outcome.undisturbed ? Document::map()
                                                    .set("tree", outcome.undisturbed->tree)
                                                    .set("digest", outcome.undisturbed->digest)
                                                    .set("answers", outcome.undisturbed->answers)
                                                    .set("same", outcome.same_as_undisturbed())
                                              : Document());
  data.set("commit", outcome.commit)
      .set("tests", Document::map()
                        .set("before", tests_document(outcome.tests_before))
                        .set("after", tests_document(outcome.tests_after)))
      .set("duration_ms", outcome.duration_ms);
  Document steps = Document::list();
  for (const std::string& step : next) steps.push(step);
  data.set("next_steps", std::move(steps));
  return data;
}

std::vector<std::string> next_steps_after(const DemoOutcome& outcome) {
  std::vector<std::string> next;
  if (outcome.kept) {
    // The plans' home is beside the project.
    next.push_back("CLEVERAGENTS_HOME=" + (outcome.project.parent_path() / "home").string() +
                   " agents plan tree -C " + outcome.project.string());
  } else if (!outcome.live) {
    next.emplace_back("agents demo --live");
  }
  next.emplace_back("agents init");
  next.emplace_back("agents run \"Add a test for the function you trust least\"");
  next.emplace_back("agents run --actor local/codemod --arg find=OLD --arg replace=NEW");
  return next;
}

Prose demo_next_prose(const std::vector<std::string>& next) {
  Prose prose{{{{"Next:", Tone::kStrong}}}};
  for (const std::string& step : next) prose.lines.push_back({{"  " + step, Tone::kAccent}});
  return prose;
}

Line said_first(const DemoOutcome& outcome) {
  if (outcome.live) return {{"The answers came from your model.", Tone::kDim}};
  return {{"No model was called: the answers came from a script.", Tone::kDim}};
}

}  // namespace

std::vector<Line> short_diff(const std::string& diff) {
  std::vector<Line> lines;
  std::string_view rest = diff;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.starts_with("+++ b/")) {
      lines.push_back({{line.substr(6), Tone::kStrong}});
    } else if (line.starts_with("+++") || line.starts_with("---")) {
      continue;
    } else if (line.starts_with('+')) {
      lines.push_back({{line, Tone::kGood}});
    } else if (line.starts_with('-')) {
      lines.push_back({{line, Tone::kBad}});
    }
  }
  return lines;
}

Report demo_report(const DemoOutcome& outcome) {
  const std::vector<Check> checks = demo_checks(outcome);
  const std::vector<std::string> next = next_steps_after(outcome);
  Report report;
  report.data = demo_data(outcome, next);
  report.view = {Prose{{said_first(outcome)}}, Checks{"demo", checks},
                 Prose{short_diff(outcome.diff)}, demo_next_prose(next)};
  if (outcome.kept) {
    report.messages.push_back({Message::Level::kNote, "kept: " + outcome.project.string()});
  }
  if (any_failed(checks)) {
    report.status = Status::kError;
    report.exit_code = ExitCode::kError;
    report.messages.push_back(
        {Message::Level::kError, "the demo did not go as it should; the lines above say where"});
  }
  return report;
}

}  // namespace clever::service
