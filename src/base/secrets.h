#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/guarded.h"
#include "base/secret_marks.h"

namespace clever::base {

namespace internal {
class KnownSecrets;
}

/// Withholds known secrets from text that arrives in pieces: also finds a secret that is split over
/// pieces. Holds back a possible beginning of a secret, never more than the longest encoding of
/// one. Owned and used by one thread.
class SecretStream {
 public:
  explicit SecretStream(std::shared_ptr<const internal::KnownSecrets> known);

  /// The text that may be passed on now.
  [[nodiscard]] std::string take(std::string_view piece);
  /// The rest, at the end of the text.
  [[nodiscard]] std::string finish();
  /// How many bytes are held back.
  [[nodiscard]] std::size_t waiting() const { return text_.size(); }

 private:
  [[nodiscard]] std::string cut(std::size_t end);

  std::shared_ptr<const internal::KnownSecrets> known_;
  std::string text_;
  /// The length of text_'s beginning that belongs to a secret whose mark was passed on.
  std::size_t covered_ = 0;
};

/// The exact values that this process knows as secrets: providers' keys, tokens, variables with a
/// secret's name. Finds a value in plain form, percent-encoded, JSON-escaped or inside base64, and
/// changes nothing else: text without one passes byte for byte. This guards the text that models
/// and tools work on; base/redact.h guesses by shape, for display only.
///
/// Cannot detect a value that was cut up, compressed, changed in case or encoded otherwise.
///
/// Thread-safe; every call works on an immutable snapshot of what was added before.
class Secrets {
 public:
  /// A shorter value would occur in ordinary text.
  static constexpr std::size_t kShortest = 12;

  Secrets();
  ~Secrets();
  Secrets(const Secrets&) = delete;
  Secrets& operator=(const Secrets&) = delete;

  /// False, without effect, for a value shorter than kShortest or part of a mark.
  bool add(std::string_view secret);

  [[nodiscard]] bool found_in(std::string_view text) const;
  /// Replaces each known value by `mark`.
  [[nodiscard]] std::string withhold(std::string_view text,
                                     std::string_view mark = kWithheld) const;
  /// Replaces each line with a known value by kLineWithheld.
  [[nodiscard]] std::string withhold_lines(std::string_view text) const;
  [[nodiscard]] SecretStream stream() const;

 private:
  [[nodiscard]] std::shared_ptr<const internal::KnownSecrets> known() const;

  Guarded<std::shared_ptr<const internal::KnownSecrets>, LockRank::kIds> known_;
};

}  // namespace clever::base
