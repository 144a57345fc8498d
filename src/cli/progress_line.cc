#include "cli/progress_line.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/utf8.h"
#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

constexpr auto kBetweenLines = std::chrono::milliseconds{100};

// Leaves out the last column, in which some terminals start a new line.
std::string cut_to(const std::string& text, std::size_t width) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    base::append_utf8(shown, next_code_point(text, at));
    if (columns(shown) + 1 >= width) break;
  }
  return shown;
}

}  // namespace

ProgressLine::ProgressLine(Write write, const base::Clock& clock, std::size_t width)
    : write_(std::move(write)), clock_(clock), width_(width) {}

std::string ProgressLine::text_of(std::string_view doing, std::uint64_t done, std::uint64_t all) {
  constexpr std::uint64_t kHundred = 100;
  std::string text(doing);
  if (all == 0) return done == 0 ? text : text + ": " + std::to_string(done);
  const auto share = std::min<std::uint64_t>(
      kHundred, static_cast<std::uint64_t>(static_cast<double>(done) / static_cast<double>(all) *
                                           static_cast<double>(kHundred)));
  return text + ": " + std::to_string(share) + " % (" + std::to_string(done) + " of " +
         std::to_string(all) + ")";
}

void ProgressLine::show(std::string_view doing, std::uint64_t done, std::uint64_t all) {
  const base::TimePoint now = clock_.now();
  if (drawn_ && doing == doing_ && now - *drawn_ < kBetweenLines) return;
  doing_ = doing;
  drawn_ = now;
  draw(cut_to(printable(text_of(doing, done, all)), width_));
}

void ProgressLine::draw(const std::string& text) {
  const std::size_t before = std::exchange(columns_, columns(text));
  static_cast<void>(write_("\r" + padded(text, before)).ok());
}

void ProgressLine::clear() {
  if (columns_ == 0) return;
  draw("");
  static_cast<void>(write_("\r").ok());
  drawn_.reset();
}

}  // namespace clever::cli
