#pragma once
#include <chrono>
#include <optional>
#include <string_view>

#include "io/http.h"

// Times in the headers of answers. Reads no clock: absolute times are measured from the answer's
// own `date`.
namespace clever::provider::internal {

using Seconds = std::chrono::sys_seconds;

/// "120ms", "6m0s", "1h2m3.5s", "22s" or a plain number of seconds. At most 30 days.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// "Sun, 06 Nov 1994 08:49:37 GMT"
[[nodiscard]] std::optional<Seconds> parse_http_date(std::string_view text);

/// "2026-01-27T12:00:30Z", with or without a fraction or an offset.
[[nodiscard]] std::optional<Seconds> parse_rfc3339(std::string_view text);

/// From the answer's `date` until `then`; nothing if the answer has no date. Never negative.
[[nodiscard]] std::optional<std::chrono::milliseconds> from_date(const io::HttpHead& head,
                                                                 std::optional<Seconds> then);

/// The wait that `retry-after-ms` or `retry-after` asks for.
[[nodiscard]] std::optional<std::chrono::milliseconds> retry_after(const io::HttpHead& head);

}  // namespace clever::provider::internal
