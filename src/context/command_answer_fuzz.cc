#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "context/internal/candidate_check.h"
#include "context/internal/command_answer.h"

// A command's output on its way to a candidate: read, mapped to bytes, checked.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever::context;
  const std::string_view output(reinterpret_cast<const char*>(data), size);
  auto answer = internal::read_command_answer(output, 20);
  CLEVER_CHECK(answer.candidates.size() <= 20, "candidates are bounded");
  std::vector<Candidate> candidates;
  for (auto& proposed : answer.candidates) {
    const auto range = internal::range_of_lines(output, proposed.first_line, proposed.last_line);
    CLEVER_CHECK(range.begin <= range.end && range.end <= output.size(),
                 "a range lies in the text");
    proposed.candidate.range = range;
    candidates.push_back(std::move(proposed.candidate));
  }
  const internal::CandidateLimits limits{.most_candidates = 10, .most_text = 500};
  for (const Candidate& candidate : internal::check_candidates(candidates, limits).candidates) {
    CLEVER_CHECK(candidate.relevance >= 0 && candidate.relevance <= 1, "a relevance is clamped");
    CLEVER_CHECK(clever::base::is_utf8(candidate.text), "a text is UTF-8");
  }
  return 0;
}
