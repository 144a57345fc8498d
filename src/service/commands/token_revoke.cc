#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/token.h"

namespace clever::service {
namespace {

base::Result<Report> end_tokens(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const TokenDatabase database, TokenDatabase::open(invocation, context));
  Report report;
  Document all = Document::list();
  std::vector<storage::AccessToken> revoked;
  for (const std::string& id : invocation.words()) {
    CLEVER_ASSIGN(revoked.emplace_back(), revoke_token(database.desk(), id));
    all.push(document_of(revoked.back(), context.clock()));
  }
  report.data.set("tokens", std::move(all));
  report.view = {tokens_table(revoked, context.clock())};
  return report;
}

}  // namespace

Command token_revoke_command() {
  return {.name = "revoke",
          .summary = "Revoke tokens; a server closes their streams at once",
          .positionals = {{.name = "TOKEN",
                           .summary = "Its id, as the list shows it",
                           .repeated = true}},
          .options = {database_option()},
          .examples = {{"agents token revoke 01JD4Y8N6C2V5T0S3R1Q7P9M8K", "End one"}},
          .handler = end_tokens};
}

}  // namespace clever::service
