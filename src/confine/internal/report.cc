#include "confine/internal/report.h"

#include "confine/internal/channel.h"
#include "confine/internal/wire.h"

namespace clever::confine::internal {
namespace {

constexpr std::size_t kHeadSize = 8;
constexpr std::size_t kLargestReport = std::size_t{1} << 20U;

base::Result<Report> decode(const std::string& body) {
  WireReader reader(body);
  const std::uint64_t kind = reader.number();
  const auto status = static_cast<int>(reader.number());
  const auto code = base::error_code_from_string(reader.text());
  std::string message = reader.text();
  CLEVER_TRY(reader.finish());
  if (kind > static_cast<std::uint64_t>(Report::Kind::kEnded) || !code) {
    return base::corruption("the supervisor sent an invalid report");
  }
  return Report{.kind = static_cast<Report::Kind>(kind),
                .status = status,
                .code = *code,
                .message = std::move(message)};
}

}  // namespace

void send_report(int socket, const Report& report) {
  WireWriter body;
  body.number(static_cast<std::uint64_t>(report.kind));
  body.number(static_cast<std::uint64_t>(report.status));
  body.text(base::to_string(report.code));
  body.text(report.message);
  const std::string bytes = std::move(body).take();
  WireWriter head;
  head.number(bytes.size());
  static_cast<void>(send_all(socket, std::move(head).take() + bytes));
}

Report failure_report(const base::Error& error) {
  return {.kind = Report::Kind::kFailed, .code = error.code(), .message = error.sentence()};
}

base::Result<Report> receive_report(int socket, std::chrono::milliseconds patience) {
  CLEVER_ASSIGN(const std::string head, receive_exactly(socket, kHeadSize, patience));
  const std::uint64_t size = WireReader(head).number();
  if (size > kLargestReport) return base::corruption("the supervisor's report is too long");
  CLEVER_ASSIGN(const std::string body, receive_exactly(socket, size, patience));
  return decode(body);
}

}  // namespace clever::confine::internal
