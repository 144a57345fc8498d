#include "engine/effects/internal/commit_message.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kMostSubject = 72;
constexpr std::size_t kShortestSentence = 10;
constexpr std::size_t kMostTaskBytes = 4'000;
constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kLabel = "commit:";
// Strips decoration that a model may put around its proposal.
constexpr std::string_view kDecoration = " \t\r*`\"'";

std::string_view without(std::string_view text, std::string_view characters) {
  const std::size_t first = std::min(text.find_first_not_of(characters), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(characters) + 1);
}

std::size_t characters_in(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) at += base::decode_utf8(text, at).size;
  return count;
}

// Cuts between words, if possible.
std::string cut_subject(std::string_view text) {
  if (characters_in(text) <= kMostSubject) return std::string(text);
  std::size_t end = 0;
  std::size_t gap = 0;
  for (std::size_t count = 0; count + 1 < kMostSubject; ++count) {
    if (text[end] == ' ') gap = end;
    end += base::decode_utf8(text, end).size;
  }
  return std::string(without(text.substr(0, gap > end / 2 ? gap : end), kSpaces)) + "…";
}

bool is_label(std::string_view line) {
  return line.size() > kLabel.size() &&
         std::ranges::equal(line.substr(0, kLabel.size()), kLabel, [](char c, char wanted) {
           return (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) == wanted;
         });
}

// Returns the subject that a step's summary proposes; may be empty.
std::string proposed(std::string_view summary) {
  summary = without(summary, kSpaces);
  const std::size_t line = summary.rfind('\n');
  const std::string_view last =
      without(line == std::string_view::npos ? summary : summary.substr(line + 1), kDecoration);
  if (!is_label(last)) return {};
  std::string_view subject = without(last.substr(kLabel.size()), kDecoration);
  if (subject.ends_with('.')) subject.remove_suffix(1);
  return cut_subject(subject);
}

std::vector<std::string> proposals(const plan::State& plan) {
  std::vector<std::string> all;
  for (const plan::Step& step : plan.steps) {
    std::string subject = proposed(step.summary);
    const bool is_new = std::ranges::find(all, subject) == all.end();
    if (!subject.empty() && is_new) all.push_back(std::move(subject));
  }
  return all;
}

std::string first_sentence(const std::string& title) {
  std::string_view sentence = without(title, kSpaces);
  for (const std::string_view end : {". ", "! ", "? "}) {
    const std::size_t at = sentence.find(end);
    if (at != std::string_view::npos && at >= kShortestSentence) sentence = sentence.substr(0, at);
  }
  if (sentence.ends_with('.')) sentence.remove_suffix(1);
  return cut_subject(sentence);
}

}  // namespace

std::string commit_subject(const plan::State& plan) {
  const std::vector<std::string> all = proposals(plan);
  return all.size() == 1 ? all.front() : first_sentence(plan.title);
}

std::string commit_message(const plan::State& plan, std::string_view task,
                           const base::Sha256Digest& digest) {
  const std::string subject = commit_subject(plan);
  std::string message = subject;
  const std::string body = base::to_valid_utf8(without(task, kSpaces));
  if (!body.empty() && body != subject) {
    const std::string_view shown = base::utf8_prefix(body, kMostTaskBytes);
    message += "\n\n" + std::string(shown) + (shown.size() < body.size() ? "…" : "");
  }
  if (const std::vector<std::string> all = proposals(plan); all.size() > 1) {
    message += "\n";
    for (const std::string& each : all) message += "\n- " + each;
  }
  return message + "\n\nPlan-Digest: " + digest.to_hex();
}

}  // namespace clever::engine::internal
