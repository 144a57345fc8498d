#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/terminal.h"
#include "model/document.h"
#include "service/command.h"
#include "service/format.h"
#include "service/invocation.h"
#include "service/screen.h"

// A command line on its way to a server, as a document. Values and pure functions.
namespace clever::service {

/// Where a client works: enough for a server to find the same project.
struct WirePlace {
  /// The id of a registered project; empty: the one that the rest leads to.
  std::string project{};
  /// Absolute, on the machine `host`.
  std::string directory{};
  /// this_host().
  std::string host{};
  /// Of the repository there, if the server asked for it: its first commits and its remotes' URLs.
  std::vector<std::string> root_commits{};
  std::vector<std::string> remotes{};
  /// They are as complete as they get.
  bool is_complete = false;

  friend bool operator==(const WirePlace&, const WirePlace&) = default;
};

/// The terminal or the pipes at the client.
struct WireTerminal {
  Format format = Format::kPlain;
  bool quiet = false;
  bool output_is_terminal = false;
  bool error_is_terminal = false;
  bool can_ask = false;
  bool reads_keys = false;
  /// An editor can open there.
  bool edits = false;
  /// A view can take it over.
  bool opens = false;
  /// It knows no cursor movement.
  bool dumb = false;
  std::size_t width = 80;
  std::size_t rows = 24;
  /// For text that is wrapped before it is rendered.
  std::size_t text_width = 80;
  Look output_look{};
  Look error_look{};
};

struct WireRequest {
  /// "plan status"
  std::string operation{};
  std::map<std::string, std::vector<std::string>, std::less<>> options{};
  std::vector<std::string> words{};
  /// By key: what the client's environment and options say.
  std::vector<std::pair<std::string, std::string>> settings{};
  /// The account at the client.
  std::string person{};
  /// Of a command that only a server does which works in the same way: work_key().
  std::string work{};
  WirePlace place{};
  WireTerminal terminal{};
};

/// "columns" and "rows", within what a terminal can have.
[[nodiscard]] io::TerminalSize size_of(const model::Document& document);

/// Names a machine as long as it runs; empty if the system does not say.
[[nodiscard]] std::string this_host();

/// The first commits and the remotes of the repository in `place.directory`, as far as git knows.
[[nodiscard]] WirePlace completed(WirePlace place);
/// Whether a URL of `theirs` means the same repository as one of `ours`: user, scheme and ".git" do
/// not count. True if one side has none.
[[nodiscard]] bool share_remote(const std::vector<std::string>& ours,
                                const std::vector<std::string>& theirs);

/// What was called, without the options that only the client reads.
[[nodiscard]] WireRequest wire_request(const CommandPath& operation, const Invocation& invocation);
[[nodiscard]] model::Document request_document(const WireRequest& request);
[[nodiscard]] WireRequest request_of(const model::Document& document);

/// The call that a client asks for, checked as a command line is. `invalid_argument` names what
/// this program does not know: the client may be of another version.
[[nodiscard]] base::Result<Invocation> invocation_of(const WireRequest& request,
                                                     const Command& root);

/// Why an operation only works on the machine itself; empty if a server can do it.
[[nodiscard]] std::string_view only_here(std::string_view operation) noexcept;
/// Whether it answers the same anywhere, so that no server is asked.
[[nodiscard]] bool is_about_this_program(std::string_view operation) noexcept;

}  // namespace clever::service
