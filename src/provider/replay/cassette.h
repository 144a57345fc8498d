#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/redact.h"
#include "base/result.h"
#include "base/sha256.h"
#include "provider/answer.h"
#include "provider/failure.h"
#include "provider/request.h"

// Cassettes: what was asked of models in a run, and what they answered. JSON lines: a header with
// the version, then one line for each answer, in the order in which they came. A line that a crash
// left incomplete at the end is not counted. Values; safe to share.
namespace clever::provider {

/// What of a request decides which answer fits it, as JSON text with sorted keys: no ids (tool
/// calls are numbered as they appear), no signatures, nothing that was found for the task
/// (ModelRequest::found_parts), images by their hash, secrets redacted.
[[nodiscard]] std::string canonical_request(std::string_view provider, const std::string& model,
                                            const ModelRequest& request,
                                            const base::Redactor& redactor);

struct CassetteEntry {
  /// canonical_request().
  std::string request{};
  base::Sha256Digest digest{};
  std::variant<ModelAnswer, Failure> result{};
};

/// The line of an entry, with its line end. Known secrets are masked in what the answer says; all
/// else comes back byte for byte.
[[nodiscard]] std::string to_line(const CassetteEntry& entry, const base::Redactor& redactor);
/// The first line of every cassette.
[[nodiscard]] std::string cassette_header();

struct Cassette {
  /// Where it came from, for messages.
  std::string file{};
  std::vector<CassetteEntry> entries{};
  /// Whether the last line was incomplete and left out.
  bool cut_off = false;

  /// Whom it answers for, "provider/model", in the order in which they were first asked.
  [[nodiscard]] std::vector<std::string> models() const;

  static constexpr std::size_t kMostBytes = std::size_t{1} << 30U;

  /// `invalid_argument` names file, line and key and says what would be right.
  [[nodiscard]] static base::Result<Cassette> parse(std::string_view text, std::string file);
  [[nodiscard]] static base::Result<Cassette> load(const std::filesystem::path& path);
};

/// The difference between two canonical requests, line by line, for a person: what is only in the
/// recorded one begins with -, what is only in the asked one with +. Bounded.
[[nodiscard]] std::string request_difference(std::string_view recorded, std::string_view asked);

}  // namespace clever::provider
