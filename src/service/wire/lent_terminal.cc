#include "service/wire/lent_terminal.h"

#include <chrono>
#include <utility>

#include "service/wire/wire_document.h"

namespace clever::service {
namespace {

using model::Document;

constexpr std::chrono::milliseconds kBetweenAttempts{200};
constexpr char kCtrlC = '\x03';

/// What was typed since the last message.
struct Typed {
  std::string bytes{};
  bool resized = false;
  bool ended = false;

  [[nodiscard]] bool is_empty() const { return bytes.empty() && !resized && !ended; }
  void add(const io::TerminalInput& input) {
    bytes += input.bytes;
    resized = resized || input.resized;
    ended = ended || input.ended;
  }
};

Document typed_document(const Typed& typed, std::int64_t number, const io::TerminalSize& size) {
  return Document::map()
      .set("number", number)
      .set("text", bytes_document(typed.bytes))
      .set("columns", static_cast<std::int64_t>(size.columns))
      .set("rows", static_cast<std::int64_t>(size.rows))
      .set("resized", typed.resized)
      .set("ended", typed.ended);
}

}  // namespace

LentTerminal::LentTerminal(Parts parts) : parts_(std::move(parts)) { start(); }

LentTerminal::~LentTerminal() = default;

void LentTerminal::start() {
  keys_.emplace("keys", [this](const base::StopToken& stop) { pass_on(stop); });
}

// A message that may have arrived is repeated as it was; what is typed meanwhile waits.
void LentTerminal::pass_on(const base::StopToken& stop) {
  const base::StopCallback on_stop(stop, [this] { parts_.terminal->wake(); });
  std::optional<Document> unsent;
  Typed next;
  while (!stop.stop_requested()) {
    if (!unsent && !next.is_empty()) {
      unsent = typed_document(std::exchange(next, {}), ++number_, parts_.terminal->size());
    }
    if (unsent && parts_.send(*unsent, stop)) {
      const bool over = flag_at(*unsent, "ended");
      unsent.reset();
      if (over) return;
      if (!next.is_empty()) continue;
    }
    const auto input =
        parts_.terminal->wait(unsent ? std::optional(kBetweenAttempts) : std::nullopt);
    if (!input.ok()) return;
    next.add(*input);
    if (unsent && input->bytes.find(kCtrlC) != std::string::npos) return parts_.on_leave();
  }
}

void LentTerminal::suspend() {
  keys_.reset();
  parts_.terminal->suspend();
}

void LentTerminal::resume() {
  parts_.terminal->resume();
  start();
}

base::Result<int> LentTerminal::run(const std::vector<std::string>& argv) {
  keys_.reset();
  auto code = parts_.terminal->run(argv, {});
  start();
  return code;
}

}  // namespace clever::service
