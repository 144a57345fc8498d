#include "confine/internal/remarks.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace clever::confine::internal {
namespace {

// How programs report it, in the words of their libraries.
constexpr std::array<std::string_view, 16> kNetworkTexts = {"Could not resolve host",
                                                            "Could not resolve proxy",
                                                            "could not resolve host",
                                                            "Network is unreachable",
                                                            "Temporary failure in name resolution",
                                                            "Temporary failure resolving",
                                                            "Name or service not known",
                                                            "EAI_AGAIN",
                                                            "ENETUNREACH",
                                                            "ENOTFOUND",
                                                            "getaddrinfo",
                                                            "failed to lookup address information",
                                                            "no such host",
                                                            "UnknownHostException",
                                                            "unable to resolve host address",
                                                            "dial tcp: lookup"};
constexpr std::array<std::string_view, 2> kProxyTexts = {"CONNECT tunnel failed, response 403",
                                                         "is not among the hosts"};
constexpr std::array<std::string_view, 8> kMemoryTexts = {
    "Cannot allocate memory", "cannot allocate memory",  "out of memory",
    "Out of memory",          "std::bad_alloc",          "MemoryError",
    "OutOfMemoryError",       "virtual memory exhausted"};
constexpr std::array<std::string_view, 4> kProcessTexts = {"fork: Resource temporarily unavailable",
                                                           "Cannot fork", "fork: retry", "EAGAIN"};
constexpr std::array<std::string_view, 2> kFileSizeTexts = {"File too large", "EFBIG"};
constexpr std::array<std::string_view, 2> kOpenFilesTexts = {"Too many open files", "EMFILE"};

bool says(std::string_view written, std::span<const std::string_view> texts) {
  return std::ranges::any_of(
      texts, [written](std::string_view text) { return written.find(text) != written.npos; });
}

std::string network_remark(const Command& command, std::string_view written) {
  if (command.network == Network::kOff && says(written, kNetworkTexts)) {
    return "needed the network, which is off (sandbox.network)";
  }
  if (command.network == Network::kHosts &&
      (says(written, kNetworkTexts) || says(written, kProxyTexts))) {
    return "needed a host that it may not reach (sandbox.hosts)";
  }
  return {};
}

}  // namespace

std::string remark_on(const Command& command, std::string_view written) {
  if (command.unconfined) return {};
  if (std::string network = network_remark(command, written); !network.empty()) return network;
  const Limits& limits = command.limits;
  if (limits.memory > 0 && says(written, kMemoryTexts)) {
    return "used up its memory limit of " + size_text(limits.memory);
  }
  if (limits.processes > 0 && says(written, kProcessTexts)) {
    return "reached its limit of " + std::to_string(limits.processes) + " processes";
  }
  if (limits.file_size > 0 && says(written, kFileSizeTexts)) {
    return "wrote a file beyond the limit of " + size_text(limits.file_size);
  }
  if (limits.open_files > 0 && says(written, kOpenFilesTexts)) {
    return "reached its limit of " + std::to_string(limits.open_files) + " open files";
  }
  return {};
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<std::pair<unsigned, std::string_view>, 3> kUnits = {
      {{30, " GiB"}, {20, " MiB"}, {10, " KiB"}}};
  for (const auto& [shift, unit] : kUnits) {
    const std::uint64_t size = std::uint64_t{1} << shift;
    if (bytes >= size && bytes % size == 0) return std::to_string(bytes >> shift).append(unit);
  }
  return std::to_string(bytes) + " bytes";
}

}  // namespace clever::confine::internal
