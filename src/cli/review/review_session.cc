#include "cli/review/review_session.h"

#include <algorithm>

#include "base/text.h"
#include "cli/diff/painted_diff.h"
#include "cli/words.h"
#include "service/diff/diff_words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

using End = ReviewOutcome::End;

constexpr std::string_view kHelp =
    "y  accept this part\n"
    "n  reject it: it is not applied\n"
    "a  accept it and the rest of this file\n"
    "d  reject it and the rest of this file\n"
    "e  edit the file, without what you rejected\n"
    "m TEXT  note a question or remark for the plan; at the end you can send it back\n"
    "b  back to the previous part\n"
    "g  list the files; g FILE goes to one\n"
    "q  quit: nothing changes\n"
    "?  this help\n";

bool is_plain_file(const std::optional<git::Node>& node) {
  return !node || node->mode == git::FileMode::kFile || node->mode == git::FileMode::kExecutable;
}

bool can_be_edited(const service::Choosable& part) {
  return part.hunk != nullptr && part.file->after && is_plain_file(part.file->before) &&
         is_plain_file(part.file->after);
}

std::string how_many(std::size_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

}  // namespace

ReviewSession::ReviewSession(const std::vector<service::Choosable>& parts, const Screen& screen,
                             ReviewEffects effects, base::StopToken stop)
    : parts_(parts),
      screen_(screen),
      effects_(std::move(effects)),
      stop_(std::move(stop)),
      verdicts_(parts.size(), Verdict::kOpen) {}

base::Result<ReviewOutcome> ReviewSession::run() {
  for (;;) {
    CLEVER_ASSIGN(const bool goes_on, walk());
    if (!goes_on) return ReviewOutcome{};
    CLEVER_ASSIGN(auto outcome, finish());
    if (outcome) return std::move(*outcome);
    wanted_ = parts_.size() - 1;
  }
}

// Runs until no part is open; returns false if the person quits.
base::Result<bool> ReviewSession::walk() {
  std::optional<std::size_t> index = wanted_ ? wanted_ : next_open(0);
  wanted_.reset();
  while (index) {
    place_ = *index;
    CLEVER_TRY(show(place_));
    for (Next next = Next::kAgain; next == Next::kAgain;) {
      CLEVER_ASSIGN(const auto answer,
                    ask("(" + std::to_string(place_ + 1) + "/" + std::to_string(parts_.size()) +
                        ") Accept this " + (parts_[place_].hunk != nullptr ? "hunk" : "change") +
                        " [y,n,a,d,e,m,b,g,q,?]?"));
      if (!answer) return false;
      CLEVER_ASSIGN(next, act(place_, *answer));
      if (next == Next::kQuit) return false;
    }
    index = wanted_ ? wanted_ : next_open(place_ + 1);
    wanted_.reset();
  }
  return true;
}

base::Result<std::optional<ReviewSession::Answer>> ReviewSession::ask(const std::string& question) {
  CLEVER_TRY(screen_.error_output(painted(question, Tone::kStrong, screen_.error_look) + " "));
  CLEVER_ASSIGN(auto line,
                screen_.read_key ? screen_.read_answer(stop_) : screen_.read_line(stop_));
  // These keys take words after them.
  if (line && screen_.read_key && (*line == "m" || *line == "g")) {
    CLEVER_TRY(say(*line == "m" ? "note: " : "file (Enter lists them): "));
    CLEVER_ASSIGN(const auto words, screen_.read_line(stop_));
    line->append(" ").append(words.value_or(""));
  }
  if (!line) {
    CLEVER_TRY(say("\n"));
    return std::optional<Answer>();
  }
  constexpr std::string_view kBlanks = " \t\r";
  const std::string_view words = base::trimmed(*line, kBlanks);
  if (words.empty()) return std::optional(Answer{});
  return std::optional(Answer{base::lower_case(std::string(words.substr(0, 1)))[0],
                              std::string(base::trimmed(words.substr(1), kBlanks))});
}

base::Result<void> ReviewSession::say(const std::string& text) {
  return screen_.error_output(text);
}

