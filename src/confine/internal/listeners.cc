#include "confine/internal/listeners.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <system_error>

namespace clever::confine::internal {
namespace {

namespace fs = std::filesystem;

// Columns of /proc/net/tcp: number, local address and port, remote, state, …; the inode is the
// tenth.
void add_sockets(const char* table, std::uint16_t port, std::set<std::string>& sockets) {
  constexpr std::string_view kListening = "0A";
  std::ifstream lines(table);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string number;
    std::string local;
    std::string remote;
    std::string state;
    words >> number >> local >> remote >> state;
    const std::size_t colon = local.rfind(':');
    if (state != kListening || colon == std::string::npos) continue;
    unsigned found = 0;
    std::from_chars(local.data() + colon + 1, local.data() + local.size(), found, 16);
    std::string inode;
    for (int i = 0; i < 6; ++i) words >> inode;
    if (found == port) sockets.insert("socket:[" + inode + "]");
  }
}

bool holds_one(const fs::path& process, const std::set<std::string>& sockets) {
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(process / "fd", unreadable)) {
    std::error_code gone;
    if (sockets.contains(fs::read_symlink(entry.path(), gone).string())) return true;
  }
  return false;
}

}  // namespace

bool listens(const fs::path& program, std::uint16_t port) {
  std::set<std::string> sockets;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) add_sockets(table, port, sockets);
  if (sockets.empty()) return false;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator("/proc", unreadable)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::error_code gone;
    if (fs::equivalent(entry.path() / "exe", program, gone) && holds_one(entry.path(), sockets)) {
      return true;
    }
  }
  return false;
}

}  // namespace clever::confine::internal
