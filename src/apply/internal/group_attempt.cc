#include "apply/internal/group_attempt.h"

#include <algorithm>
#include <utility>

#include "base/crash_point.h"

namespace clever::apply::internal {
namespace {

constexpr int kMostGroupAttempts = 4;

base::Error interrupted(base::Error error) {
  return std::move(error).add_context(
      "ending an apply in several projects, which the next command in one of them does");
}

void add_sentence(std::string& text, const std::string& sentence) {
  text += (text.empty() ? "" : "; ") + sentence;
}

}  // namespace

base::Result<Outcome> GroupAttempt::run() {
  for (int again = 0; true; ++again) {
    overtaken_ = false;
    attempts_.clear();
    auto outcome = run_once();
    if (!outcome.ok() || !overtaken_ || again == kMostGroupAttempts) return outcome;
  }
}

base::Result<Outcome> GroupAttempt::run_once() {
  CLEVER_ASSIGN(JournalFile journal, begin());
  const auto held = put_all();
  if (!held.ok()) return taken_back(held.error());
  if (!*held) return constrained();
  if (const auto decided = journal.verified(); !decided.ok()) {
    // The record may be on the disk all the same. Replaces the journal before it restores files.
    const auto begun_anew = begin();
    return begun_anew.ok() ? taken_back(decided.error()) : interrupted(decided.error());
  }
  base::crash_point("apply.group_verified");
  return finish(journal);
}

base::Result<JournalFile> GroupAttempt::begin() {
  const Order& first = orders_.front();
  Beginning beginning{.id = first.id,
                      .plan = first.request.plan.to_string(),
                      .mode = first.request.mode,
                      .staging = "",
                      .undo = first.undo,
                      .group = root_};
  for (const Order& order : orders_) {
    beginning.projects.push_back(order.request.project.root.string());
  }
  auto journal = JournalFile::begin(group_.journal_path(), beginning);
  base::crash_point("apply.group_begun");
  return journal;
}

base::Result<bool> GroupAttempt::put_all() {
  for (const Order& order : orders_) {
    CLEVER_ASSIGN(Attempt attempt, Attempt::begin(order, stop_, deadline_));
    attempts_.push_back(std::move(attempt));
    CLEVER_TRY(attempts_.back().make_ready().context(name(attempts_.size() - 1)));
  }
  if (!all_fit()) return false;
  for (std::size_t i = 0; i < attempts_.size(); ++i) {
    CLEVER_TRY(attempts_[i].put().context(name(i)));
    overtaken_ = overtaken_ || attempts_[i].overtaken();
    if (!attempts_[i].prepared().fits()) return false;
  }
  return true;
}

bool GroupAttempt::all_fit() const {
  return std::ranges::all_of(attempts_, [](const Attempt& one) { return one.prepared().fits(); });
}

base::Result<Outcome> GroupAttempt::finish(JournalFile& journal) {
  std::vector<bool> committed;
  for (Attempt& attempt : attempts_) {
    attempt.verified();
    const auto moved = attempt.ending().move_branch();
    const bool is_first = committed.empty();
    if (is_first && (!moved.ok() || !*moved)) {
      if (auto back = journal.back(); !back.ok()) return interrupted(std::move(back).error());
      if (!moved.ok()) return taken_back(moved.error());
      elsewhere_ = "the branch went elsewhere during apply: apply again";
      return constrained();
    }
    if (!moved.ok()) return interrupted(moved.error());
    committed.push_back(*moved);
    base::crash_point("apply.group_moved");
  }
  for (std::size_t i = 0; i < attempts_.size(); ++i) {
    const auto ended = attempts_[i].ending().complete(committed[i]);
    if (!ended.ok()) return interrupted(ended.error());
  }
  CLEVER_TRY(group_.remove_journal());
  return applied(committed);
}

Outcome GroupAttempt::applied(const std::vector<bool>& committed) const {
  Outcome outcome;
  for (std::size_t i = 0; i < attempts_.size(); ++i) {
    Outcome one = attempts_[i].applied();
    if (!committed[i]) {
      one.commit.reset();
      one.reason = "without a commit: the branch moved on meanwhile";
    }
    for (const std::string& file : one.files) outcome.files.push_back(in_group(name(i), file));
    if (!one.reason.empty()) add_sentence(outcome.reason, name(i) + ": " + one.reason);
    outcome.projects.push_back({.project = name(i), .commit = one.commit});
  }
  return outcome;
}

base::Result<Outcome> GroupAttempt::constrained() {
  Outcome outcome{.kind = Outcome::Kind::kConstrained, .reason = elsewhere_};
  for (std::size_t i = 0; i < attempts_.size(); ++i) {
    const Prepared& found = attempts_[i].prepared();
    if (!found.refusal.empty()) add_sentence(outcome.reason, name(i) + ": " + found.refusal);
    for (const MovedOn& file : found.moved_on) {
      outcome.moved_on.push_back({in_group(name(i), file.path), file.why});
    }
  }
  CLEVER_ASSIGN(const std::string remarks, undo_all());
  if (!remarks.empty()) return base::conflict(remarks);
  return outcome;
}

base::Result<std::string> GroupAttempt::undo_all() {
  std::string all;
  for (std::size_t i = 0; i < attempts_.size(); ++i) {
    CLEVER_ASSIGN(const auto remarks, attempts_[i].ending().undo());
    for (const std::string& remark : remarks) add_sentence(all, name(i) + ": " + remark);
  }
  CLEVER_TRY(group_.remove_journal());
  if (all.empty()) return all;
  return "all projects were restored, but files were saved meanwhile: " + all;
}

base::Error GroupAttempt::taken_back(base::Error error) {
  const auto undone = undo_all();
  if (!undone.ok()) {
    return std::move(error).add_context("and putting everything back failed too (" +
                                        undone.error().sentence() +
                                        "), which the next command tries again");
  }
  if (undone->empty()) return error;
  return base::conflict(error.message() + "; " + *undone);
}

}  // namespace clever::apply::internal
