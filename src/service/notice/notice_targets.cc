#include "service/notice/notice_targets.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "service/text.h"

namespace clever::service {
namespace {

constexpr std::array<std::string_view, 4> kEvents{"plan.waiting", "plan.complete", "plan.errored",
                                                  "plan.applied"};

base::Error wrong(const config::Table& table, const std::string& what) {
  return base::corruption(table.place + ": " + what);
}

base::Result<void> check_events(const config::Table& table, const NoticeTarget& target) {
  for (const std::string& event : target.events) {
    if (std::ranges::find(kEvents, event) != kEvents.end()) continue;
    return wrong(table, "there is no event " + in_quotes(event) + "; there are " +
                            base::joined(std::vector<std::string>(kEvents.begin(), kEvents.end())));
  }
  return {};
}

base::Result<NoticeTarget> target_of(const config::Table& table,
                                     const io::Environment& environment) {
  NoticeTarget target{.name = table.text("name"),
                      .url = table.text("url"),
                      .allow_private = table.text("allow_private") == "true",
                      .timeout = config::duration_of(table.text("timeout"))};
  if (const auto command = table.values.find("command"); command != table.values.end()) {
    target.argv = command->second;
  }
  if (const auto events = table.values.find("events"); events != table.values.end()) {
    for (const std::string& text : events->second) {
      std::ranges::move(config::list_of(text), std::back_inserter(target.events));
    }
  }
  CLEVER_TRY(check_events(table, target));
  const bool is_web = target.url.starts_with("https://") || target.url.starts_with("http://");
  if (!target.url.empty() && !is_web) {
    return wrong(table, "url: expected an address that begins with https:// or http://");
  }
  target.secret_variable = table.text("secret_env");
  if (!target.secret_variable.empty()) {
    target.secret = environment.value(target.secret_variable).value_or("");
  }
  return target;
}

}  // namespace

base::Result<std::vector<NoticeTarget>> notice_targets(const config::Settings& settings,
                                                       const io::Environment& environment) {
  std::vector<NoticeTarget> targets;
  for (const config::Table& table : settings.tables("notify")) {
    if (table.of_project) continue;
    CLEVER_ASSIGN(NoticeTarget target, target_of(table, environment));
    targets.push_back(std::move(target));
  }
  return targets;
}

}  // namespace clever::service
