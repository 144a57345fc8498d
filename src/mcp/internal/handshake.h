#pragma once
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "mcp/client.h"
#include "mcp/internal/connection.h"

namespace clever::mcp::internal {

inline constexpr std::string_view kModernRevision = "2026-07-28";
/// Newest first.
inline constexpr std::string_view kLegacyRevisions[] = {"2025-11-25", "2025-06-18"};

/// The agreement with a server.
struct Agreement {
  Era era = Era::kUnknown;
  ServerFacts facts{};
  Json capabilities = Json::object();
};

/// Finds out which revision the server supports:
///
///     server/discover answered, or refused with code -32022   -> a revision of its list
///     refused otherwise, silent for the probe's time, 4xx      -> initialize
///
/// `unavailable` if there is no common revision.
[[nodiscard]] base::Result<Agreement> agree(Connection& connection, base::Clock& clock,
                                            const ClientOptions& options,
                                            const base::StopToken& stop, base::Deadline deadline);

/// The `_meta` of every request of 2026-07-28.
[[nodiscard]] Json modern_meta(const ClientOptions& options);

/// The error that a refusal or loss means for a caller. `doing`: "tools/list".
[[nodiscard]] base::Error error_of(const Outcome& outcome, std::string_view doing);

}  // namespace clever::mcp::internal
