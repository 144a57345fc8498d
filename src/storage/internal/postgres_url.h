#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "storage/database_url.h"

namespace clever::storage::internal {

/// Parses what follows `postgresql://`.
[[nodiscard]] base::Result<DatabaseUrl::Address> parse_postgres(std::string_view rest);

enum class Secrets : std::uint8_t { kLeftOut, kIncluded };
[[nodiscard]] std::string to_text(const DatabaseUrl::Postgres& address, Secrets secrets);

}  // namespace clever::storage::internal
