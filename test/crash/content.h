#pragma once
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/ulid.h"
#include "model/id.h"

// What belongs to a tag: whoever knows the tag knows what must be stored. A tag is a number that no
// other operation of any run has.
namespace clever::storage::crash {

inline constexpr std::string_view kStep = "crash.step";
inline constexpr std::string_view kConsumed = "crash.consumed";
inline constexpr std::string_view kQueue = "crash";
inline constexpr std::string_view kEffectQueue = "effects";
inline constexpr std::string_view kScope = "crash";

[[nodiscard]] inline std::int64_t tag_of(int run, int process, int thread, int operation) {
  return ((std::int64_t{run} * 8 + process) * 64 + thread) * 1'000'000 + operation;
}

[[nodiscard]] inline std::string content_of(std::int64_t tag) {
  return std::to_string(tag) + ":" + std::string(static_cast<std::size_t>(tag % 700), 'c');
}

/// The tag that a content begins with, or a text of JSON names; -1 if there is none.
[[nodiscard]] inline std::int64_t tag_in(std::string_view content) {
  constexpr std::string_view kName = R"("tag":)";
  if (const std::size_t at = content.find(kName); at != std::string_view::npos) {
    content.remove_prefix(at + kName.size());
  }
  std::int64_t tag = -1;
  std::from_chars(content.data(), content.data() + content.size(), tag);
  return tag;
}

[[nodiscard]] inline std::string step_data(std::int64_t tag, int part) {
  return R"({"tag":)" + std::to_string(tag) + R"(,"part":)" + std::to_string(part) +
         R"(,"text":")" + std::string(static_cast<std::size_t>(tag % 300), 's') + R"("})";
}

[[nodiscard]] inline std::string key_of(std::int64_t tag) { return "k" + std::to_string(tag); }

/// For effects and decisions.
template <class Id>
[[nodiscard]] Id id_of_tag(std::int64_t tag) {
  base::Ulid::Bytes bytes{2};
  for (std::size_t i = 0; i < sizeof(tag); ++i) {
    bytes[15 - i] = static_cast<std::uint8_t>(tag >> (8 * i));
  }
  return Id(base::Ulid(bytes));
}

}  // namespace clever::storage::crash
