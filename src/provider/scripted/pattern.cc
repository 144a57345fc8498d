#include "provider/scripted/pattern.h"

#include <re2/re2.h>

namespace clever::provider {
namespace {

constexpr int kMostMemory = 4 << 20;
constexpr int kMostGroups = 20;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

base::Result<Pattern> Pattern::compile(std::string_view text) {
  if (text.size() > kMostBytes) {
    return base::invalid_argument("it is longer than " + std::to_string(kMostBytes) + " bytes");
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMostMemory);
  auto program = std::make_shared<const re2::RE2>(piece("(?m)" + std::string(text)), options);
  if (!program->ok()) {
    return base::invalid_argument(program->error());
  }
  if (program->NumberOfCapturingGroups() > kMostGroups) {
    return base::invalid_argument("it has more than " + std::to_string(kMostGroups) + " groups");
  }
  return Pattern(std::string(text), std::move(program));
}

std::optional<std::vector<std::string>> Pattern::search(std::string_view text) const {
  std::vector<re2::StringPiece> found(groups() + 1);
  if (!program_->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, found.data(),
                       static_cast<int>(found.size()))) {
    return std::nullopt;
  }
  std::vector<std::string> groups;
  for (std::size_t i = 1; i < found.size(); ++i) groups.emplace_back(found[i]);
  return groups;
}

std::size_t Pattern::groups() const {
  return static_cast<std::size_t>(program_->NumberOfCapturingGroups());
}

}  // namespace clever::provider
