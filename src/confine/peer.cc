#include "confine/peer.h"

#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "base/number.h"
#include "confine/internal/addresses.h"
#include "confine/internal/supervisor.h"
#include "io/file_descriptor.h"

namespace clever::confine {
namespace {

namespace fs = std::filesystem;
using Process = std::int64_t;

struct Query {
  nlmsghdr head{};
  inet_diag_req_v2 request{};
};

// What the kernel knows of a socket.
struct Socket {
  bool is_known = true;     // false: the kernel does not say
  bool exists = true;       // false: there is none in this network namespace
  std::uint32_t inode = 0;  // 0: its process has closed it
  std::uint32_t user = 0;
};

template <class Bytes>
void put_address(const std::string& text, Bytes& to) {
  const auto parsed = internal::parse_address(text, 0);
  if (!parsed.ok()) return;
  if (parsed->bytes.ss_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &parsed->bytes, sizeof four);
    std::memcpy(&to[0], &four.sin_addr, sizeof four.sin_addr);
  } else {
    sockaddr_in6 six{};
    std::memcpy(&six, &parsed->bytes, sizeof six);
    std::memcpy(&to[0], &six.sin6_addr, sizeof six.sin6_addr);
  }
}

// The peer's socket: its source is our destination.
Query query_for(const TcpConnection& connection) {
  Query query;
  query.head = {.nlmsg_len = sizeof query,
                .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                .nlmsg_flags = NLM_F_REQUEST,
                .nlmsg_seq = 1,
                .nlmsg_pid = 0};
  const bool six = connection.peer_address.contains(':');
  query.request.sdiag_family = static_cast<std::uint8_t>(six ? AF_INET6 : AF_INET);
  query.request.sdiag_protocol = IPPROTO_TCP;
  query.request.idiag_states = ~0U;
  query.request.id.idiag_sport = htons(connection.peer_port);
  query.request.id.idiag_dport = htons(connection.own_port);
  put_address(connection.peer_address, query.request.id.idiag_src);
  put_address(connection.own_address, query.request.id.idiag_dst);
  query.request.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
  query.request.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return query;
}

Socket read_answer(const std::array<char, 4096>& answer, std::size_t size) {
  nlmsghdr head{};
  if (size < sizeof head) return {.is_known = false};
  std::memcpy(&head, answer.data(), sizeof head);
  if (head.nlmsg_type == NLMSG_ERROR && size >= sizeof head + sizeof(int)) {
    int error = 0;
    std::memcpy(&error, answer.data() + sizeof head, sizeof error);
    return {.is_known = error == -ENOENT, .exists = false};
  }
  inet_diag_msg found{};
  if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY || size < sizeof head + sizeof found) {
    return {.is_known = false};
  }
  std::memcpy(&found, answer.data() + sizeof head, sizeof found);
  return {.inode = found.idiag_inode, .user = found.idiag_uid};
}

Socket peer_socket(const TcpConnection& connection) {
  const io::FileDescriptor kernel(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  const Query query = query_for(connection);
  if (!kernel.valid() || ::send(kernel.number(), &query, sizeof query, 0) < 0) {
    return {.is_known = false};
  }
  // The kernel answers within send().
  std::array<char, 4096> answer{};
  const ssize_t size = ::recv(kernel.number(), answer.data(), answer.size(), MSG_DONTWAIT);
  return size < 0 ? Socket{.is_known = false} : read_answer(answer, static_cast<std::size_t>(size));
}

struct Stat {
  std::string name{};
  Process parent = 0;
};

// A file of /proc: a new connection reads one of each process, so without a stream.
std::string proc_text(Process process, const char* name) {
  const std::string path = "/proc/" + std::to_string(process) + "/" + name;
  const io::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 1024> bytes{};
  const ssize_t size = file.valid() ? ::read(file.number(), bytes.data(), bytes.size()) : -1;
  return size <= 0 ? std::string() : std::string(bytes.data(), static_cast<std::size_t>(size));
}

// "42 (name) S 1 …": a name may hold anything, but what follows it no ')'.
std::optional<Stat> stat_of(Process process) {
  const std::string text = proc_text(process, "stat");
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(") ");
  if (open == std::string::npos || close == std::string::npos || close + 4 > text.size()) {
    return std::nullopt;
  }
  const std::size_t begin = close + 4;
  const auto parent =
      base::to_number<Process>(std::string_view(text).substr(begin, text.find(' ', begin) - begin));
  if (!parent) return std::nullopt;
  return Stat{text.substr(open + 1, close - open - 1), *parent};
}

std::vector<Process> processes() {
  std::vector<Process> all;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator("/proc", unreadable)) {
    if (const auto number = base::to_number<Process>(entry.path().filename().string())) {
      all.push_back(*number);
    }
  }
  return all;
}

bool holds(Process process, const std::string& socket) {
  std::error_code unreadable;
  const fs::path folder = "/proc/" + std::to_string(process) + "/fd";
  for (fs::directory_iterator at(folder, unreadable), end; !unreadable && at != end;
       at.increment(unreadable)) {
    std::error_code gone;
    if (fs::read_symlink(at->path(), gone) == socket) return true;
  }
  return false;
}

bool is_supervisor(Process process) {
  return proc_text(process, "comm") == std::string(internal::kSupervisorName) + "\n";
}

// A parent that ends hands its children to another: what cannot be followed is looked at as it is.
bool is_confined(Process process) {
  constexpr int kDeepest = 4096;
  for (int depth = 0; process > 0 && depth < kDeepest; ++depth) {
    const auto stat = stat_of(process);
    if (!stat) return true;
    if (stat->name == internal::kSupervisorName) return true;
    process = stat->parent;
  }
  return false;
}

bool is_of_this_machine(const std::string& text) {
  const auto address = internal::parse_address(text, 0);
  return address.ok() && (internal::leads_here(*address) || internal::is_of_this_machine(*address));
}

}  // namespace

bool may_be_confined(const TcpConnection& connection) {
  const Socket socket = peer_socket(connection);
  // One that was reset is gone without a trace.
  if (!socket.exists && socket.is_known) return is_of_this_machine(connection.peer_address);
  if (socket.is_known && socket.inode == 0) return true;
  const std::vector<Process> all = processes();
  if (std::ranges::none_of(all, is_supervisor)) return false;
  if (!socket.is_known) return is_of_this_machine(connection.peer_address);
  const std::string name = "socket:[" + std::to_string(socket.inode) + "]";
  for (const Process process : all) {
    if (holds(process, name)) return is_confined(process);
  }
  return socket.user == ::geteuid();
}

bool may_be_confined(std::int64_t process) { return process > 0 && is_confined(process); }

}  // namespace clever::confine
