#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "base/strand.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "http/responder.h"
#include "io/owned_terminal.h"
#include "io/terminal.h"
#include "model/document.h"

namespace clever::server {

/// A command that the server does for a command line somewhere else: what it has to say goes to the
/// client as numbered events, what it asks comes back as answers. One JSON object a line:
///
///     {"n": 7, "output": …}       also error_output, say, prompt
///     {"n": 8, "question": {"number", "kind", …}}
///     {"n": 9, "terminal": {"open": "screen"}}    or "line"; write, suspend, resume, close
///     {"n": 10, "report": …}      or error; the last one
///     {"heartbeat": true}
///
/// It keeps the last events: a client whose connection broke reads on from the one it has seen. A
/// client that stays away is gone: then questions have no answer.
///
/// Thread-safe; in a std::shared_ptr. What it was given must outlive it.
class ClientCommand : public std::enable_shared_from_this<ClientCommand> {
 public:
  struct Parts {
    base::ThreadPool& pool;
    base::TimerQueue& timers;
    /// Ends the command.
    base::StopToken stop{};
    /// It only shows something: interrupted when the client is gone.
    bool only_looks = false;
    /// How long the client's token lasts; none: forever.
    std::optional<std::chrono::milliseconds> lasts{};
    /// Once, when nothing more is to be read: on a thread of the pool.
    std::function<void()> on_forgotten{};
    std::chrono::milliseconds heartbeat{15'000};
    /// So long a client may stay away, and the end be read.
    std::chrono::milliseconds grace{60'000};
  };
  /// `owner`: whose it is; no one else finds it.
  ClientCommand(const Parts& parts, std::string owner, io::TerminalSize size = {});

  [[nodiscard]] const std::string& owner() const noexcept { return owner_; }
  /// The id of the token that began it; empty: one that cannot be revoked.
  [[nodiscard]] std::string token() const { return owner_.substr(0, owner_.find('\n')); }

  // For the command.

  void emit(model::Document event);
  /// What the client answers; none at the end of its input, and from a client that is gone.
  /// `cancelled` by `stop`.
  /// `details`: what the client needs to know beside the kind.
  base::Result<std::optional<std::string>> ask(std::string_view kind, const base::StopToken& stop,
                                               model::Document details = model::Document::map());
  // Its terminal, while a view has it: see io::OwnedTerminal.
  base::Result<io::TerminalInput> wait_for_typing(base::Deadline deadline);
  void wake_terminal();
  [[nodiscard]] io::TerminalSize terminal_size() const;
  /// The last event. The stream ends behind it.
  void end(model::Document event);
  /// Of the first Ctrl-C at the client, and of the second one.
  [[nodiscard]] base::StopToken interruption() const { return first_.token(); }
  [[nodiscard]] base::StopToken insistence() const { return second_.token(); }

  // For the client.

  /// Streams the events behind `after`.
  void attach(std::int64_t after, http::Responder responder);
  /// False if no such question is open.
  bool answer(std::int64_t question, base::Result<std::optional<std::string>> text);
  /// What a person typed, as message `number`: one that came before counts once. False if the view
  /// has left too much unread.
  bool typed(std::int64_t number, const io::TerminalInput& input, io::TerminalSize size);
  void interrupt();
  /// Questions have no answer from now on.
  void abandon();
  /// Ends the stream, and lets questions go unanswered: the client's token counts no more. The work
  /// goes on, unless it only shows something.
  void cut();

 private:
  struct Event {
    std::int64_t number = 0;
    std::string line{};
  };
  struct Questions {
    std::int64_t last = 0;
    /// Of the last one, while it is open.
    std::optional<base::Result<std::optional<std::string>>> answer{};
    bool open = false;
    bool abandoned = false;
  };
  struct Typing {
    std::int64_t last = 0;
    io::TerminalInput unread{};
    io::TerminalSize size{};
  };

  void post(base::Task task);
  void keep(model::Document event);
  void send(std::string_view line);
  void begin(std::int64_t after, http::Responder responder);
  void reader_left(std::uint64_t reader);
  void arm_heartbeat(std::uint64_t reader);
  base::Timer after(std::chrono::milliseconds delay, std::move_only_function<void()> work);

  // Constant after construction.
  const Parts parts_;
  const std::string owner_;
  // Shared.
  base::StopSource first_;
  base::StopSource second_;
  base::Monitor<Questions> questions_;
  base::Monitor<Typing> typing_;
  // Strand-owned.
  std::deque<Event> events_;
  std::size_t bytes_ = 0;
  std::int64_t last_ = 0;
  bool over_ = false;
  std::uint64_t reader_ = 0;
  http::Stream stream_;
  base::Timer heartbeat_;
  base::Timer away_;
  base::Timer expiry_;
  // Last: its tasks use those above.
  base::Strand strand_;
};

}  // namespace clever::server
