#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"

// The tokens with which this home's command line comes into servers: the file tokens.json, which
// its owner alone can read. Safe between processes.
namespace clever::service {

/// The one spelling of a server's address: "https://host:7777", "http://127.0.0.1:7777",
/// "unix:/run/agents/server.sock". "host:7777" stands for https, and for http on this
/// machine. `invalid_argument` for anything else.
[[nodiscard]] base::Result<std::string> server_address(std::string_view typed);

/// An address as the HTTP client takes it.
[[nodiscard]] std::string server_url(const std::string& address);
/// Whether an address is one of this machine's.
[[nodiscard]] bool is_address_here(std::string_view address);

/// None: no login is stored. `permission_denied` if others can read the file.
[[nodiscard]] base::Result<std::optional<std::string>> stored_token(
    const std::filesystem::path& home, const std::string& address);
/// In place of one that was stored before.
base::Result<void> store_token(const std::filesystem::path& home, const std::string& address,
                               const std::string& token, const base::StopToken& stop);
/// False if there was none.
base::Result<bool> forget_token(const std::filesystem::path& home, const std::string& address,
                                const base::StopToken& stop);
/// The servers with a login, sorted.
[[nodiscard]] base::Result<std::vector<std::string>> servers_with_login(
    const std::filesystem::path& home);

/// The token for a server: the stored one; for the socket of this home, that of its own server.
/// `permission_denied` says how to log in.
[[nodiscard]] base::Result<std::string> token_for(const std::filesystem::path& home,
                                                  const std::string& address);

}  // namespace clever::service
