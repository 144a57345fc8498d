#include "model/internal/names.h"

namespace clever::model::internal {

base::Error unknown_name(std::span<const std::string_view> names, std::string_view text,
                         std::string_view what) {
  std::string message =
      "'" + std::string(text) + "' is not a known " + std::string(what) + "; use one of ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) message += ", ";
    message += names[i];
  }
  return base::invalid_argument(std::move(message));
}

}  // namespace clever::model::internal