base::Result<void> ReviewSession::show(std::size_t index) {
  const service::Choosable& part = parts_[index];
  const Look& look = screen_.error_look;
  const bool begins = index == 0 || parts_[index - 1].file != part.file;
  std::string text = "\n";
  if (begins || part.hunk == nullptr) {
    text += painted(printable(part.file->path), Tone::kStrong, look);
    for (const std::string& remark : service::remarks_on(*part.file)) {
      text += painted("  " + remark, Tone::kDim, look);
    }
    text += "\n";
  }
  if (part.hunk != nullptr) {
    text += painted_hunk(*part.hunk, look);
  } else if (service::whole_choice(*part.file) == part.id) {
    for (const diff::Hunk& hunk : part.file->hunks) {
      if (hunk.id == part.id) text += painted_hunk(hunk, look);
    }
  }
  if (edited_.contains(part.file->path)) {
    text += painted("you edited this file", Tone::kAccent, look) + "\n";
  } else if (verdicts_[index] != Verdict::kOpen) {
    const bool kept = verdicts_[index] == Verdict::kKeep;
    text += painted(kept ? "accepted so far" : "rejected so far", Tone::kAccent, look) + "\n";
  }
  return say(text);
}

base::Result<ReviewSession::Next> ReviewSession::act(std::size_t index, const Answer& answer) {
  switch (answer.letter) {
    case 'y':
      return decide(index, Verdict::kKeep);
    case 'n':
      return decide(index, Verdict::kDrop);
    case 'a':
      return decide_rest_of_file(index, Verdict::kKeep);
    case 'd':
      return decide_rest_of_file(index, Verdict::kDrop);
    case 'e':
      return edit(index);
    case 'm':
      return note(index, answer.rest);
    case 'b':
      wanted_ = index == 0 ? 0 : index - 1;
      return Next::kBack;
    case 'g':
      return jump(answer.rest);
    case 'q':
      return Next::kQuit;
    default:
      CLEVER_TRY(say(std::string(kHelp)));
      return Next::kAgain;
  }
}

ReviewSession::Next ReviewSession::decide(std::size_t index, Verdict verdict) {
  if (parts_[index].hunk != nullptr) forget_edit(index);
  verdicts_[index] = verdict;
  return Next::kOn;
}

ReviewSession::Next ReviewSession::decide_rest_of_file(std::size_t index, Verdict verdict) {
  forget_edit(index);
  for (std::size_t i = index; i < parts_.size() && parts_[i].file == parts_[index].file; ++i) {
    if (i == index || verdicts_[i] == Verdict::kOpen) verdicts_[i] = verdict;
  }
  return Next::kOn;
}

void ReviewSession::forget_edit(std::size_t index) { edited_.erase(parts_[index].file->path); }

base::Result<ReviewSession::Next> ReviewSession::edit(std::size_t index) {
  const service::Choosable& part = parts_[index];
  if (!can_be_edited(part)) {
    CLEVER_TRY(say("This change has no lines to edit: y accepts it, n rejects it.\n"));
    return Next::kAgain;
  }
  const auto known = edited_.find(part.file->path);
  std::string content;
  if (known != edited_.end()) {
    content = known->second;
  } else {
    CLEVER_ASSIGN(content, effects_.content(*part.file, with(/*open_too=*/true)));
  }
  const auto edited = effects_.edit(*part.file, content);
  if (!edited.ok()) {
    CLEVER_TRY(say(painted(edited.error().sentence(), Tone::kBad, screen_.error_look) + "\n"));
    return Next::kAgain;
  }
  if (!*edited) {
    CLEVER_TRY(say("Unchanged.\n"));
    return Next::kAgain;
  }
  edited_[part.file->path] = **edited;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].file == part.file && parts_[i].hunk != nullptr) verdicts_[i] = Verdict::kKeep;
  }
  return Next::kOn;
}

base::Result<ReviewSession::Next> ReviewSession::note(std::size_t index, const std::string& words) {
  if (words.empty()) {
    CLEVER_TRY(say("m TEXT: type the note for the plan after m\n"));
    return Next::kAgain;
  }
  notes_.emplace_back(index, words);
  CLEVER_TRY(say("Noted; at the end you can send it to the plan.\n"));
  return Next::kAgain;
}

