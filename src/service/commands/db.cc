#include "service/commands/db.h"

#include <variant>

#include "io/environment.h"
#include "service/commands/commands.h"

namespace clever::service {
namespace {

using base::ErrorCode;
using storage::DatabaseUrl;

base::Error no_database(const DatabaseUrl& url) {
  return base::not_found("no database exists yet at " + url.normalised());
}

bool is_server(const DatabaseUrl& url) {
  return std::holds_alternative<DatabaseUrl::Postgres>(url.address());
}

std::string_view server_cure(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound:
      return "create the database with `createdb`, and its tables with `agents db migrate`";
    case ErrorCode::kUnavailable:
      return "check that the server runs and that database.url is right; `agents diagnostics` "
             "tests both";
    case ErrorCode::kPermissionDenied:
      return "check the user and password in database.url, and this user's rights";
    case ErrorCode::kCorruption:
      return "read the server's log; `pg_restore` restores a dump";
    default:
      return "";
  }
}

std::string_view file_cure(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound:
      return "`agents db migrate` creates it; `agents config get database.url` shows where";
    case ErrorCode::kPermissionDenied:
      return "make the file and its folder readable and writable for this user";
    case ErrorCode::kCorruption:
      return "if it is the right file: end all agents, move it aside together with its -wal and "
             "-shm, and put a backup in its place; without one, `sqlite3 FILE .recover` saves "
             "what can be read";
    default:
      return "";
  }
}

Report failure(const base::Error& error, const DatabaseUrl& url) {
  // A value that the database refuses is not a mistake in the command line.
  const base::Error shown = error.code() == ErrorCode::kInvalidArgument ? blame_file(error) : error;
  // The message about a damaged file already says what to do.
  const bool says_it_all = error.code() == ErrorCode::kCorruption && !is_server(url);
  return failed(shown, says_it_all ? std::string() : std::string(cure(error.code(), url)));
}

}  // namespace

base::Result<DatabaseUrl> database_url(const Invocation& invocation, Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  auto url = DatabaseUrl::parse(settings->text("database.url"),
                                {.home = context.home(),
                                 .directory = context.directory(),
                                 .user = io::user_home(context.environment())});
  if (url.ok()) return url;
  const bool typed = invocation.value("database").has_value();
  base::Error error = typed ? url.error() : blame_file(url.error());
  return std::move(error).add_context(typed ? "--database" : "database.url");
}

std::string_view cure(ErrorCode code, const DatabaseUrl& url) {
  if (code == ErrorCode::kResourceExhausted) {
    return "free some disk space; no completed work is lost";
  }
  if (code == ErrorCode::kCancelled) return "the database is intact; run the command again";
  return is_server(url) ? server_cure(code) : file_cure(code);
}

base::Result<Report> with_database(DatabaseWork work, const Invocation& invocation,
                                   Context& context) {
  CLEVER_ASSIGN(const auto url, database_url(invocation, context));
  auto outcome = work(url, invocation, context);
  return outcome.ok() ? std::move(outcome).value() : failure(outcome.error(), url);
}

base::Result<void> require_lasting(const DatabaseUrl& url) {
  if (!std::holds_alternative<DatabaseUrl::Memory>(url.address())) return {};
  return base::invalid_argument(
      url.normalised() + " is gone when the program ends; set database.url to a file or a server");
}

storage::EngineOptions engine_options(Context& context) {
  const auto& settings = context.settings();
  storage::EngineOptions options;
  if (settings.ok() && settings->text("database.synchronous") == "normal") {
    options.synchronous = storage::Synchronous::kNormal;
  }
  return options;
}

base::Result<std::shared_ptr<storage::Engine>> open_existing(const DatabaseUrl& url,
                                                             Context& context, Schema schema) {
  CLEVER_TRY(require_lasting(url));
  CLEVER_ASSIGN(const auto found, context.databases().inspect(url, context.stop()));
  if (found.applied.empty()) return no_database(url);
  CLEVER_ASSIGN(const auto pending, storage::pending_steps(found));
  storage::EngineOptions options = engine_options(context);
  if (schema == Schema::kAsItIs) {
    options.migrations = options.migrations.first(options.migrations.size() - pending.size());
  }
  return context.databases().open(url, options, context.stop());
}

Option database_option() {
  return {.name = "database",
          .value = "URL",
          .summary = "Use this database instead of the setting database.url"};
}

std::string grouped(std::uint64_t number) {
  constexpr std::size_t kGroup = 3;
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > kGroup;) text.insert(at -= kGroup, ",");
  return text;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  return grouped(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

Command db_command() {
  return {.name = "db",
          .summary = "Inspect, upgrade, check and back up the database",
          .description =
              "Plans, their journals and jobs live in one database: a SQLite file in "
              "~/.cleveragents unless database.url names another, or a PostgreSQL server.\n\n"
              "All of these may run while agents work. Ctrl-C ends any of them cleanly.",
          .examples = {{"agents db status", "Where it is, how large, which version"},
                       {"agents db verify", "Check every page and every hash"},
                       {"agents db backup ~/agents-backup.db", "A copy while others work"}},
          .subcommands = {db_status_command(), db_migrate_command(), db_verify_command(),
                          db_rebuild_command(), db_backup_command(), db_vacuum_command()}};
}

}  // namespace clever::service
