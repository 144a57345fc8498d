#include "storage/postgres/internal/topics.h"

#include <algorithm>

#include "base/utf8.h"

namespace clever::storage::postgres {
namespace {

constexpr std::string_view kEverything = "*";

bool fits(const std::string& topic) {
  return !topic.empty() && topic != kEverything &&
         topic.find_first_of(std::string_view("\n\0", 2)) == std::string::npos &&
         base::is_utf8(topic);
}

}  // namespace

std::vector<std::string> coalesced(std::vector<std::string> topics) {
  std::ranges::sort(topics);
  const auto repeated = std::ranges::unique(topics);
  topics.erase(repeated.begin(), repeated.end());
  return topics;
}

std::string payload_of(std::string_view sender, const std::vector<std::string>& topics) {
  std::string payload(sender);
  for (const std::string& topic : topics) {
    payload.append("\n").append(topic);
    if (!fits(topic) || payload.size() > kMostPayload) {
      return std::string(sender).append("\n").append(kEverything);
    }
  }
  return payload;
}

TopicNews read_payload(std::string_view payload) {
  std::size_t end = payload.find('\n');
  TopicNews news{.sender = payload.substr(0, end), .topics = std::vector<std::string>{}};
  if (end == std::string_view::npos) return {.sender = {}, .topics = std::nullopt};
  while (end != std::string_view::npos) {
    const std::size_t begin = end + 1;
    end = payload.find('\n', begin);
    const std::string_view topic = payload.substr(begin, end - begin);
    if (topic == kEverything) return {.sender = news.sender, .topics = std::nullopt};
    news.topics->emplace_back(topic);
  }
  return news;
}

}  // namespace clever::storage::postgres
