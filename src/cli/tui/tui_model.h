#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/live/progress_model.h"
#include "cli/tui/key.h"
#include "cli/tui/line_editor.h"
#include "cli/words.h"
#include "io/terminal.h"
#include "model/budget_events.h"
#include "model/id.h"
#include "model/time.h"
#include "service/view.h"

// What the full-screen view knows, and what follows from keys and news. Pure.
namespace clever::cli {

/// What a plan asks a person. A value.
struct TuiApproval {
  /// Who asks: the plan itself or one below it.
  model::PlanId plan{};
  /// Of the request; 0: an old one, which going on answers.
  std::int64_t number = 0;
  /// "tools", "strategy", …
  std::string subject{};
  std::vector<std::string> items{};
  friend bool operator==(const TuiApproval&, const TuiApproval&) = default;
};

/// A plan in the list. A value.
struct TuiPlan {
  model::PlanId id{};
  std::string title{};
  std::string phase{};
  std::string state{};
  /// Why it is where it is; empty: nothing to tell.
  std::string reason{};
  model::Microdollars cost = 0;
  model::Timestamp created{};
  model::Timestamp updated{};
  std::optional<TuiApproval> approval{};
  /// Conflicts are open: a person resolves them.
  bool in_conflict = false;
  /// It has work left, and no process drives it.
  bool stopped = false;
  /// Hexadecimal; empty: not sealed, or it cannot be applied.
  std::string digest{};
  friend bool operator==(const TuiPlan&, const TuiPlan&) = default;
};

/// How urgently the plan needs a look; lower is more urgent. 0 needs a person, 1 works, 2 is ready
/// to be applied, 3 failed, stopped or waits in a queue, 4 is over.
[[nodiscard]] int urgency_of(const TuiPlan& plan);
[[nodiscard]] WorkStatus status_of(const TuiPlan& plan);

/// A line of the tree: a step, a subplan or a decision.
struct TuiTreeRow {
  std::size_t depth = 0;
  /// None: a heading or a decision.
  std::optional<WorkStatus> status{};
  std::string text{};
  std::string note{};
  Tone tone = Tone::kPlain;
  friend bool operator==(const TuiTreeRow&, const TuiTreeRow&) = default;
};

struct TuiText {
  std::string text{};
  Tone tone = Tone::kPlain;
  friend bool operator==(const TuiText&, const TuiText&) = default;
};

/// All about one plan.
struct TuiDetail {
  model::PlanId plan{};
  std::vector<TuiTreeRow> tree{};
  std::vector<TuiText> stream{};
  std::vector<TuiText> diff{};
  std::vector<TuiText> log{};
  friend bool operator==(const TuiDetail&, const TuiDetail&) = default;
};

enum class TuiPane : std::uint8_t { kTree, kStream, kDiff, kLog };
inline constexpr std::size_t kTuiPanes = 4;

/// What a person asked for; done by others.
struct TuiWish {
  enum class Kind : std::uint8_t {
    kQuit,
    kLook,  // the plan or the pane is another: what it shows is wanted
    kApprove,
    kReject,
    kApply,
    kCancel,
    kResume,
    kUndo,
    kPrompt,
    kEdit,      // its conflicts, in an editor
    kNew,       // a new plan; its task is the text
    kComplete,  // the @file in the text that ends at number
  };
  Kind kind = Kind::kLook;
  model::PlanId plan{};
  /// Of kApprove and kReject: who asked, and of the request.
  model::PlanId asking{};
  std::int64_t number = 0;
  /// The digest of kApply, the words of kPrompt and kNew, what was typed so far.
  std::string text{};
  friend bool operator==(const TuiWish&, const TuiWish&) = default;
};

/// News.
struct TuiPlans {
  std::vector<TuiPlan> plans{};
};
struct TuiResized {
  io::TerminalSize size{};
};
/// Something to tell, until the next key.
struct TuiSaid {
  std::string text{};
  Tone tone = Tone::kPlain;
};
/// What was typed, completed; of several possibilities some.
struct TuiCompleted {
  std::string before{};
  std::string text{};
  std::size_t cursor = 0;
  std::vector<std::string> choices{};
};
/// A plan that the person started: it is selected as soon as it is listed.
struct TuiStarted {
  model::PlanId plan{};
};
using TuiEvent =
    std::variant<Key, TuiResized, TuiPlans, TuiDetail, TuiSaid, TuiCompleted, TuiStarted>;

/// A value without a clock, a lock or a terminal.
class TuiModel {
 public:
  /// Below this nothing but that is said.
  static constexpr io::TerminalSize kLeast{.columns = 30, .rows = 6};

