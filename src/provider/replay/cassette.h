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

// Cassettes record the model requests of a run and their answers. JSON lines: a header with the
// version, then one line for each answer, in order of arrival. An incomplete last line, left by a
// crash, is ignored. Values; safe to share.
namespace clever::provider {

/// The parts of a request that identify its answer, as JSON text with sorted keys: no ids (tool
/// calls are numbered in order of appearance), no signatures, no search results for the task
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

/// The line of an entry, with its line end. Masks known secrets in the answer; everything else is
/// kept byte for byte.
[[nodiscard]] std::string to_line(const CassetteEntry& entry, const base::Redactor& redactor);
/// The first line of every cassette.
[[nodiscard]] std::string cassette_header();

struct Cassette {
  /// Its origin, for messages.
  std::string file{};
  std::vector<CassetteEntry> entries{};
  /// Whether an incomplete last line was left out.
  bool cut_off = false;

  /// The models that it answers for, "provider/model", in order of first use.
  [[nodiscard]] std::vector<std::string> models() const;

  static constexpr std::size_t kMostBytes = std::size_t{1} << 30U;

  /// `invalid_argument` names file, line and key and says what would be right.
  [[nodiscard]] static base::Result<Cassette> parse(std::string_view text, std::string file);
  [[nodiscard]] static base::Result<Cassette> load(const std::filesystem::path& path);
};

/// The difference between two canonical requests, line by line, for a person: lines of the recorded
/// one begin with -, lines of the present one with +. Bounded.
[[nodiscard]] std::string request_difference(std::string_view recorded, std::string_view asked);

}  // namespace clever::provider
