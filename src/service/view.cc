#include "service/view.h"

namespace clever::service {

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::kOk:
      return "ok";
    case Verdict::kWarn:
      return "warn";
    case Verdict::kFail:
      break;
  }
  return "fail";
}

}  // namespace clever::service