  TuiModel(io::TerminalSize size, std::string place, bool unicode = true)
      : size_(size), place_(std::move(place)), unicode_(unicode) {}

  /// What follows, in order.
  std::vector<TuiWish> update(const TuiEvent& event);

  [[nodiscard]] const io::TerminalSize& size() const { return size_; }
  [[nodiscard]] bool is_too_small() const {
    return size_.columns < kLeast.columns || size_.rows < kLeast.rows;
  }
  [[nodiscard]] bool unicode() const { return unicode_; }
  /// Whose plans these are.
  [[nodiscard]] const std::string& place() const { return place_; }
  /// The most urgent first, then the newest.
  [[nodiscard]] const std::vector<TuiPlan>& plans() const { return plans_; }
  [[nodiscard]] bool has_plans_yet() const { return listed_; }
  /// Null if there is none.
  [[nodiscard]] const TuiPlan* selected() const;
  [[nodiscard]] std::size_t selected_index() const { return selected_; }
  [[nodiscard]] const TuiDetail& detail() const { return detail_; }
  [[nodiscard]] TuiPane pane() const { return pane_; }
  /// The pane has the whole screen.
  [[nodiscard]] bool is_zoomed() const { return zoomed_; }
  /// Lines of the pane above what is shown; of the stream: below.
  [[nodiscard]] std::size_t scroll() const { return scroll_; }
  [[nodiscard]] bool shows_help() const { return help_; }
  [[nodiscard]] const std::optional<TuiSaid>& said() const { return said_; }
  /// What a yes would do: asked at the bottom.
  [[nodiscard]] const std::string& question() const { return question_; }
  [[nodiscard]] const std::optional<LineEditor>& prompt() const { return prompt_; }
  /// What is typed is the task of a new plan.
  [[nodiscard]] bool asks_for_task() const { return new_task_; }

 private:
  using Wishes = std::vector<TuiWish>;

  Wishes on(const Key& key);
  Wishes on(const TuiResized& resized);
  Wishes on(const TuiPlans& plans);
  Wishes on(const TuiDetail& detail);
  Wishes on(const TuiSaid& said);
  Wishes on(const TuiCompleted& completed);
  Wishes on(const TuiStarted& started);
  [[nodiscard]] std::size_t index_of(const model::PlanId& plan) const;
  Wishes on_character(char32_t character);
  Wishes answer(const Key& key);
  Wishes write(const Key& key);
  Wishes complete();
  Wishes submit(std::string words);
  Wishes slash(const std::string& words);
  Wishes approve(bool yes);
  Wishes ask(TuiWish wish, std::string question);
  Wishes select(std::size_t index);
  Wishes show(TuiPane pane);
  void scroll_by(bool up);
  [[nodiscard]] Wishes wish(TuiWish::Kind kind) const;

  io::TerminalSize size_;
  std::string place_;
  bool unicode_;
  bool listed_ = false;
  std::vector<TuiPlan> plans_;
  std::size_t selected_ = 0;
  // Started, and not listed yet.
  model::PlanId started_{};
  TuiDetail detail_{};
  TuiPane pane_ = TuiPane::kTree;
  bool zoomed_ = false;
  std::size_t scroll_ = 0;
  bool help_ = false;
  std::optional<TuiSaid> said_;
  std::string question_;
  TuiWish asked_{};
  std::optional<LineEditor> prompt_;
  bool new_task_ = false;
};

}  // namespace clever::cli
