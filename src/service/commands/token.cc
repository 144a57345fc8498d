#include "service/commands/token.h"

#include <utility>

#include "base/text.h"
#include "io/file.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/timestamp.h"

namespace clever::service {

TokenDatabase::TokenDatabase(std::shared_ptr<storage::Engine> engine, Context& context)
    : engine_(std::move(engine)),
      context_(&context),
      caller_(context.caller() == nullptr ? command_line_caller() : *context.caller()) {}

base::Result<TokenDatabase> TokenDatabase::open(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const auto url, database_url(invocation, context));
  CLEVER_TRY(require_lasting(url));
  auto engine = context.databases().open(url, engine_options(context), context.stop());
  if (!engine.ok()) return blame_file(engine.error());
  return TokenDatabase(*std::move(engine), context);
}

base::Result<std::optional<std::filesystem::path>> secret_file(const Invocation& invocation,
                                                               Context& context) {
  const auto typed = invocation.value("output");
  if (!typed) {
    if (context.screen().output_is_terminal) return std::nullopt;
    return base::invalid_argument(
        "a secret is shown at a terminal only: --output FILE writes it to a file that you alone "
        "can read");
  }
  const std::filesystem::path file = context.directory() / *typed;
  if (io::file_kind(file) == io::FileKind::kMissing) return file;
  return base::already_exists(file.string() + " is there already");
}

base::Result<void> show_secret(Report& report, std::string_view key, const std::string& secret,
                               const std::optional<std::filesystem::path>& file) {
  if (!file) {
    report.data.set(key, secret);
    report.view.emplace_back(Prose{{{{secret, Tone::kStrong}}}});
    return {};
  }
  CLEVER_TRY(io::write_file_atomically(*file, secret + "\n"));
  report.data.set("file", file->string());
  report.view.emplace_back(Prose{{{{"it is in " + file->string()}}}});
  return {};
}

Table tokens_table(const std::vector<storage::AccessToken>& tokens, const base::Clock& clock) {
  Table table{"", {"token", "person", "scopes", "namespaces", "state", "expires", "label"}, {}};
  for (const storage::AccessToken& token : tokens) {
    const std::string_view state = state_of(token, clock);
    table.rows.push_back({{token.id.to_string(), Tone::kStrong},
                          {token.person},
                          {base::joined(token.rights)},
                          {token.namespaces.empty() ? "all" : base::joined(token.namespaces)},
                          {std::string(state), state == "valid" ? Tone::kGood : Tone::kDim},
                          {timestamp(base::WallTime(token.expires)).substr(0, 10), Tone::kDim},
                          {token.label}});
  }
  return table;
}

Command token_command() {
  return {.name = "token",
          .summary = "Create, list and revoke the tokens of a server's callers",
          .description =
              "A token names a person, what they may do (scopes) and where (namespaces). Creating "
              "and revoking take effect at once, also for a running server.\n\nScopes: read looks "
              "at everything; run creates, prompts, corrects, resumes and cancels plans; approve "
              "approves, rejects, applies and undoes; admin manages tokens, people, projects and "
              "settings.",
          .examples = {{"agents token create ada --scope read --scope run",
                        "Ada may read, and run plans"},
                       {"agents token list", "All tokens, without their text"},
                       {"agents token revoke ID", "End one"}},
          .subcommands = {token_create_command(), token_link_command(), token_list_command(),
                          token_revoke_command()}};
}

}  // namespace clever::service
