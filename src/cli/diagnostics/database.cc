#include <chrono>

#include "base/redact.h"
#include "cli/database_url.h"
#include "cli/diagnostics/sections.h"
#include "io/disk.h"
#include "io/file.h"
#include "io/socket_probe.h"

namespace clever::cli {
namespace {

using Check = Checks::Check;

base::Deadline patience(Context& context) {
  return base::Deadline::after(context.clock(), std::chrono::seconds{2});
}

Check sqlite_content(const std::filesystem::path& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  const auto head = io::read_head(path, kMagic.size());
  if (!head.ok()) return {"reachable", Verdict::kFail, head.error().sentence(), ""};
  // SQLite makes the file before it writes its first page.
  if (head->empty()) return {"reachable", Verdict::kOk, "empty", ""};
  if (*head == kMagic) return {"reachable", Verdict::kOk, "a readable SQLite file", ""};
  return {"reachable", Verdict::kFail, "the file is not a SQLite database",
          "move it away, or point database.url elsewhere"};
}

struct Prober {
  Context& context;

  Check operator()(const SqliteFile& file) const {
    if (file.path.empty()) return {"reachable", Verdict::kOk, "in memory", ""};
    const auto path = context.directory() / file.path;
    const auto facts = io::place_facts(path);
    if (facts.ok() && facts->is_directory) {
      return {"reachable", Verdict::kFail, path.string() + " is a directory", ""};
    }
    if (facts.ok()) return sqlite_content(path);
    if (facts.error().code() != base::ErrorCode::kNotFound) {
      return {"reachable", Verdict::kFail, facts.error().sentence(), ""};
    }
    return {"reachable", Verdict::kOk, "not created yet", ""};
  }
  Check operator()(const PostgresHost& place) const {
    return judged(io::probe_tcp(place.host, place.port, patience(context)));
  }
  Check operator()(const PostgresSocket& place) const {
    return judged(io::probe_unix_socket(place.path, patience(context)));
  }

 private:
  static Check judged(const base::Result<void>& outcome) {
    if (outcome.ok()) return {"reachable", Verdict::kOk, "takes connections", ""};
    return {"reachable", Verdict::kFail, outcome.error().sentence(),
            "is the server running, and database.url right?"};
  }
};

}  // namespace

Checks check_database(Context& context) {
  const auto& settings = context.settings();
  const std::string url = settings.ok() ? settings->text("database.url") : "";
  const auto address = database_address(url, context.home());
  Checks section{"database", {}};
  const std::string shown =
      url.empty() ? "sqlite:" + (context.home() / "cleveragents.db").string() : base::redact(url);
  section.checks.push_back({"url", Verdict::kOk, shown, ""});
  if (address.ok()) {
    section.checks.push_back(std::visit(Prober{context}, *address));
  } else {
    section.checks.push_back({"reachable", Verdict::kFail, address.error().sentence(),
                              "agents config set database.url URL"});
  }
  return section;
}

}  // namespace clever::cli
