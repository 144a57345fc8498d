#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace clever::storage::crash {

enum class Did : std::uint8_t {
  kLease,         // plan, number: the epoch
  kAppend,        // plan, tag, number: sequence of the last event, digest: of its hash
  kSend,          // plan, tag, number: the command
  kConsume,       // plan, tag: the command, number: the sequence
  kUnit,          // tag
  kRaise,         // tag, plan: the counter, number: what it was raised to
  kEnqueue,       // tag
  kClaim,         // tag, number: the attempt
  kFail,          // tag, number: the attempt
  kWillComplete,  // tag; said before it is tried, since a job that is gone leaves no trace
  kComplete,      // tag
  kRefused,       // tag: the answer was an error, so nothing of it may be there
  kFault,         // text: what should never have happened
  kCalls,         // number: how often the disk was changed
  kFinished,      // the load came to its end
};

/// What a load says about itself, mostly after a call has said done. Small enough for one atomic
/// write into a pipe. A value.
struct Report {
  Did did = Did::kFinished;
  std::int32_t plan = 0;
  std::int64_t tag = 0;
  std::int64_t number = 0;
  std::uint64_t digest = 0;
  std::array<char, 224> text{};

  [[nodiscard]] static Report fault(std::string_view what) {
    Report report{.did = Did::kFault};
    what.copy(report.text.data(), report.text.size() - 1);
    return report;
  }
  [[nodiscard]] std::string message() const { return text.data(); }
};

/// Called by many threads at once.
using Tell = std::function<void(const Report&)>;

}  // namespace clever::storage::crash
