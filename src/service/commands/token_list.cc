#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/token.h"

namespace clever::service {
namespace {

base::Result<Report> list_tokens(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const TokenDatabase database, TokenDatabase::open(invocation, context));
  const std::string person(invocation.value("person").value_or(""));
  CLEVER_ASSIGN(const auto tokens,
                storage::Access(database.engine()).tokens(person, context.stop()));
  Report report;
  Document all = Document::list();
  for (const storage::AccessToken& token : tokens) {
    all.push(document_of(token, context.clock()));
  }
  report.data.set("tokens", std::move(all));
  if (tokens.empty()) {
    report.view = {Prose{{{{"No tokens yet. "},
                           {"agents token create PERSON --scope read", Tone::kStrong},
                           {" makes one."}}}}};
  } else {
    report.view = {tokens_table(tokens, context.clock())};
  }
  return report;
}

}  // namespace

Command token_list_command() {
  return {.name = "list",
          .aliases = {"ls"},
          .summary = "List tokens, the newest first; never their text",
          .options = {{.name = "person", .value = "NAME", .summary = "Show only this person's"},
                      database_option()},
          .examples = {{"agents token list --person ada", "Those of one person"}},
          .handler = list_tokens};
}

}  // namespace clever::service
