#include <chrono>

#include "base/redact.h"
#include "io/disk.h"
#include "io/environment.h"
#include "io/file.h"
#include "io/socket_probe.h"
#include "service/diagnostics/sections.h"
#include "storage/database_url.h"

namespace clever::service {
namespace {

using Check = Checks::Check;
using storage::DatabaseUrl;

base::Deadline patience(Context& context) {
  return base::Deadline::after(context.clock(), std::chrono::seconds{2});
}

Check judged_schema(const storage::Inspection& found) {
  const std::string version = "schema version " + std::to_string(found.facts.schema_version);
  const auto pending = storage::pending_steps(found);
  if (found.applied.empty()) return {"reachable", Verdict::kOk, "empty", ""};
  if (!pending.ok()) return {"reachable", Verdict::kFail, pending.error().sentence(), ""};
  if (pending->empty()) return {"reachable", Verdict::kOk, version, ""};
  return {"reachable", Verdict::kOk, version + ", upgraded when it is used next", ""};
}

struct Prober {
  Context& context;
  const DatabaseUrl& url;

  Check operator()(const DatabaseUrl::Memory& /*memory*/) const {
    return {"reachable", Verdict::kOk, "in memory", ""};
  }
  Check operator()(const DatabaseUrl::File& file) const {
    const auto facts = io::place_facts(file.path);
    if (facts.ok() && facts->is_directory) {
      return {"reachable", Verdict::kFail, file.path.string() + " is a directory", ""};
    }
    if (facts.ok()) return look_inside();
    if (facts.error().code() != base::ErrorCode::kNotFound) {
      return {"reachable", Verdict::kFail, facts.error().sentence(), ""};
    }
    return {"reachable", Verdict::kOk, "not created yet", ""};
  }
  Check operator()(const DatabaseUrl::Postgres& server) const {
    const std::filesystem::path folder = server.host.empty() ? "/var/run/postgresql" : server.host;
    if (!folder.is_absolute()) {
      return judged(io::probe_tcp(server.host, server.port, patience(context)));
    }
    const auto socket = folder / (".s.PGSQL." + std::to_string(server.port));
    return judged(io::probe_unix_socket(socket, patience(context)));
  }

 private:
  Check look_inside() const {
    const auto found = context.databases().inspect(url, context.stop());
    if (found.ok()) return judged_schema(*found);
    return {"reachable", Verdict::kFail, found.error().sentence(),
            "`agents db status` says what can be done"};
  }
  static Check judged(const base::Result<void>& outcome) {
    if (outcome.ok()) return {"reachable", Verdict::kOk, "takes connections", ""};
    return {"reachable", Verdict::kFail, outcome.error().sentence(),
            "check that the server runs and that database.url is right"};
  }
};

}  // namespace

Checks check_database(Context& context) {
  const auto& settings = context.settings();
  const std::string text = settings.ok() ? settings->text("database.url") : "";
  const auto url = DatabaseUrl::parse(text, {.home = context.home(),
                                             .directory = context.directory(),
                                             .user = io::user_home(context.environment())});
  Checks section{"database", {}};
  section.checks.push_back(
      {"url", Verdict::kOk, url.ok() ? url->normalised() : base::redact(text), ""});
  if (url.ok()) {
    section.checks.push_back(std::visit(Prober{context, *url}, url->address()));
  } else {
    section.checks.push_back({"reachable", Verdict::kFail, url.error().sentence(),
                              "agents config set database.url URL"});
  }
  return section;
}

}  // namespace clever::service
