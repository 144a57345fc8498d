#include "server/limits.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "base/number.h"
#include "config/schema.h"

namespace clever::server {
namespace {

using http::Limits;

struct Limit {
  std::string_view key;
  /// A size or a number; a time.
  std::variant<std::size_t Limits::*, std::chrono::milliseconds Limits::*> member;
};

constexpr auto kLimits = std::to_array<Limit>({
    {"server.limits.header", &Limits::header_bytes},
    {"server.limits.body", &Limits::body_bytes},
    {"server.limits.requests_each", &Limits::requests_per_connection},
    {"server.limits.streams_each", &Limits::streams_per_connection},
    {"server.limits.connections", &Limits::connections},
    {"server.limits.per_address", &Limits::connections_per_address},
    {"server.limits.streams", &Limits::streams},
    {"server.limits.read_head", &Limits::read_head},
    {"server.limits.read_body", &Limits::read_body},
    {"server.limits.write", &Limits::write},
    {"server.limits.idle", &Limits::idle},
});

base::Error too_small(const Limit& limit) {
  return base::invalid_argument(std::string(limit.key) +
                                ": expected more than 0, and no percentage");
}

}  // namespace

base::Result<Limits> limits_of(const config::Settings& settings) {
  Limits limits{};
  for (const Limit& limit : kLimits) {
    const std::string text(settings.text(limit.key));
    if (const auto* time = std::get_if<std::chrono::milliseconds Limits::*>(&limit.member)) {
      limits.*(*time) = config::duration_of(text);
      if ((limits.*(*time)).count() == 0) return too_small(limit);
      continue;
    }
    // A percentage is of nothing.
    const auto number = base::to_number<std::size_t>(text);
    const std::size_t value = number ? *number : config::size_of(text, /*whole=*/0);
    if (value == 0) return too_small(limit);
    limits.*std::get<std::size_t Limits::*>(limit.member) = value;
  }
  return limits;
}

}  // namespace clever::server
