#pragma once
// Looking at changes part by part with a person at a terminal. Private to the module.
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

/// What a review needs of the world around it; replaced by tests.
struct ReviewWorld {
  /// What a file holds with only these parts of all that changed.
  std::function<base::Result<std::string>(const diff::FileDiff& file,
                                          const std::vector<std::string>& keep)>
      content;
  /// Has the person edit it; none: they left it as it is. Shows them an error.
  std::function<base::Result<std::optional<std::string>>(const diff::FileDiff& file,
                                                         const std::string& content)>
      edit;
  /// How much would land, in lines for the terminal.
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
  /// What the person had to say, with the places that they said it about.
  std::string notes{};
};

/// Asks about one part after the other, in the manner of `git add -p`, and what to do with what was
/// accepted. Reads lines, so that the terminal needs no other settings. Nothing is changed by it.
///
/// Used once, by one thread. What it refers to must outlive it.
class ReviewSession {
 public:
  ReviewSession(const std::vector<service::Choosable>& parts, const Screen& screen,
                ReviewWorld world, base::StopToken stop);

  /// `cancelled` on a stop.
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
  const ReviewWorld world_;
  const base::StopToken stop_;

  std::vector<Verdict> verdicts_;
  std::map<std::string, std::string> edited_;
  std::vector<std::pair<std::size_t, std::string>> notes_;
  std::size_t place_ = 0;
  /// Where the person goes next by their own word.
  std::optional<std::size_t> wanted_;
};

}  // namespace clever::cli
