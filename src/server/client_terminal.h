#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "io/owned_terminal.h"
#include "server/client_command.h"

namespace clever::server {

/// The terminal of a client, for a view that runs here: what it writes travels as events of the
/// command, and ClientCommand::typed() brings the keys.
///
/// Used by one thread, except for wake().
class ClientTerminal final : public io::OwnedTerminal {
 public:
  ClientTerminal(std::shared_ptr<ClientCommand> command, base::Clock& clock, Mode mode);
  ~ClientTerminal() override;
  ClientTerminal(const ClientTerminal&) = delete;
  ClientTerminal& operator=(const ClientTerminal&) = delete;

  base::Result<io::TerminalInput> wait(std::optional<std::chrono::milliseconds> patience) override;
  void wake() const override;
  [[nodiscard]] io::TerminalSize size() const override;
  base::Result<void> write(std::string_view bytes) override;
  void suspend() override;
  void resume() override;
  /// `unavailable`: a program here has no terminal, and one there is not ours to start.
  base::Result<int> run(const std::vector<std::string>& argv,
                        const std::filesystem::path& folder) override;

 private:
  void tell(std::string_view what, model::Document content) const;

  const std::shared_ptr<ClientCommand> command_;
  base::Clock& clock_;
};

}  // namespace clever::server
