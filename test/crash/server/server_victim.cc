#include "crash/server/server_victim.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <vector>

#include "base/number.h"
#include "io/file_descriptor.h"
#include "model/document_json.h"
#include "support/built_paths.h"

namespace clever::server::crash {
namespace {

constexpr std::string_view kScript = R"(
defaults: {delay: 20ms}
rules:
- match: {result: write_file}
  reply: It is written.
- match: {user_regex: 'speak (\w+)'}
  reply: It is said.
- match: {user_regex: 'write (\w+)'}
  tool_calls: {name: write_file, arguments: {path: '{1}.txt', content: "{1}\n"}}
)";

std::string first_line_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string all_from(const io::FileDescriptor& socket) {
  std::string text;
  std::array<char, 65'536> buffer;
  for (ssize_t got = 0; (got = ::recv(socket.number(), buffer.data(), buffer.size(), 0)) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

ServerVictim::ServerVictim() : home_(repository_.beside("home")) {
  repository_.write("a.txt", "a\n");
  repository_.commit();
  std::filesystem::create_directories(home_);
  const auto script = repository_.beside("script.yaml");
  std::ofstream(script) << kScript;
  configure("[provider]\nscript = \"" + script.string() + "\"\n");
}

void ServerVictim::configure(std::string_view text) const {
  std::ofstream(home_ / "config.toml", std::ios::app) << text;
}

bool ServerVictim::start(const std::string& crash_at) {
  std::vector<std::string> environment{
      "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home_.string(),
      "CLEVERAGENTS_HOME=" + home_.string(), "GIT_CONFIG_GLOBAL=/dev/null"};
  if (!crash_at.empty()) environment.push_back("CLEVER_CRASH_AT=" + crash_at);
  process_ = std::make_unique<engine::crash::Victim>(
      io::ProcessOptions{.argv = {test::agents_program(), "server", "--listen", "127.0.0.1:0"},
                         .working_directory = repository_.path(),
                         .environment = std::move(environment)});
  while (!is_ready()) {
    if (process_->work(std::chrono::milliseconds{5})) return false;
  }
  return true;
}

bool ServerVictim::is_ready() const {
  const auto reply = ask("GET", "/readyz");
  return reply && reply->status == 200;
}

std::optional<Reply> ServerVictim::ask(std::string_view method, const std::string& target,
                                       const std::string& headers, const std::string& body) const {
  const io::FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy((home_ / "server.sock").native(), static_cast<char*>(address.sun_path));
  if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    return std::nullopt;
  const std::string request =
      std::string(method) + " " + target +
      " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
      "Authorization: Bearer " +
      first_line_of(home_ / "server.token") + "\r\n" + headers +
      "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
      "\r\n\r\n" + body;
  static_cast<void>(::send(socket.number(), request.data(), request.size(), MSG_NOSIGNAL));
  const std::string text = all_from(socket);
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos || text.size() < 12) return std::nullopt;
  Reply reply{base::to_number<int>(std::string_view(text).substr(9, 3)).value_or(0),
              text.substr(end + 4)};
  // A body that was cut off is no answer.
  if (!model::parse_document(reply.body).ok()) return std::nullopt;
  return reply;
}

}  // namespace clever::server::crash
