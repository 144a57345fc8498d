#include "confine/internal/host_rules.h"

#include <algorithm>
#include <cctype>

#include "base/number.h"
#include "base/text.h"
#include "confine/internal/addresses.h"
#include "confine/world.h"

namespace clever::confine::internal {
namespace {

bool is_host(std::string_view host) {
  constexpr std::size_t kLongest = 253;
  return !host.empty() && host.size() <= kLongest && host.front() != '-' && host.front() != '.' &&
         std::ranges::all_of(host, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_' || c == ':';
         });
}

std::optional<std::uint16_t> read_port(std::string_view text) {
  const auto port = base::to_number<std::uint16_t>(text);
  return port == 0 ? std::nullopt : port;
}

struct Parts {
  std::string_view host;
  std::optional<std::string_view> port;
};

// A colon within brackets belongs to an address.
Parts host_and_port(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return {};
    const std::string_view rest = text.substr(end + 1);
    if (rest.empty()) return {.host = text.substr(1, end - 1), .port = {}};
    if (!rest.starts_with(':')) return {};
    return {.host = text.substr(1, end - 1), .port = rest.substr(1)};
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {.host = text, .port = {}};
  const std::string_view port = text.substr(colon + 1);
  // Two colons without brackets: an IPv6 address.
  if (port.find(':') != std::string_view::npos) return {.host = text, .port = {}};
  return {.host = text.substr(0, colon), .port = port};
}

base::Error odd_host(std::string_view text) {
  return base::invalid_argument("'" + std::string(text) +
                                "' is not a host: write example.org, *.example.org or "
                                "example.org:8080");
}

base::Error lacks_port(std::string_view text) {
  return base::invalid_argument("'" + std::string(text) +
                                "' is this machine; name one of its services by the port: "
                                "127.0.0.1:11434");
}

}  // namespace

base::Result<Destination> parse_destination(std::string_view text, std::uint16_t fallback) {
  const Parts parts = host_and_port(text);
  const auto port = parts.port ? read_port(*parts.port) : std::optional(fallback);
  if (!is_host(parts.host) || !port) return odd_host(text);
  return Destination{.host = base::lower_case(parts.host), .port = *port};
}

bool is_this_machine(const std::string& host) {
  if (host == "localhost") return true;
  const auto address = parse_address(host, 0);
  return address.ok() && leads_here(*address);
}

base::Result<HostRules> HostRules::parse(const std::vector<std::string>& texts) {
  HostRules rules;
  for (const std::string& text : texts) {
    if (text == "*") {
      rules.rules_.push_back({.host = {}, .any = true, .port = {}});
      continue;
    }
    const bool below = text.starts_with("*.");
    const std::string_view rest = below ? std::string_view(text).substr(2) : text;
    auto destination = parse_destination(rest, 0);
    if (!destination.ok()) return odd_host(text);
    if (!below && is_this_machine(destination->host)) {
      if (destination->port == 0) return lacks_port(text);
      rules.machine_ports_.insert(destination->port);
      continue;
    }
    rules.rules_.push_back(
        {.host = std::move(destination->host),
         .below = below,
         .port = destination->port == 0 ? std::nullopt : std::optional(destination->port)});
  }
  return rules;
}

bool HostRules::matches(const Rule& rule, const Destination& destination) {
  if (rule.any) return true;
  const bool port = rule.port ? *rule.port == destination.port
                              : destination.port == 80 || destination.port == 443;
  if (!port) return false;
  return rule.below ? destination.host.ends_with("." + rule.host) : destination.host == rule.host;
}

HostRules::Verdict HostRules::judge(const Destination& destination) const {
  if (is_this_machine(destination.host)) {
    return machine_ports_.contains(destination.port) ? Verdict::kAnywhere : Verdict::kRefused;
  }
  Verdict verdict = Verdict::kRefused;
  for (const Rule& rule : rules_) {
    if (!matches(rule, destination)) continue;
    if (!rule.below && !rule.any) return Verdict::kAnywhere;
    verdict = Verdict::kPublicOnly;
  }
  return verdict;
}

}  // namespace clever::confine::internal

namespace clever::confine {

base::Result<void> check_hosts(const std::vector<std::string>& hosts) {
  CLEVER_TRY(internal::HostRules::parse(hosts));
  return {};
}

}  // namespace clever::confine
