#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cli/words.h"
#include "model/control_events.h"
#include "model/event.h"
#include "model/id.h"
#include "model/phase.h"
#include "plan/state.h"
#include "service/view.h"

namespace clever::cli {

/// A plan's status as one line shows it.
enum class WorkStatus : std::uint8_t { kQueued, kWorking, kWaiting, kDone, kFailed };

/// One line of the view. A value.
struct ProgressEntry {
  std::size_t depth = 0;
  std::string title{};
  WorkStatus status = WorkStatus::kQueued;
  /// "execute"; if the plan does not work also its state: "execute waiting".
  std::string place{};
  /// The activity: "edit_file src/a.cc", "thinking", what it waits for, or what went wrong.
  std::string doing{};
  std::int64_t tokens = 0;
  model::Microdollars cost = 0;
  base::Duration elapsed{};
};

/// A view at one moment: the lines that fit, and a summary of the others. A value.
struct ProgressView {
  std::vector<ProgressEntry> entries{};
  /// The plans that do not fit: "8 done", "4 queued".
  std::size_t more = 0;
  std::size_t more_done = 0;
  /// The sums of all plans.
  std::size_t roots = 0;
  std::size_t roots_done = 0;
  std::int64_t tokens = 0;
  model::Microdollars cost = 0;
};

/// A piece of output, shown once: a line, or a piece of a model's text that continues the last one.
struct ProgressWords {
  enum class Kind : std::uint8_t {
    kLine,    // for everybody
    kDetail,  // for those who see no block
    kText,    // streamed
    kTool,    // a call that succeeded: for those who saw it begin in a block
  };
  Kind kind = Kind::kLine;
  std::string text{};
  Tone tone = Tone::kPlain;
};

/// Turns the events and calls of plans into progress to show. A value without a clock or a lock;
/// guard it to share it.
class ProgressModel {
 public:
  /// The most pieces that wait to be shown; beyond it the oldest are dropped, and a line says so.
  static constexpr std::size_t kMostWords = 20'000;

  /// `tasks`: the plans that the person asked for. Only a single one has its model's text streamed
  /// and its lines without a label. `heading`: names a root plan when it first appears.
  explicit ProgressModel(std::size_t tasks = 1, bool heading = true)
      : tasks_(tasks), heading_(heading) {}

  void on_events(const plan::State& state, const std::vector<model::StoredEvent>& events,
                 base::TimePoint now);
  void on_text(const model::PlanId& plan, std::string_view text, bool reasoning);
  void on_restart(const model::PlanId& plan);
  void on_wait(const model::PlanId& plan, std::string_view why);
  void on_tool(const model::PlanId& plan, std::string_view call, bool begins);
  /// Reports validations with their event, unless they were reported as they finished.
  void on_validation(const model::PlanId& plan, const model::ValidationResult& result);

  /// Takes the pieces since the last call.
  [[nodiscard]] std::vector<ProgressWords> take_words();
  /// Returns at most `rows` entries. If not all plans fit, those that work or need a person come
  /// first.
  [[nodiscard]] ProgressView view(std::size_t rows, base::TimePoint now) const;

 private:
  struct Entry {
    model::PlanId parent{};
    std::string label{};
    std::string title{};
    model::Phase phase = model::Phase::kAction;
    model::PlanState state = model::PlanState::kQueued;
    std::string reason{};
    /// The activity from its effects, the limit it waits for, and its running tools.
    std::string doing{};
    std::string wait{};
    std::vector<std::string> tools{};
    std::int64_t tokens = 0;
    model::Microdollars cost = 0;
    base::TimePoint began{};
    std::optional<base::TimePoint> ended{};
    std::vector<model::PlanId> children{};
    bool known = false;
    /// The index of its step among its parent's steps.
    std::size_t position = 0;
    /// The last piece of its text did not end its line.
    bool unended = false;
    /// The results of its validations were reported as they finished.
    bool shown_validations = false;
    /// The display shows calls when they start, until the plan rests.
    bool shown_tools = false;
  };

  /// An entry with the usage of the plan and of those below it.
  struct Row {
    const Entry* entry = nullptr;
    std::size_t depth = 0;
    std::int64_t tokens = 0;
    model::Microdollars cost = 0;
  };

  Entry& entry(const model::PlanId& plan);
  Entry& begin(const plan::State& state, base::TimePoint now);
  void add_root(const model::PlanId& plan, Entry& entry);
  void adopt(const plan::State& state, Entry& entry, base::TimePoint now);
  void end_text(Entry& entry);
  void tell_moves(const plan::State& state, Entry& entry);
  void tell_event(const plan::State& state, Entry& entry, const model::StoredEvent& event);
  void tell_validation(const Entry& entry, const model::ValidationResult& result);
  void tell_tools(const plan::State& state, Entry& entry, const model::StoredEvent& event);
  void place_child(const plan::State& parent, const model::StepMoved& moved);
  void say(const Entry& entry, ProgressWords::Kind kind, std::string text,
           Tone tone = Tone::kPlain);
  void add(ProgressWords words);
  [[nodiscard]] bool streams(const model::PlanId& plan) const;
  [[nodiscard]] static WorkStatus status_of(const Entry& entry);
  [[nodiscard]] static std::string doing_of(const Entry& entry);
  [[nodiscard]] static ProgressEntry shown(const Row& row, base::TimePoint now);
  [[nodiscard]] std::vector<bool> chosen(const std::vector<Row>& all, std::size_t room) const;
  std::size_t gather(const model::PlanId& plan, std::size_t depth, std::vector<Row>& rows) const;

  std::size_t tasks_;
  bool heading_;
  std::map<model::PlanId, Entry> entries_;
  std::vector<model::PlanId> roots_;
  std::deque<ProgressWords> words_;
  std::size_t dropped_ = 0;
};

}  // namespace clever::cli
