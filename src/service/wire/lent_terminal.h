#pragma once
// Private to the module.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "base/thread.h"
#include "io/owned_terminal.h"
#include "model/document.h"

namespace clever::service {

/// The terminal of this process while a server shows a view on it: passes on what the person types.
///
/// Used by one thread. While the view has the terminal, a thread of its own waits for keys.
class LentTerminal {
 public:
  struct Parts {
    std::unique_ptr<io::OwnedTerminal> terminal{};
    /// Takes what was typed, as /v1/commands/{command}/terminal does; false: try again later.
    /// Called by the thread that waits for keys.
    std::function<bool(const model::Document& typed, const base::StopToken& stop)> send{};
    /// The person pressed Ctrl-C while the server could not be reached.
    std::function<void()> on_leave{};
  };
  explicit LentTerminal(Parts parts);
  ~LentTerminal();
  LentTerminal(const LentTerminal&) = delete;
  LentTerminal& operator=(const LentTerminal&) = delete;

  base::Result<void> write(std::string_view bytes) { return parts_.terminal->write(bytes); }
  /// Lets the person answer a question that is read as a line or a key.
  void suspend();
  void resume();
  /// Runs an editor; returns its exit code.
  base::Result<int> run(const std::vector<std::string>& argv);

 private:
  void start();
  void pass_on(const base::StopToken& stop);

  const Parts parts_;
  /// The number of the last message; owned by the thread while there is one.
  std::int64_t number_ = 0;
  // Last: it uses those above.
  std::optional<base::Thread> keys_;
};

}  // namespace clever::service
