#include "context/internal/command_answer.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace clever::context::internal {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestLine = std::size_t{1} << 20U;
constexpr std::size_t kShownRubbish = 120;

// Each returns false for a member of the wrong kind, and leaves the target unchanged if the member
// is missing.

bool read(const json& object, const char* key, std::string& into) {
  const auto member = object.find(key);
  if (member == object.end()) return true;
  if (!member->is_string()) return false;
  into = member->get<std::string>();
  return true;
}

bool read(const json& object, const char* key, double& into) {
  const auto member = object.find(key);
  if (member == object.end()) return true;
  if (!member->is_number()) return false;
  into = member->get<double>();
  return true;
}

bool read(const json& object, const char* key, std::uint32_t& into) {
  const auto member = object.find(key);
  if (member == object.end()) return true;
  if (!member->is_number_unsigned()) return false;
  const auto value = member->get<std::uint64_t>();
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  into = static_cast<std::uint32_t>(std::min(value, kMost));
  return value >= 1;
}

bool read(const json& object, const char* key, syntax::Depth& into) {
  std::string name;
  if (!read(object, key, name)) return false;
  if (name.empty()) return true;
  using syntax::Depth;
  for (const Depth depth : {Depth::kListing, Depth::kMembers, Depth::kSignatures, Depth::kFull}) {
    if (name != syntax::to_string(depth)) continue;
    into = depth;
    return true;
  }
  return false;
}

std::optional<CommandCandidate> read_line(std::string_view line) {
  if (line.size() > kLongestLine) return std::nullopt;
  const json object = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return std::nullopt;
  // The default relevance is half of the best.
  CommandCandidate read_one{.candidate = {.relevance = 0.5}};
  Candidate& candidate = read_one.candidate;
  const bool right =
      read(object, "path", candidate.path) && read(object, "relevance", candidate.relevance) &&
      read(object, "why", candidate.why) && read(object, "text", candidate.text) &&
      read(object, "depth", candidate.depth) && read(object, "first_line", read_one.first_line) &&
      read(object, "last_line", read_one.last_line);
  if (!right || candidate.path.empty()) return std::nullopt;
  return read_one;
}

void add_rubbish(CommandAnswer& answer, std::string_view line) {
  if (answer.rubbish++ == 0) {
    answer.first_rubbish = base::to_valid_utf8(line.substr(0, kShownRubbish));
  }
}

}  // namespace

CommandAnswer read_command_answer(std::string_view output, std::size_t most) {
  CommandAnswer answer;
  while (!output.empty() && answer.candidates.size() < most) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    if (base::is_blank(line)) continue;
    if (auto candidate = read_line(line)) {
      answer.candidates.push_back(std::move(*candidate));
    } else {
      add_rubbish(answer, line);
    }
  }
  return answer;
}

syntax::Range range_of_lines(std::string_view text, std::uint32_t first, std::uint32_t last) {
  if (first == 0) return {};
  syntax::Range range{.first_line = first, .last_line = first};
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line <= last && begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    if (line == first) range.begin = static_cast<std::uint32_t>(begin);
    if (line >= first) {
      range.end = static_cast<std::uint32_t>(end);
      range.last_line = line;
    }
    begin = end;
  }
  return range.end == 0 ? syntax::Range{} : range;
}

}  // namespace clever::context::internal
