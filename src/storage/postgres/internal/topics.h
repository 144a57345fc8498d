#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The payload of NOTIFY between engines: the sender's name, then the topics, one per line.
namespace clever::storage::postgres {

inline constexpr std::string_view kChannel = "clever";
/// The server accepts less than 8000 bytes.
inline constexpr std::size_t kMostPayload = 7900;

/// Sorted and unique.
[[nodiscard]] std::vector<std::string> coalesced(std::vector<std::string> topics);

/// "SENDER\ntopic\ntopic"; "SENDER\n*" (everything) if they do not fit or cannot be encoded.
[[nodiscard]] std::string payload_of(std::string_view sender,
                                     const std::vector<std::string>& topics);

struct TopicNews {
  std::string_view sender;
  /// None: everything.
  std::optional<std::vector<std::string>> topics;
};
/// A payload of another program reads as "everything".
[[nodiscard]] TopicNews read_payload(std::string_view payload);

}  // namespace clever::storage::postgres
