#include "diff/internal/choice.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace clever::diff::internal {
namespace {

constexpr std::size_t kShown = 20;

std::string list_of(const std::vector<std::string>& known) {
  if (known.empty()) return "there are none";
  std::string list = "there are: ";
  for (std::size_t i = 0; i < std::min(known.size(), kShown); ++i) {
    list.append(i == 0 ? "" : ", ").append(known[i]);
  }
  if (known.size() > kShown) {
    list.append(" and ").append(std::to_string(known.size() - kShown)).append(" more");
  }
  return list;
}

}  // namespace

base::Result<void> check_known(const std::vector<std::string>& ids,
                               const std::vector<std::string>& known) {
  const std::set<std::string> set(known.begin(), known.end());
  const auto unknown =
      std::ranges::find_if(ids, [&](const std::string& id) { return !set.contains(id); });
  if (unknown == ids.end()) return {};
  return base::invalid_argument("no hunk has the id '" + *unknown + "'; " + list_of(known));
}

}  // namespace clever::diff::internal
