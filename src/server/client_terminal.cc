#include "server/client_terminal.h"

#include <utility>

#include "base/deadline.h"
#include "service/wire/wire_document.h"

namespace clever::server {

using model::Document;

ClientTerminal::ClientTerminal(std::shared_ptr<ClientCommand> command, base::Clock& clock,
                               Mode mode)
    : command_(std::move(command)), clock_(clock) {
  tell("open", mode == Mode::kScreen ? "screen" : "line");
}

ClientTerminal::~ClientTerminal() { tell("close", true); }

void ClientTerminal::tell(std::string_view what, Document content) const {
  command_->emit(Document::map().set("terminal", Document::map().set(what, std::move(content))));
}

base::Result<io::TerminalInput> ClientTerminal::wait(
    std::optional<std::chrono::milliseconds> patience) {
  return command_->wait_for_typing(patience ? base::Deadline::after(clock_, *patience)
                                            : base::Deadline::never());
}

void ClientTerminal::wake() const { command_->wake_terminal(); }

io::TerminalSize ClientTerminal::size() const { return command_->terminal_size(); }

base::Result<void> ClientTerminal::write(std::string_view bytes) {
  tell("write", service::bytes_document(bytes));
  return {};
}

void ClientTerminal::suspend() { tell("suspend", true); }
void ClientTerminal::resume() { tell("resume", true); }

base::Result<int> ClientTerminal::run(const std::vector<std::string>& /*argv*/,
                                      const std::filesystem::path& /*folder*/) {
  return base::unavailable(
      "a conversation at a server runs no programs: use another terminal for them");
}

}  // namespace clever::server
