#include "mcp/stdio_transport.h"

#include <array>
#include <optional>
#include <tuple>
#include <utility>

#include "base/thread.h"
#include "io/descriptor_wait.h"
#include "io/sse.h"
#include "mcp/internal/last_words.h"
#include "mcp/internal/outbox.h"

namespace clever::mcp {
namespace {

using confine::ConfinedProcess;

/// Serves the three streams on its own thread.
class Pump {
 public:
  Pump(ConfinedProcess& process, const io::Bell& bell, internal::Outbox& outbox,
       TransportSink& sink, base::Clock& clock, const StdioOptions& options)
      : process_(process),
        pipes_(std::move(process.pipes())),
        bell_(bell),
        outbox_(outbox),
        sink_(sink),
        clock_(clock),
        options_(options),
        lines_(options.largest_message) {}

  void run(const base::StopToken& stop) {
    std::optional<base::Error> why;
    while (!why && !stop.stop_requested()) why = round();
    if (!why) return end_politely();
    const confine::Ending ending = end_at_once();
    const base::Error error = farewell(std::move(*why), ending);
    sink_.on_close(error);
    outbox_.close(error);
  }

 private:
  /// Returns the reason if the server ended.
  std::optional<base::Error> round() {
    if (writing_.empty()) next_line();
    std::array<io::Awaited, 4> files{
        io::Awaited{.file = &bell_.descriptor()}, io::Awaited{.file = &pipes_.output},
        io::Awaited{.file = pipes_.error.valid() ? &pipes_.error : nullptr},
        io::Awaited{.file = writing_.empty() ? nullptr : &pipes_.input, .to_write = true}};
    if (auto waited = io::wait_for_any(files, -1); !waited.ok()) return std::move(waited).error();
    if (files[0].ready) bell_.silence();
    if (files[2].ready) hear_errors();
    if (files[3].ready) write();
    return files[1].ready ? hear() : std::nullopt;
  }

  void next_line() {
    auto line = outbox_.take();
    if (!line) return;
    writing_ = std::move(*line);
    written_ = 0;
  }

  // A server that stops reading is about to end: the end of its output follows.
  void write() {
    const auto count = io::write_some(pipes_.input, std::string_view(writing_).substr(written_));
    written_ = count.ok() ? written_ + *count : writing_.size();
    if (written_ == writing_.size()) writing_.clear();
  }

  std::optional<base::Error> hear() {
    auto count = io::read_some(pipes_.output, buffer_);
    if (!count.ok()) return std::move(count).error();
    if (!count->has_value()) return std::nullopt;
    if (**count == 0) return base::unavailable("it closed its output");
    const bool short_enough = lines_.feed({buffer_.data(), **count}, [this](std::string_view line) {
      if (!line.empty()) sink_.on_message(line, std::nullopt);
    });
    if (short_enough) return std::nullopt;
    return base::resource_exhausted("it sent a message of more than " +
                                    std::to_string(options_.largest_message) + " bytes");
  }

  // Returns false at the end.
  bool hear_errors() {
    const auto count = io::read_some(pipes_.error, buffer_);
    const bool more = count.ok() && count->value_or(1) != 0;
    if (!more) pipes_.error.reset();
    if (more && count->has_value()) words_.add({buffer_.data(), **count});
    return more;
  }

  // Reads what it has already written.
  void hear_last_errors() {
    std::array<io::Awaited, 1> files{io::Awaited{.file = &pipes_.error}};
    while (pipes_.error.valid() && io::wait_for_any(files, 0).ok() && files[0].ready) {
      if (!hear_errors()) return;
    }
  }

  [[nodiscard]] base::Result<confine::Ending> wait() {
    return process_.wait({}, base::Deadline::after(clock_, options_.grace));
  }

  void end_politely() {
    outbox_.close(base::unavailable("the connection was closed"));
    pipes_.input.reset();
    if (!wait().ok()) process_.kill();
  }

  confine::Ending end_at_once() {
    pipes_.input.reset();
    auto ending = wait();
    if (!ending.ok()) {
      process_.kill();
      ending = process_.wait();
    }
    hear_last_errors();
    return ending.ok() ? *ending : confine::Ending{};
  }

  [[nodiscard]] base::Error farewell(base::Error why, const confine::Ending& ending) const {
    std::string message = "the MCP server " + options_.server_name + " is gone: " + why.message() +
                          " (exit code " + std::to_string(ending.exit_code) + ")";
    if (!ending.remark.empty()) message += "; it " + ending.remark;
    const std::string words = words_.lines();
    if (!words.empty()) message += "; its last output:\n" + words;
    return {why.code(), std::move(message)};
  }

  ConfinedProcess& process_;
  ConfinedProcess::Pipes pipes_;
  const io::Bell& bell_;
  internal::Outbox& outbox_;
  TransportSink& sink_;
  base::Clock& clock_;
  const StdioOptions& options_;
  io::LineSplitter lines_;
  internal::LastWords words_{};
  std::string writing_{};
  std::size_t written_ = 0;
  std::array<char, 65'536> buffer_{};
};

class StdioTransport final : public Transport {
 public:
  StdioTransport(std::unique_ptr<ConfinedProcess> process, io::Bell bell, base::Clock& clock,
                 StdioOptions options)
      : options_(std::move(options)),
        clock_(clock),
        process_(std::move(process)),
        bell_(std::move(bell)),
        outbox_(options_.outbox_limit) {}

  void start(TransportSink& sink) override {
    auto pump = std::make_unique<Pump>(*process_, bell_, outbox_, sink, clock_, options_);
    thread_.emplace("mcp " + options_.server_name,
                    [this, pump = std::move(pump)](const base::StopToken& stop) {
                      const base::StopCallback wake(stop, [this] { bell_.ring(); });
                      pump->run(stop);
                    });
  }

  base::Result<void> send(Outgoing message) override {
    CLEVER_TRY(outbox_.put(message));
    bell_.ring();
    return {};
  }

  bool abandon(RequestNumber number) override { return outbox_.remove(number); }
  void use_protocol(std::string_view) override {}
  [[nodiscard]] bool has_headers() const override { return false; }

 private:
  // Constant after construction.
  const StdioOptions options_;
  base::Clock& clock_;
  const std::unique_ptr<ConfinedProcess> process_;
  const io::Bell bell_;
  internal::Outbox outbox_;
  std::optional<base::Thread> thread_;
};

}  // namespace

base::Result<std::unique_ptr<Transport>> make_stdio_transport(
    std::unique_ptr<ConfinedProcess> process, base::Clock& clock, StdioOptions options) {
  for (const io::FileDescriptor* file :
       {&process->pipes().input, &process->pipes().output, &process->pipes().error}) {
    CLEVER_TRY(io::make_nonblocking(*file));
  }
  CLEVER_ASSIGN(io::Bell bell, io::Bell::create());
  return std::unique_ptr<Transport>(std::make_unique<StdioTransport>(
      std::move(process), std::move(bell), clock, std::move(options)));
}

}  // namespace clever::mcp
