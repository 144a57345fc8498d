#include "service/notice/notice_worker.h"

#include <string>
#include <utility>

#include "service/notice/notice_delivery.h"
#include "service/notice/notice_queue.h"

namespace clever::service {
namespace {

// A receiver that answers slowly holds up as many attempts.
constexpr unsigned kThreads = 4;

}  // namespace

NoticeWorker::NoticeWorker(const Parts& parts)
    : parts_(parts),
      jobs_(parts.engine, parts.clock, parts.random),
      pool_({.name = "notices", .threads = kThreads}),
      worker_(jobs_, pool_, parts.timers, parts.clock,
              [this](const worker::Job& job, const base::StopToken& stop, worker::Finish finish) {
                begin(job, stop, std::move(finish));
              },
              {.queue = std::string(kNoticeQueue),
               .owner = parts.owner,
               .buffer = kThreads,
               .parallel = kThreads}) {}

void NoticeWorker::begin(const worker::Job& job, const base::StopToken& stop,
                         worker::Finish finish) {
  const auto notice = parse_notice(job.body);
  if (!notice.ok()) return finish(notice.error());
  const auto done =
      deliver_notice(parts_.engine, parts_.targets, *notice, parts_.models, parts_.clock, stop);
  if (!done.ok() && stop.stop_requested()) return finish.give_back();
  finish(done);
}

}  // namespace clever::service
