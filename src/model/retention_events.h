#pragma once
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "model/event.h"

namespace clever::model {

/// The payloads of an ended plan were removed, by age or for space; its events stay, and still name
/// them by hash.
struct PayloadsExpired {
  static constexpr std::string_view kKind = "payloads.expired";
  std::int64_t payloads = 0;
  std::int64_t bytes = 0;
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<PayloadsExpired> parse(std::string_view data);
  friend bool operator==(const PayloadsExpired&, const PayloadsExpired&) = default;
};

}  // namespace clever::model
