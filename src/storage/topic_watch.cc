#include "storage/topic_watch.h"

namespace clever::storage {

TopicWatch::TopicWatch(Engine& engine, std::string topic)
    : subscription_(engine.subscribe(std::move(topic), [this] {
        changes_.update([](std::uint64_t& changes) { ++changes; });
      })) {}

std::uint64_t TopicWatch::changes() const {
  return changes_.read([](std::uint64_t changes) { return changes; });
}

base::Result<void> TopicWatch::wait(std::uint64_t seen, const base::StopToken& stop,
                                    base::Deadline deadline) {
  return changes_.wait(stop, deadline, [seen](std::uint64_t changes) { return changes != seen; });
}

}  // namespace clever::storage
