#include "io/public_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace clever::io {
namespace {

struct Network4 {
  std::uint32_t network;
  unsigned bits;
};

// IANA's registry of special-purpose addresses: everything that is not globally reachable.
constexpr std::array<Network4, 14> kSpecial = {{{0x00000000, 8},
                                                {0x0a000000, 8},
                                                {0x64400000, 10},
                                                {0x7f000000, 8},
                                                {0xa9fe0000, 16},
                                                {0xac100000, 12},
                                                {0xc0000000, 24},
                                                {0xc0000200, 24},
                                                {0xc0a80000, 16},
                                                {0xc6120000, 15},
                                                {0xc6336400, 24},
                                                {0xcb007100, 24},
                                                {0xe0000000, 4},
                                                {0xf0000000, 4}}};

bool is_public(std::uint32_t address) {
  return std::ranges::none_of(kSpecial, [address](const Network4& special) {
    return ((address ^ special.network) >> (32 - special.bits)) == 0;
  });
}

std::uint32_t last_four(const in6_addr& address) {
  std::uint32_t value = 0;
  for (std::size_t i = 12; i < 16; ++i) value = value << 8U | address.s6_addr[i];
  return value;
}

bool is_public(const in6_addr& address) {
  const std::array<unsigned char, 16> bytes = std::to_array(address.s6_addr);
  if (IN6_IS_ADDR_V4MAPPED(&address)) return is_public(last_four(address));
  // 64:ff9b::/96 leads to IPv4 too.
  if (bytes[0] == 0x00 && bytes[1] == 0x64) return false;
  // Only 2000::/3 is assigned; 6to4 and Teredo tunnel anywhere, 2001:db8:: is for documentation.
  if ((bytes[0] & 0xe0U) != 0x20U) return false;
  const bool sixtofour = bytes[0] == 0x20 && bytes[1] == 0x02;
  const bool special =
      bytes[0] == 0x20 && bytes[1] == 0x01 && (bytes[2] < 0x02 || bytes[2] == 0x0d);
  return !sixtofour && !special;
}

}  // namespace

bool is_public(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof(four));
    return is_public(ntohl(four.sin_addr.s_addr));
  }
  if (address.ss_family != AF_INET6) return false;
  sockaddr_in6 six{};
  std::memcpy(&six, &address, sizeof(six));
  return is_public(six.sin6_addr);
}

}  // namespace clever::io
