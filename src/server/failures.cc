#include "server/failures.h"

#include <algorithm>

namespace clever::server {

std::string network_of(const std::string& address) {
  if (!address.contains(':') || address.contains('.')) return address;
  constexpr int kGroups = 4;
  std::string network;
  std::size_t from = 0;
  for (int i = 0; i < kGroups; ++i) {
    const std::size_t colon = address.find(':', from);
    // "::" stands for groups of zeros.
    if (colon == std::string::npos || colon == from) break;
    network += address.substr(from, colon - from) + ":";
    from = colon + 1;
  }
  return network + ":/64";
}

bool LoginFailures::add(const std::string& address) {
  const base::TimePoint now = clock_.now();
  return table_.with([&](Table& table) {
    auto found = table.find(address);
    if (found == table.end()) {
      if (table.size() >= kMostAddresses) forget(table, now);
      found = table.emplace(address, Failures{.since = now}).first;
    }
    Failures& failures = found->second;
    if (now - failures.since > kWindow) failures = {.since = now};
    return ++failures.count > kMostFailures;
  });
}

// What is over, or else the oldest.
void LoginFailures::forget(Table& table, base::TimePoint now) {
  std::erase_if(table, [now](const auto& entry) { return now - entry.second.since > kWindow; });
  if (table.size() < kMostAddresses) return;
  table.erase(
      std::ranges::min_element(table, {}, [](const auto& entry) { return entry.second.since; }));
}

std::size_t LoginFailures::addresses() const {
  return table_.with([](const Table& table) { return table.size(); });
}

}  // namespace clever::server
