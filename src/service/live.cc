#include "service/live.h"

namespace clever::service {

Notify notify_from_string(std::string_view text) noexcept {
  if (text == "off") return Notify::kOff;
  return text == "desktop" ? Notify::kDesktop : Notify::kBell;
}

}  // namespace clever::service
