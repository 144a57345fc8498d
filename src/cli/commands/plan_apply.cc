#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/plan.h"
#include "cli/commands/plan_act.h"
#include "cli/text.h"
#include "diff/tree_diff.h"

namespace clever::cli {
namespace {

constexpr std::size_t kShortestPrefix = 8;
constexpr std::size_t kLongest = 64;

base::Result<model::ApplyRequested> request_of(const Invocation& invocation) {
  model::ApplyRequested request;
  if (invocation.flag("no-commit") && invocation.flag("branch")) {
    return base::invalid_argument(
        "--no-commit leaves the files uncommitted, --branch commits them on a new branch: choose "
        "one");
  }
  if (invocation.flag("no-commit")) request.mode = "working_tree";
  if (const auto branch = invocation.value("branch")) {
    request.mode = "branch";
    request.branch = *branch;
  }
  request.message = invocation.value("message").value_or("");
  request.verify = !invocation.flag("no-verify");
  request.remerge = invocation.flag("remerge");
  return request;
}

bool is_hexadecimal(std::string_view text) {
  return text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

// --digest, checked to be one; empty if it was not given.
base::Result<std::string> typed_digest(const Invocation& invocation) {
  const auto typed = invocation.value("digest");
  if (!typed) return std::string();
  std::string digest(*typed);
  if (digest.size() < kShortestPrefix || digest.size() > kLongest || !is_hexadecimal(digest)) {
    return base::invalid_argument(
        "--digest: expected at least 8 hexadecimal digits of a digest, as `agents plan diff "
        "--format json` shows it, not " +
        in_quotes(digest));
  }
  std::ranges::transform(digest, digest.begin(), [](char c) {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return digest;
}

Document strings(const std::vector<std::string>& texts) {
  Document list = Document::list();
  for (const std::string& text : texts) list.push(text);
  return list;
}

Document document(const plan::State& state) {
  const auto& applied = state.applied;
  Document data =
      Document::map()
          .set("plan_id", state.id.to_string())
          .set("phase", to_string(state.phase))
          .set("state", to_string(state.state))
          .set("digest",
               state.changeset.digest ? Document(state.changeset.digest->to_hex()) : Document())
          .set("commit",
               applied && !applied->commit.empty() ? Document(applied->commit) : Document())
          .set("files", applied ? strings(applied->files) : Document::list())
          .set("reason", state.reason)
          .set("moved_on", applied ? strings(applied->moved_on) : Document::list());
  Document conflicts = Document::list();
  for (const auto& conflict : state.conflicts) conflicts.push(conflict.path);
  return data.set("conflicts", std::move(conflicts))
      .set("undone", state.undone)
      .set("next_steps", strings(next_steps(state)));
}

bool is_applied(const plan::State& state) {
  return state.state == model::PlanState::kApplied && state.applied && state.applied->applied;
}

Report landed(const plan::State& state) {
  Report report;
  report.data = document(state);
  const model::ApplyEnded& applied = *state.applied;
  Line first{{"applied", Tone::kGood}, {" plan " + state.id.to_string()}};
  if (!applied.commit.empty()) {
    first.push_back({" as commit "});
    first.push_back({applied.commit.substr(0, 12), Tone::kStrong});
  }
  Prose prose{{std::move(first)}};
  for (const std::string& file : applied.files) prose.lines.push_back({{"  " + file}});
  if (!applied.reason.empty()) prose.lines.push_back({{applied.reason, Tone::kDim}});
  for (const std::string& step : next_steps(state)) {
    prose.lines.push_back({{"next: ", Tone::kDim}, {step, Tone::kStrong}});
  }
  report.view = {std::move(prose)};
  return report;
}

// It did not land, and nothing was touched.
Report held_up(const plan::State& state) {
  Report report;
  report.data = document(state);
  report.status = Status::kError;
  report.exit_code = exit_code_of(state);
  if (report.exit_code == ExitCode::kOk) report.exit_code = ExitCode::kConflict;
  const std::string why =
      state.reason.empty() && state.applied ? state.applied->reason : state.reason;
  report.messages.push_back(
      {Message::Level::kError, "plan " + state.id.to_string() + " was not applied, it is in " +
                                   place_of(state) + (why.empty() ? "" : ": " + why)});
  Prose prose;
  if (state.applied) {
    for (const std::string& moved : state.applied->moved_on) {
      prose.lines.push_back({{"moved on: ", Tone::kWarn}, {moved}});
    }
  }
  for (const auto& conflict : state.conflicts) {
    prose.lines.push_back(
        {{"conflict: ", Tone::kBad}, {conflict.path + " (" + conflict.kind + ")"}});
  }
  report.view = {std::move(prose)};
  for (const std::string& step : next_steps(state)) {
    report.messages.push_back({Message::Level::kHint, "next: `" + step + "`"});
  }
  return report;
}

// What cannot be applied now, said before anybody is asked.
base::Result<void> check_ready(const plan::State& state) {
  if (state.changeset.digest) return {};
  if (state.state == model::PlanState::kCancelled) {
    return base::conflict("plan " + state.id.to_string() +
                          " was cancelled: there is nothing to apply; begin a new one with "
                          "`agents run`");
  }
  return base::conflict("plan " + state.id.to_string() + " is in " + place_of(state) +
                        (state.reason.empty() ? "" : " (" + state.reason + ")") +
                        ": there is nothing to apply yet");
}

base::Result<void> check_digest(const plan::State& state, const std::string& typed) {
  const std::string digest = state.changeset.digest->to_hex();
  if (digest.starts_with(typed)) return {};
  return base::conflict("plan " + state.id.to_string() + " has the digest " + digest + ", not " +
                        typed + ": look at it again (`agents plan diff " + state.id.to_string() +
                        "`)");
}

enum class Consent : std::uint8_t { kGiven, kDenied, kNobodyToAsk };

// Shows what would land, and asks.
base::Result<Consent> ask(const MeantPlan& plan, Context& context) {
  const Screen screen = context.screen();
  if (!screen.can_ask()) return Consent::kNobodyToAsk;
  CLEVER_ASSIGN(const auto look, PlanLook::open(plan.database, context));
  CLEVER_ASSIGN(const engine::PlanFiles files, look->files(plan.state));
  CLEVER_ASSIGN(const auto diffs,
                diff::diff_trees(*files.store, files.base, files.tree, {}, context.stop()));
  std::string shown;
  std::string stat = diff::stat(diffs, context.width());
  for (std::size_t end = 0; !stat.empty(); stat.erase(0, end + 1)) {
    end = std::min(stat.find('\n'), stat.size() - 1);
    shown += printable(stat.substr(0, end)) + "\n";
  }
  CLEVER_TRY(screen.error_output(shown));
  CLEVER_ASSIGN(const bool yes, screen.confirm("Apply plan " + plan.summary.id.to_string() + " (" +
                                                   one_line(plan.state.title, 60) + ")?",
                                               context.stop()));
  return yes ? Consent::kGiven : Consent::kDenied;
}

base::Result<Consent> consent(const MeantPlan& plan, const Invocation& invocation,
                              const std::string& typed, Context& context) {
  if (!typed.empty() || invocation.flag("yes")) return Consent::kGiven;
  return ask(plan, context);
}

Report nobody_to_ask(const MeantPlan& plan) {
  const std::string id = plan.summary.id.to_string();
  Report report = refusal(
      base::invalid_argument("applying needs your word: without a terminal that is --digest, with "
                             "what you looked at, or --yes"),
      plan);
  report.exit_code = ExitCode::kNeedsPerson;
  report.messages.back() = {Message::Level::kHint,
                            "`agents plan diff " + id + "` shows it, `agents plan apply " + id +
                                " --digest " + plan.state.changeset.digest->to_hex().substr(0, 12) +
                                "` lets it land"};
  return report;
}

Report left_alone(const MeantPlan& plan) {
  Report report;
  report.data = document(plan.state);
  report.view = {Prose{{{{"Nothing was applied."}}}}};
  report.exit_code = ExitCode::kNeedsPerson;
  return report;
}

// One request for one digest, whoever makes it; a person who tries again after it did not land
// makes a new one.
std::string key_of(const plan::State& state) {
  std::string key = "apply/" + state.changeset.digest->to_hex();
  const bool held_up = state.phase == model::Phase::kApply && !state.is_final() &&
                       state.state != model::PlanState::kProcessing;
  if (held_up) key += "/" + std::to_string(state.sequence);
  return key;
}

base::Result<Report> land(const MeantPlan& plan, model::ApplyRequested request, Context& context) {
  request.digest = *plan.state.changeset.digest;
  CLEVER_ASSIGN(const auto actor, PlanActor::open(plan, context));
  const auto sent = actor->send(key_of(plan.state), plan::Apply{std::move(request)});
  if (!sent.ok()) {
    // Somebody else asked for the same, in another way.
    const auto now = plan.database.state(plan.summary.id);
    if (now.ok() && is_applied(*now) && now->applied->digest == *plan.state.changeset.digest) {
      return landed(*now);
    }
    return refusal(sent.error(), plan);
  }
  CLEVER_ASSIGN(const plan::State state, actor->wait());
  return is_applied(state) ? landed(state) : held_up(state);
}

base::Result<Report> apply(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::string typed, typed_digest(invocation));
  CLEVER_ASSIGN(model::ApplyRequested request, request_of(invocation));
  CLEVER_ASSIGN(const MeantPlan plan, meant_plan(invocation, context));
  if (const auto ready = check_ready(plan.state); !ready.ok()) return refusal(ready.error(), plan);
  if (const auto same = check_digest(plan.state, typed); !same.ok()) {
    return refusal(same.error(), plan);
  }
  if (plan.state.undone) {
    return refusal(base::conflict("what plan " + plan.summary.id.to_string() +
                                  " applied was taken back: it cannot be applied a second time"),
                   plan);
  }
  if (is_applied(plan.state)) return landed(plan.state);
  CLEVER_ASSIGN(const Consent answer, consent(plan, invocation, typed, context));
  if (answer == Consent::kNobodyToAsk) return nobody_to_ask(plan);
  if (answer == Consent::kDenied) return left_alone(plan);
  return land(plan, std::move(request), context);
}

}  // namespace

Command plan_apply_command() {
  return {
      .name = "apply",
      .summary = "Let what a plan made land in the project",
      .description =
          "All files land, or none. What lands is exactly what was reviewed: its digest is "
          "checked, and that nobody touched the files meanwhile. At a terminal it shows what "
          "would change and asks; without one it needs --digest (at least 8 digits) or "
          "--yes. Applying the same digest again answers the same, and changes nothing.",
      .positionals = {plan_positional()},
      .options =
          {{.name = "digest", .value = "DIGEST", .summary = "Land this, as reviewed"},
           {.name = "yes", .letter = 'y', .summary = "Do not ask"},
           {.name = "no-commit", .summary = "Leave the changes uncommitted"},
           {.name = "branch",
            .value = "NAME",
            .summary = "Commit on a new branch; the working tree stays as it is"},
           {.name = "message", .letter = 'm', .value = "TEXT", .summary = "The commit's message"},
           {.name = "no-verify", .summary = "Do not run commit hooks"},
           {.name = "remerge",
            .summary = "If files moved on, merge with what is there now, and land that"},
           plan_database_option()},
      .examples = {{"agents plan apply", "Show what the newest plan changes, and ask"},
                   {"agents plan apply 01JD --digest 3f9a1c02", "What was looked at, for scripts"},
                   {"agents plan apply --yes --branch agents/fix", "On a branch of its own"}},
      .handler = apply};
}

Command apply_command() {
  Command command = plan_apply_command();
  command.description = "Short for `agents plan apply`.";
  command.examples = {{"agents apply", "Show what the newest plan changes, and ask"},
                      {"agents apply --yes -m \"Fix the parser\"", "Without asking"}};
  return command;
}

}  // namespace clever::cli
