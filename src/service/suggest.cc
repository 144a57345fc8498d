#include "service/suggest.h"

#include "base/nearest.h"

namespace clever::service {

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates,
                         std::string otherwise) {
  // A typing mistake is never this long, and comparing would take long.
  constexpr std::size_t kLongest = 64;
  if (word.size() > kLongest) return otherwise;
  const auto nearest = base::nearest_match(word, {candidates.begin(), candidates.end()});
  return nearest ? "did you mean `" + *nearest + "`?" : otherwise;
}

}  // namespace clever::service
