#include <algorithm>
#include <chrono>

#include "base/text.h"
#include "git/project.h"
#include "git/push.h"
#include "io/file.h"
#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/forge/forge_client.h"
#include "service/forge/forge_token.h"
#include "service/text.h"

namespace clever::service {
namespace {

constexpr std::chrono::minutes kPushPatience{10};
constexpr std::size_t kLongestSlug = 40;
constexpr std::size_t kIdEnding = 6;

std::string short_branch(const std::string& reference) {
  constexpr std::string_view kHeads = "refs/heads/";
  return reference.starts_with(kHeads) ? reference.substr(kHeads.size()) : std::string();
}

// "Fix the parser!" → "agents/fix-the-parser-4k2x9q", the same in every run.
std::string branch_for(const plan::State& plan) {
  std::string slug;
  for (const char c : base::lower_case(plan.title)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (plain) slug += c;
    if (!plain && !slug.empty() && !slug.ends_with('-')) slug += '-';
    if (slug.size() == kLongestSlug) break;
  }
  if (!slug.empty() && !slug.ends_with('-')) slug += '-';
  const std::string id = base::lower_case(plan.id.to_string());
  return "agents/" + slug + id.substr(id.size() - kIdEnding);
}

/// What is pushed, and where.
struct Work {
  /// A commit or a branch here.
  std::string source{};
  /// The branch it is on; empty: none.
  std::string branch{};
  /// The branch of the forge if `branch` is the one that it shall be merged into.
  std::string own_branch{};
  std::string plan{};
};

base::Result<Work> work_of_plan(const plan::State& plan) {
  const std::string id = plan.id.to_string();
  const bool applied = plan.state == model::PlanState::kApplied && plan.applied && !plan.undone;
  if (!applied) {
    return base::conflict("plan " + id + " is in " + place_of(plan) +
                          ", not applied: `agents apply " + id +
                          " --branch NAME` puts it on a branch first");
  }
  if (!plan.applied->projects.empty()) {
    return base::invalid_argument("plan " + id +
                                  " landed in several repositories: run `agents pr --branch NAME` "
                                  "in each of them");
  }
  if (plan.applied->commit.empty()) {
    return base::conflict("plan " + id +
                          " was applied without a commit: commit its files, then run `agents pr "
                          "--branch NAME`");
  }
  Work work{.source = plan.applied->commit, .own_branch = branch_for(plan), .plan = id};
  const bool on_branch = plan.apply && !plan.apply->branch.empty();
  work.branch = on_branch ? plan.apply->branch : short_branch(plan.base ? plan.base->branch : "");
  return work;
}

class PullRequestCommand {
 public:
  PullRequestCommand(const Invocation& invocation, Context& context)
      : invocation_(invocation), context_(context) {}

  base::Result<Report> run() {
    const auto& project = context_.project();
    if (!project.ok()) return project.error();
    project_ = *project;
    if (project_.kind != git::ProjectKind::kRepository) {
      return base::invalid_argument(project_.root.string() + " is no git repository");
    }
    CLEVER_ASSIGN(work_, work());
    CLEVER_TRY(connect());
    CLEVER_TRY(choose_branches());
    CLEVER_ASSIGN(const git::CommitWords words,
                  git::commit_words(project_, work_.source, context_.stop()));
    CLEVER_TRY(git::push(project_,
                         {.remote = remote_,
                          .source = words.id,
                          .branch = head_,
                          .force = invocation_.flag("force")},
                         context_.stop(), base::Deadline::after(context_.clock(), kPushPatience)));
    auto made = open_or_update(words);
    if (!made.ok()) {
      return std::move(made).error().add_context("the branch " + head_ + " is pushed, but");
    }
    return report(*made, words);
  }

 private:
  struct Made {
    PullRequest request{};
    std::string_view what = "opened";
  };

  // A branch by its name, a plan, the last plan that was applied, or the branch that is out.
  base::Result<Work> work() {
    if (const auto branch = invocation_.value("branch")) {
      return Work{.source = "refs/heads/" + std::string(*branch), .branch = std::string(*branch)};
    }
    if (!invocation_.words().empty()) {
      CLEVER_ASSIGN(const MeantPlan plan, meant_plan(invocation_, context_));
      return work_of_plan(plan.state);
    }
    CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation_, context_));
    CLEVER_ASSIGN(const auto applied, database.in_states({"applied"}));
    const auto last = std::ranges::max_element(applied, {}, &PlanSummary::updated);
    if (last != applied.end()) {
      CLEVER_ASSIGN(const plan::State state, database.state(last->id));
      return work_of_plan(state);
    }
    CLEVER_ASSIGN(const git::HeadState head, git::head_state(project_));
    const std::string branch = short_branch(head.branch);
    if (branch.empty()) {
      return base::not_found(
          "no plan was applied here, and no branch is checked out: name one with --branch");
    }
    return Work{.source = "refs/heads/" + branch, .branch = branch};
  }

  // Before anything is pushed: who answers, and whether the token may.
  base::Result<void> connect() {
    const auto& settings = context_.settings();
    if (!settings.ok()) return settings.error();
    remote_ = invocation_.value("remote").value_or("");
    if (remote_.empty()) {
      CLEVER_ASSIGN(remote_, git::push_remote(project_, work_.branch, context_.stop()));
    }
    CLEVER_ASSIGN(const std::string url, git::remote_url(project_, remote_, context_.stop()));
    const RemoteAddress address = parse_remote(url);
    if (!address.password.empty()) static_cast<void>(context_.redactor().add(address.password));
    CLEVER_ASSIGN(forge_, find_forge(address, {.kind = settings->text("forge.kind"),
                                               .api = settings->text("forge.api"),
                                               .repository = std::string(
                                                   invocation_.value("repository").value_or(""))}));
    CLEVER_ASSIGN(ForgeToken token, find_forge_token(forge_, context_));
    client_.emplace(forge_, std::move(token), context_.models().http(), context_.clock(),
                    context_.stop());
    CLEVER_ASSIGN(base_, client_->default_branch());
    if (const auto base = invocation_.value("base")) base_ = *base;
    return {};
  }

