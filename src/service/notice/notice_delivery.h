#pragma once
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "service/models.h"
#include "service/notice/notice_queue.h"
#include "service/notice/notice_targets.h"
#include "storage/engine.h"

namespace clever::service {

/// What goes to a target: the event, the plan as it is now, and what it waits for. `not_found` if
/// the plan's journal was deleted.
[[nodiscard]] base::Result<std::string> notice_body(storage::Engine& engine, const Notice& notice,
                                                    const base::Clock& clock);

/// "t=1767225600,v1=HEX": HMAC-SHA-256 of "TIME.BODY".
[[nodiscard]] std::string notice_signature(const NoticeTarget& target, std::int64_t unix_time,
                                           std::string_view body);

/// Makes one attempt. An address must answer with 2xx (redirects are not followed), a command must
/// end with 0. A notice that no target wants any more, or whose plan is gone, is delivered. Blocks.
[[nodiscard]] base::Result<void> deliver_notice(storage::Engine& engine,
                                                const NoticeTargets& targets, const Notice& notice,
                                                Models& models, base::Clock& clock,
                                                const base::StopToken& stop);

}  // namespace clever::service
