#pragma once
// Lets a person at a terminal review changes part by part. Private to the module.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "cli/words.h"
#include "plan/command.h"
#include "service/diff/choosable.h"
#include "service/screen.h"

namespace clever::cli {

/// The effects of a review; tests replace them.
struct ReviewEffects {
  /// Returns the file's content with only these parts of its changes.
  std::function<base::Result<std::string>(const diff::FileDiff& file,
                                          const std::vector<std::string>& keep)>
      content;
  /// Opens the person's editor; none: the file is unchanged. Shows errors to the person.
  std::function<base::Result<std::optional<std::string>>(const diff::FileDiff& file,
                                                         const std::string& content)>
      edit;
  /// Describes the size of what would land, in lines for the terminal.
  std::function<base::Result<std::string>(const std::vector<std::string>& keep,
                                          const std::vector<plan::Choose::Edit>& edits)>
      stat;
};

struct ReviewOutcome {
  enum class End : std::uint8_t {
    kQuit,      // nothing is to change
    kApply,     // exactly what was accepted lands
    kHandBack,  // the plan gets the notes
  };
  End end = End::kQuit;
  std::vector<std::string> keep{};
  std::vector<plan::Choose::Edit> edits{};
  /// The person's notes, each with its place.
  std::string notes{};
};

/// Asks about one part after the other, like `git add -p`, and then what to do with the accepted
/// parts. Reads lines, so it needs no terminal settings. Changes nothing itself.
///
/// Used once, by one thread. Everything it refers to must outlive it.
class ReviewSession {
 public:
  ReviewSession(const std::vector<service::Choosable>& parts, const Screen& screen,
                ReviewEffects effects, base::StopToken stop);

  /// Returns `cancelled` on a stop.
  [[nodiscard]] base::Result<ReviewOutcome> run();

 private:
  enum class Verdict : std::uint8_t { kOpen, kKeep, kDrop };
  enum class Next : std::uint8_t { kAgain, kOn, kBack, kQuit };
  struct Answer {
    char letter = 0;
    std::string rest{};
  };

  base::Result<std::optional<Answer>> ask(const std::string& question);
  base::Result<void> show(std::size_t index);
  base::Result<Next> act(std::size_t index, const Answer& answer);
  Next decide(std::size_t index, Verdict verdict);
  Next decide_rest_of_file(std::size_t index, Verdict verdict);
  base::Result<Next> edit(std::size_t index);
  base::Result<Next> note(std::size_t index, const std::string& words);
  base::Result<Next> jump(const std::string& words);
  void forget_edit(std::size_t index);

  [[nodiscard]] std::optional<std::size_t> next_open(std::size_t after) const;
  [[nodiscard]] std::vector<std::string> with(bool open_too) const;
  [[nodiscard]] std::vector<plan::Choose::Edit> edits() const;
  [[nodiscard]] std::string notes() const;
  [[nodiscard]] std::string tally() const;
  base::Result<void> say(const std::string& text);
  base::Result<bool> walk();
  base::Result<std::optional<ReviewOutcome>> finish();

  // Constant after construction.
  const std::vector<service::Choosable>& parts_;
  const Screen& screen_;
  const ReviewEffects effects_;
  const base::StopToken stop_;

  std::vector<Verdict> verdicts_;
  std::map<std::string, std::string> edited_;
  std::vector<std::pair<std::size_t, std::string>> notes_;
  std::size_t place_ = 0;
  /// The part that the person wants to see next.
  std::optional<std::size_t> wanted_;
};

}  // namespace clever::cli
