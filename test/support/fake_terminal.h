#pragma once
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/monitor.h"
#include "io/owned_terminal.h"
#include "support/terminal_picture.h"

namespace clever::test {

/// A person at a terminal that is none: waits until something is shown, then types.
class Person {
 public:
  struct Step {
    /// On the screen before the person does something; empty: at once.
    std::string shown{};
    io::TerminalInput input{};
  };

  explicit Person(io::TerminalSize size = {.columns = 100, .rows = 40})
      : size(size), picture(size.columns, size.rows) {}

  Person& sees(std::string text) {
    steps.push_back({.shown = std::move(text)});
    return *this;
  }
  Person& types(std::string bytes) {
    steps.push_back({.input = {.bytes = std::move(bytes)}});
    return *this;
  }
  Person& goes_away() {
    steps.push_back({.input = {.ended = true}});
    return *this;
  }

  io::TerminalSize size;
  TerminalPicture picture;
  std::string written;
  std::deque<Step> steps;
  /// Programs that had the terminal, and what each exited with.
  std::vector<std::vector<std::string>> programs;
  int exit_code = 0;
  /// What was waited for in vain.
  std::string missed;
};

/// The terminal that such a person sits at.
class FakeTerminal final : public io::OwnedTerminal {
 public:
  explicit FakeTerminal(std::shared_ptr<Person> person) : person_(std::move(person)) {}

  base::Result<io::TerminalInput> wait(std::optional<std::chrono::milliseconds> patience) override {
    constexpr std::chrono::seconds kLongest{60};
    const base::Deadline end = base::Deadline::after(clock_, kLongest);
    while (true) {
      if (take_woken()) return io::TerminalInput{.woken = true};
      if (person_->steps.empty()) return ended("the person has nothing more to do");
      const Person::Step step = person_->steps.front();
      if (step.shown.empty() || person_->picture.text().contains(step.shown)) {
        person_->steps.pop_front();
        if (step.shown.empty()) return step.input;
        continue;
      }
      if (patience) return io::TerminalInput{};
      const auto woken = rung_.wait({}, end, [](const bool& rung) { return rung; });
      if (!woken.ok()) return ended(step.shown);
    }
  }
  void wake() const override {
    rung_.update([](bool& rung) { rung = true; });
  }
  [[nodiscard]] io::TerminalSize size() const override { return person_->size; }
  base::Result<void> write(std::string_view bytes) override {
    person_->picture.write(bytes);
    person_->written.append(bytes);
    return {};
  }
  void suspend() override {}
  void resume() override {}
  base::Result<int> run(const std::vector<std::string>& argv,
                        const std::filesystem::path& /*folder*/) override {
    person_->programs.push_back(argv);
    return person_->exit_code;
  }

 private:
  bool take_woken() {
    return rung_.update([](bool& rung) { return std::exchange(rung, false); });
  }
  io::TerminalInput ended(const std::string& missed) {
    if (person_->missed.empty()) person_->missed = missed;
    return {.ended = true};
  }

  const std::shared_ptr<Person> person_;
  base::SystemClock clock_;
  mutable base::Monitor<bool> rung_;
};

}  // namespace clever::test
