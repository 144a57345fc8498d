#include "base/secrets.h"

#include <algorithm>
#include <vector>

#include "base/internal/known_secrets.h"

namespace clever::base {
namespace {

using internal::KnownSecrets;
using Stretch = KnownSecrets::Stretch;

std::string replaced(std::string_view text, const std::vector<Stretch>& stretches,
                     std::string_view mark) {
  std::string out;
  std::size_t copied = 0;
  for (const Stretch& stretch : stretches) {
    out.append(text, copied, stretch.begin - copied).append(mark);
    copied = stretch.end;
  }
  return out.append(text.substr(copied));
}

// Widens each stretch to whole lines, without the last line's end.
std::vector<Stretch> whole_lines(std::string_view text, const std::vector<Stretch>& stretches) {
  std::vector<Stretch> lines;
  for (const Stretch& stretch : stretches) {
    // npos + 1 is 0.
    const std::size_t begin = stretch.begin == 0 ? 0 : text.rfind('\n', stretch.begin - 1) + 1;
    const std::size_t last = stretch.end - 1;
    const std::size_t end =
        text[last] == '\n' ? last : std::min(text.find('\n', stretch.end), text.size());
    if (!lines.empty() && begin <= lines.back().end) {
      lines.back().end = std::max(lines.back().end, end);
    } else {
      lines.push_back({begin, std::max(begin, end)});
    }
  }
  return lines;
}

}  // namespace

SecretStream::SecretStream(std::shared_ptr<const KnownSecrets> known) : known_(std::move(known)) {}

std::string SecretStream::take(std::string_view piece) {
  text_ += piece;
  return cut(known_->open_end(text_));
}

std::string SecretStream::finish() { return cut(text_.size()); }

// Passes on the text before `end`, and remembers how far a secret that begins there extends.
std::string SecretStream::cut(std::size_t end) {
  std::string out;
  std::size_t copied = std::min(covered_, end);
  std::size_t reach = covered_;
  for (const Stretch& stretch : known_->find(text_)) {
    if (stretch.begin >= end) break;
    // A stretch that overlaps a redacted one shares its mark.
    const bool is_marked = stretch.begin < reach;
    if (!is_marked) out.append(text_, copied, stretch.begin - copied).append(kWithheld);
    reach = std::max(reach, stretch.end);
    copied = std::min(reach, end);
  }
  out.append(text_, copied, end - copied);
  covered_ = reach > end ? reach - end : 0;
  text_.erase(0, end);
  return out;
}

Secrets::Secrets() : known_(std::in_place, std::make_shared<KnownSecrets>()) {}

Secrets::~Secrets() = default;

std::shared_ptr<const KnownSecrets> Secrets::known() const {
  return known_.with([](const auto& snapshot) { return snapshot; });
}

bool Secrets::add(std::string_view secret) {
  const auto holds_it = [secret](std::string_view mark) { return mark.contains(secret); };
  if (secret.size() < kShortest || std::ranges::any_of(kSecretMarks, holds_it)) return false;
  known_.with([secret](std::shared_ptr<const KnownSecrets>& known) {
    std::vector<std::string> secrets = known->secrets();
    if (std::ranges::find(secrets, secret) != secrets.end()) return;
    secrets.emplace_back(secret);
    known = std::make_shared<KnownSecrets>(std::move(secrets));
  });
  return true;
}

bool Secrets::found_in(std::string_view text) const { return !known()->find(text).empty(); }

std::string Secrets::withhold(std::string_view text, std::string_view mark) const {
  return replaced(text, known()->find(text), mark);
}

std::string Secrets::withhold_lines(std::string_view text) const {
  return replaced(text, whole_lines(text, known()->find(text)), kLineWithheld);
}

SecretStream Secrets::stream() const { return SecretStream(known()); }

}  // namespace clever::base