  base::Result<void> choose_branches() {
    head_ = work_.branch;
    if (head_.empty() || head_ == base_) {
      head_ = work_.own_branch;
    } else {
      // All that is on the branch, not only what the plan added.
      work_.source = "refs/heads/" + head_;
    }
    if (!head_.empty()) return {};
    return base::invalid_argument("the branch " + work_.branch +
                                  " is the one to merge into: name another with --branch, or "
                                  "change --base");
  }

  base::Result<Made> open_or_update(const git::CommitWords& words) {
    PullRequestFields fields;
    if (const auto title = invocation_.value("title")) fields.title = *title;
    if (const auto body = invocation_.value("body")) {
      CLEVER_ASSIGN(fields.body, body_text(std::string(*body)));
    }
    if (const auto base = invocation_.value("base")) fields.base = *base;
    CLEVER_ASSIGN(const auto found, client_->find(head_));
    if (found) {
      if (!fields.title && !fields.body && (!fields.base || *fields.base == found->base)) {
        return Made{*found, "pushed to"};
      }
      CLEVER_ASSIGN(PullRequest changed, client_->update(found->number, fields));
      return Made{std::move(changed), "updated"};
    }
    fields.head = head_;
    fields.base = base_;
    fields.draft = invocation_.flag("draft");
    if (!fields.title) fields.title = words.subject;
    if (!fields.body) fields.body = words.body;
    CLEVER_ASSIGN(PullRequest opened, client_->open(fields));
    return Made{std::move(opened), "opened"};
  }

  base::Result<std::string> body_text(const std::string& typed) const {
    if (typed == "-") return context_.input();
    if (!typed.starts_with('@')) return typed;
    return io::read_file(context_.directory() / typed.substr(1)).context("--body");
  }

  [[nodiscard]] Report report(const Made& made, const git::CommitWords& words) const {
    const PullRequest& request = made.request;
    Report report;
    report.data.set("action", made.what == "pushed to" ? "pushed" : made.what)
        .set("number", request.number)
        .set("url", request.url)
        .set("title", request.title)
        .set("forge", info(forge_.kind).name)
        .set("repository", forge_.repository)
        .set("remote", remote_)
        .set("branch", head_)
        .set("base", request.base.empty() ? base_ : request.base)
        .set("commit", words.id)
        .set("plan_id", work_.plan.empty() ? Document() : Document(work_.plan));
    const std::string number = " #" + std::to_string(request.number) + " ";
    report.view = {
        Prose{{{{std::string(made.what), Tone::kGood}, {number}, {printable(request.title)}},
               {{"  " + head_ + " → " + (request.base.empty() ? base_ : request.base), Tone::kDim}},
               {{"  "}, {printable(request.url), Tone::kAccent}}}}};
    return report;
  }

  const Invocation& invocation_;
  Context& context_;
  git::Project project_;
  Work work_;
  std::string remote_;
  Forge forge_;
  std::optional<ForgeClient> client_;
  std::string head_;
  std::string base_;
};

base::Result<Report> pull_request(const Invocation& invocation, Context& context) {
  return PullRequestCommand(invocation, context).run();
}

}  // namespace

Command pr_command() {
  return {
      .name = "pr",
      .summary = "Push applied work and open or update its pull request",
      .description =
          "Pushes a branch and opens a pull request (a merge request on GitLab) through the API of "
          "GitHub, GitLab or Forgejo. Where one is open for the branch, it gets the new commits, "
          "and what --title, --body and --base say.\n\nWithout PLAN and --branch: the plan of this "
          "folder that was applied last, else the branch that is checked out. A plan that landed "
          "on the base branch is pushed to a branch of its own. Git pushes with your own "
          "credentials. The token for the API comes from GH_TOKEN or GITHUB_TOKEN, GITLAB_TOKEN, "
          "FORGEJO_TOKEN or GITEA_TOKEN, or from the programs gh and glab. The remote's host tells "
          "which forge it is; the settings forge.kind and forge.api override it.",
      .positionals = {{.name = "PLAN",
                       .summary = "An applied plan: its id, or how that begins or ends",
                       .required = false,
                       .completes = Completes::kPlan}},
      .options = {{.name = "branch", .value = "NAME", .summary = "Push this branch, not a plan"},
                  {.name = "base",
                   .value = "NAME",
                   .summary = "The branch to merge into (default: the repository's)"},
                  {.name = "title", .value = "TEXT", .summary = "Else the commit's subject"},
                  {.name = "body",
                   .value = "TEXT",
                   .summary = "Else the commit's message; - reads standard input, @FILE a file"},
                  {.name = "draft", .summary = "Open it as a draft"},
                  {.name = "remote",
                   .value = "NAME",
                   .summary = "The git remote (default: the branch's, else origin)"},
                  {.name = "repository",
                   .value = "OWNER/NAME",
                   .summary = "The repository on the forge, if the remote's URL does not say it"},
                  {.name = "force", .summary = "Replace the remote branch's commits"},
                  plan_database_option()},
      .examples = {{"agents pr", "The plan that was applied last"},
                   {"agents pr --title \"Fix the parser\" --draft", "As a draft"},
                   {"agents pr --branch fix --base develop", "A branch of your own"},
                   {"agents pr --format json", "The number and the address, for a program"}},
      .handler = pull_request};
}

}  // namespace clever::service
