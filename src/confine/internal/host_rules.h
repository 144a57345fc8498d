#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::confine::internal {

/// A host and port of a request; the host without brackets, in lower case.
struct Destination {
  std::string host;
  std::uint16_t port = 0;
};

/// Parses "example.org:443", "[::1]:80"; the default port is `fallback`. `invalid_argument`
/// otherwise.
[[nodiscard]] base::Result<Destination> parse_destination(std::string_view text,
                                                          std::uint16_t fallback);

/// Whether a name or address means this machine: "localhost", "127.0.0.1", "::1", "0.0.0.0".
[[nodiscard]] bool is_this_machine(const std::string& host);

/// Which hosts a command may reach. Immutable; safe to share.
class HostRules {
 public:
  /// "example.org", "*.example.org" (everything below it), "example.org:8080"; the default ports
  /// are 80 and 443. "*" is every public host on every port. A service of this machine is listed
  /// with its port: "127.0.0.1:11434", "localhost:11434" and "[::1]:11434" mean the same.
  /// `invalid_argument` names the text that is wrong.
  [[nodiscard]] static base::Result<HostRules> parse(const std::vector<std::string>& texts);

  enum class Verdict : std::uint8_t {
    kRefused,
    /// Only at addresses of the public internet: the DNS server of a listed domain could otherwise
    /// lead into this machine or its local network.
    kPublicOnly,
    kAnywhere,  // listed by name
  };
  [[nodiscard]] Verdict judge(const Destination& destination) const;
  /// The listed ports of this machine. Sorted.
  [[nodiscard]] const std::set<std::uint16_t>& machine_ports() const { return machine_ports_; }

 private:
  struct Rule {
    std::string host;
    bool below = false;
    bool any = false;
    std::optional<std::uint16_t> port;
  };
  [[nodiscard]] static bool matches(const Rule& rule, const Destination& destination);

  std::vector<Rule> rules_;
  std::set<std::uint16_t> machine_ports_;
};

}  // namespace clever::confine::internal
