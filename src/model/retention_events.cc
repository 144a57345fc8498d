#include "model/retention_events.h"

#include "model/internal/json_object.h"

namespace clever::model {

Event PayloadsExpired::to_event() const {
  return {std::string(kKind), 1, internal::to_text({{"payloads", payloads}, {"bytes", bytes}})};
}

base::Result<PayloadsExpired> PayloadsExpired::parse(std::string_view data) {
  using internal::JsonObject;
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  PayloadsExpired expired;
  CLEVER_ASSIGN(expired.payloads, object.integer("payloads"));
  CLEVER_ASSIGN(expired.bytes, object.integer("bytes"));
  return expired;
}

}  // namespace clever::model
