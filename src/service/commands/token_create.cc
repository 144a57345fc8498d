#include <utility>

#include "base/number.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/token.h"

namespace clever::service {
namespace {

base::Result<TokenRequest> token_request(const Invocation& invocation) {
  TokenRequest request{.person = invocation.word(0),
                       .label = std::string(invocation.value("label").value_or("")),
                       .scopes = invocation.values("scope"),
                       .namespaces = invocation.values("namespace")};
  if (const auto days = invocation.value("days")) {
    request.days = base::to_number<std::int64_t>(*days).value_or(0);
  }
  return request;
}

base::Result<Report> make_token(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const TokenRequest request, token_request(invocation));
  CLEVER_ASSIGN(const auto file, secret_file(invocation, context));
  CLEVER_ASSIGN(const TokenDatabase database, TokenDatabase::open(invocation, context));
  base::SystemRandom random;
  CLEVER_ASSIGN(const NewToken made, create_token(database.desk(), request, random));
  Report report;
  report.data = document_of(made.token, context.clock());
  report.view = {tokens_table({made.token}, context.clock())};
  CLEVER_TRY(show_secret(report, "token", made.text, file));
  if (!file) {
    report.messages.push_back(
        {Message::Level::kHint, "copy it now: its text is not stored and cannot be shown again"});
  }
  return report;
}

}  // namespace

Command token_create_command() {
  return {
      .name = "create",
      .summary = "Create a token for a person",
      .description =
          "Shows the token's text once at a terminal, or writes it to a new file. The database "
          "keeps only its SHA-256.",
      .positionals = {{.name = "PERSON", .summary = "The person; created if new"}},
      .options = {{.name = "scope",
                   .value = "SCOPE",
                   .summary = "A right that it grants; may be repeated",
                   .choices = {"read", "run", "approve", "admin"},
                   .repeated = true},
                  {.name = "namespace",
                   .value = "NAME",
                   .summary = "Bind it to the projects of this namespace; may be repeated",
                   .repeated = true},
                  {.name = "days", .value = "N", .summary = "Days until it expires (default: 90)"},
                  {.name = "label", .value = "TEXT", .summary = "What it is for"},
                  {.name = "output",
                   .value = "FILE",
                   .summary = "Write its text to this new file, which you alone can read"},
                  database_option()},
      .examples = {{"agents token create ada --scope read --scope run --namespace web",
                    "Ada may run plans on the projects of one namespace"},
                   {"agents token create ci --scope run --days 7 --output ci.token",
                    "For a program, in a file"}},
      .handler = make_token};
}

}  // namespace clever::service
