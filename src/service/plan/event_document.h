#pragma once
#include <string>

#include "model/document.h"
#include "model/event.h"

namespace clever::service {

/// {plan_id, sequence, time, kind, version, data, epoch, hash}: an event as programs get it.
[[nodiscard]] model::Document event_document(const model::StoredEvent& event);

/// {plan_id, sequence, time, kind, data} and a line's end: an event of a stream.
[[nodiscard]] std::string event_line(const model::StoredEvent& event);

}  // namespace clever::service
