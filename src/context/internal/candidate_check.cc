#include "context/internal/candidate_check.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "git/tree_path.h"

namespace clever::context::internal {
namespace {

constexpr std::size_t kLongestWhy = 400;

double clamped(double relevance) {
  return std::isnan(relevance) ? 0.0 : std::clamp(relevance, 0.0, 1.0);
}

bool is_depth(syntax::Depth depth) {
  switch (depth) {
    case syntax::Depth::kListing:
    case syntax::Depth::kMembers:
    case syntax::Depth::kSignatures:
    case syntax::Depth::kFull:
      return true;
  }
  return false;
}

bool is_sensible(const syntax::Range& range) {
  return range.begin <= range.end && range.first_line >= 1 && range.first_line <= range.last_line;
}

// Makes one printable line of any text.
std::string reason(std::string_view why) {
  const std::string_view beginning = base::utf8_prefix(why, kLongestWhy);
  std::string line;
  for (std::size_t at = 0; at < beginning.size();) {
    const base::CodePoint character = base::decode_utf8(beginning, at);
    const bool control = base::is_invisible_control(character.value);
    base::append_utf8(line, control ? U' ' : character.value);
    at += character.size;
  }
  return line;
}

// Repairs what it can. Returns false for a useless candidate.
bool put_right(Candidate& candidate) {
  auto path = git::TreePath::parse(candidate.path);
  if (!path.ok() || !is_sensible(candidate.range)) return false;
  candidate.path = path->text();
  if (!is_depth(candidate.depth)) candidate.depth = syntax::Depth::kFull;
  candidate.relevance = clamped(candidate.relevance);
  candidate.why = reason(candidate.why);
  if (!base::is_utf8(candidate.text)) candidate.text = base::to_valid_utf8(candidate.text);
  return true;
}

std::size_t size_of(const Candidate& candidate) {
  return candidate.path.size() + candidate.why.size() + candidate.text.size();
}

void add_remark(std::string& remark, std::size_t count, std::string_view what) {
  if (count == 0) return;
  remark += remark.empty() ? "left out: " : "; ";
  remark += std::to_string(count) + std::string(what);
}

}  // namespace

CheckedCandidates check_candidates(std::vector<Candidate> proposed, const CandidateLimits& limits) {
  CheckedCandidates checked;
  std::size_t room = limits.most_text;
  std::size_t wrong = 0;
  std::size_t too_large = 0;
  std::size_t seen = 0;
  for (Candidate& candidate : proposed) {
    if (checked.candidates.size() == limits.most_candidates) break;
    ++seen;
    // Checked first: inspecting a large text takes long.
    const bool fits = candidate.path.size() + candidate.text.size() <= room;
    if (!fits) {
      ++too_large;
    } else if (!put_right(candidate)) {
      ++wrong;
    } else if (size_of(candidate) > room) {
      ++too_large;
    } else {
      room -= size_of(candidate);
      checked.candidates.push_back(std::move(candidate));
    }
  }
  add_remark(checked.remark, proposed.size() - seen, " beyond the most that are taken");
  add_remark(checked.remark, too_large, " with more text than is taken");
  add_remark(checked.remark, wrong, " with a path or range that cannot be");
  return checked;
}

}  // namespace clever::context::internal
