#include "model/message.h"

namespace clever::model {

std::string_view to_string(Role role) noexcept {
  return role == Role::kUser ? "user" : "assistant";
}

}  // namespace clever::model