base::Result<ReviewSession::Next> ReviewSession::jump(const std::string& words) {
  std::string list;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::string& path = parts_[i].file->path;
    if (i > 0 && parts_[i - 1].file == parts_[i].file) continue;
    if (!words.empty() && (path == words || path.find(words) != std::string::npos)) {
      wanted_ = i;
      return Next::kOn;
    }
    list += "  " + printable(path) + "\n";
  }
  CLEVER_TRY(
      say((words.empty() ? "" : "No such file: " + in_quotes(words) + ". There are:\n") + list));
  return Next::kAgain;
}

std::optional<std::size_t> ReviewSession::next_open(std::size_t after) const {
  for (std::size_t i = 0; i < verdicts_.size(); ++i) {
    const std::size_t index = (after + i) % verdicts_.size();
    if (verdicts_[index] == Verdict::kOpen) return index;
  }
  return std::nullopt;
}

std::vector<std::string> ReviewSession::with(bool open_too) const {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const bool kept =
        verdicts_[i] == Verdict::kKeep || (open_too && verdicts_[i] == Verdict::kOpen);
    if (kept) ids.push_back(parts_[i].id);
  }
  return ids;
}

std::vector<plan::Choose::Edit> ReviewSession::edits() const {
  std::vector<plan::Choose::Edit> all;
  for (const auto& [path, content] : edited_) all.push_back({path, content});
  return all;
}

std::string ReviewSession::notes() const {
  std::string text;
  for (const auto& [index, words] : notes_) {
    text += "About " + service::place_of(parts_[index]) + ": " + words + "\n";
    if (parts_[index].hunk == nullptr) continue;
    for (const diff::Line& line : parts_[index].hunk->lines) {
      const char sign = line.kind == diff::LineKind::kAdded     ? '+'
                        : line.kind == diff::LineKind::kRemoved ? '-'
                                                                : ' ';
      text += sign + line.text + (line.text.ends_with('\n') ? "" : "\n");
    }
    text += "\n";
  }
  return text;
}

std::string ReviewSession::tally() const {
  const auto kept = static_cast<std::size_t>(std::ranges::count(verdicts_, Verdict::kKeep));
  std::string text = std::to_string(kept) + " of " + how_many(parts_.size(), "part") +
                     " accepted, " + std::to_string(parts_.size() - kept) + " rejected";
  if (!edited_.empty()) text += ", " + how_many(edited_.size(), "file") + " edited";
  if (!notes_.empty()) text += ", " + how_many(notes_.size(), "note");
  return text;
}

// None: the person wants to go back.
base::Result<std::optional<ReviewOutcome>> ReviewSession::finish() {
  ReviewOutcome outcome{.keep = with(false), .edits = edits(), .notes = notes()};
  const bool something = !outcome.keep.empty() || !outcome.edits.empty();
  CLEVER_TRY(say("\n" + painted(tally(), Tone::kStrong, screen_.error_look) + "\n"));
  if (something) {
    CLEVER_ASSIGN(const std::string stat, effects_.stat(outcome.keep, outcome.edits));
    CLEVER_TRY(say(stat));
  } else {
    CLEVER_TRY(say("Nothing is left to apply; `agents plan cancel` cancels the plan.\n"));
  }
  const std::string hand = outcome.notes.empty() ? "" : ", h sends the notes to the plan";
  for (;;) {
    CLEVER_ASSIGN(
        const auto answer,
        ask((something ? "Apply exactly this? y applies it, b goes back" : "b goes back") + hand +
            ", q changes nothing:"));
    const char letter = answer ? answer->letter : 'q';
    if (letter == 'b') return std::optional<ReviewOutcome>();
    if (letter == 'y' && something) outcome.end = End::kApply;
    if (letter == 'h' && !outcome.notes.empty()) outcome.end = End::kHandBack;
    if (outcome.end != End::kQuit || letter == 'q' || letter == 'n') {
      return std::optional(std::move(outcome));
    }
  }
}

}  // namespace clever::cli
