#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "config/settings.h"
#include "io/environment.h"

namespace clever::service {

/// Where notices of plans go: a `[[notify]]` of the home's settings. A value.
struct NoticeTarget {
  std::string name{};
  /// Gets a POST; empty: the command gets the notice on its standard input.
  std::string url{};
  std::vector<std::string> argv{};
  /// "plan.waiting", …
  std::vector<std::string> events{};
  /// The variable with the key that signs what goes to the address, and the key; none: unsigned.
  std::string secret_variable{};
  std::string secret{};
  bool allow_private = false;
  std::chrono::milliseconds timeout{};

  friend bool operator==(const NoticeTarget&, const NoticeTarget&) = default;
};

/// The targets of the home; those of a project's file do not count. `corruption` names the table.
[[nodiscard]] base::Result<std::vector<NoticeTarget>> notice_targets(
    const config::Settings& settings, const io::Environment& environment);

/// The targets as the settings have them now, shared by what writes notices and what delivers them.
/// Thread-safe.
class NoticeTargets {
 public:
  using All = std::shared_ptr<const std::vector<NoticeTarget>>;

  void set(std::vector<NoticeTarget> targets) {
    now_.with([next = std::make_shared<const std::vector<NoticeTarget>>(std::move(targets))](
                  All& now) { now = next; });
  }
  [[nodiscard]] All all() const {
    return now_.with([](const All& now) { return now; });
  }

 private:
  base::Guarded<All> now_{std::in_place, std::make_shared<const std::vector<NoticeTarget>>()};
};

}  // namespace clever::service
