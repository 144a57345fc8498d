#pragma once
#include <map>
#include <string>

// What of the schema `db verify` compares. A table that a migration adds has a line here: the test
// of edits by hand fails for one that is missing, for a column that is not found although its table
// is covered, and for a reason that is out of date.
namespace clever::storage {

struct TableCover {
  /// What shows an edit of the table's rows; empty if nothing does.
  std::string by{};
  /// Why nothing shows that a row was deleted; empty if it is shown.
  std::string deletions_unseen{};
};

inline const std::map<std::string, TableCover>& table_covers() {
  static const std::map<std::string, TableCover> kCovers{
      {"journal", {.by = "the chain of its events, the epoch of its lease, its lease"}},
      {"event", {.by = "the chain of hashes"}},
      {"body", {.by = "its hash; the events that name it"}},
      {"event_body", {.by = "the chain of hashes, which takes in those of contents"}},
      {"effect", {.by = "the events"}},
      {"plan", {.by = "the events"}},
      {"decision", {.by = "the events"}},
      {"changeset", {.by = "the events"}},
      {"change_entry", {.by = "the events"}},
      {"budget_entry", {.by = "the events"}},
      {"budget_reservation", {.by = "the events"}},
      {"inbox", {.by = "digests of the command and of its answer; its seal"}},
      {"model_call", {.by = "its digest; its seal"}},
      {"budget", {.by = "the digest of its caps, the sum of its shares; its seal"}},
      {"seal", {.by = "the rows that it seals"}},
      {"budget_seal", {.by = "the rows that it seals"}},
      {"lease", {.by = "the journal's epoch; digests of its holder and home"}},
      {"workspace",
       {.by = "its digest",
        .deletions_unseen = "the folder is there without a row, and cleanup names it"}},
      {"rate_limit",
       {.by = "its digest", .deletions_unseen = "the limit is learned anew from the next answer"}},
      {"rate_lane", {.deletions_unseen = "pauses and turns of the moment; made anew when needed"}},
      {"circuit", {.deletions_unseen = "says only whom to probe; the next failure opens it again"}},
      {"person", {.by = "its digest; tokens that refer to it"}},
      {"access_token",
       {.by = "its digest", .deletions_unseen = "it opens nothing then; the audit names it"}},
      {"audit", {.by = "the chain of its hashes"}},
      {"audit_head", {.by = "the last entry of the audit"}},
      {"tombstone", {.by = "the chain of their hashes, leases and shares of their plans"}},
      {"snapshot", {.deletions_unseen = "nothing reads or writes it"}},
      {"job", {.deletions_unseen = "changes with each claim; rebuild puts back jobs of effects"}},
      {"job_lane", {.deletions_unseen = "locks of the moment"}},
      {"session", {.deletions_unseen = "names of conversations; their plans have journals"}},
      {"session_message", {.deletions_unseen = "what was said is in the journals of its plans"}},
      {"worker", {.deletions_unseen = "who takes jobs at the moment; written again each second"}},
      {"schema_migration", {.deletions_unseen = "compared with the program at every opening"}},
      {"sqlite_sequence", {.deletions_unseen = "SQLite takes the largest id if it is larger"}},
  };
  return kCovers;
}

/// Columns of covered tables that nothing shows an edit of, and why.
inline const std::map<std::string, std::string>& uncovered_columns() {
  static const std::map<std::string, std::string> kColumns{
      {"event.position", "the order over all plans, which nothing follows"},
      {"body.id", "contents are found by their hash"},
      {"inbox.received", "shown to people"},
      {"access_token.used", "moves with every use"},
      {"lease.expires", "moves with every renewal; the epoch decides who may write"},
      {"rate_limit.next", "moves with every call"},
      {"workspace.created", "shown to people"},
      {"workspace.updated", "shown to people"},
  };
  return kColumns;
}

}  // namespace clever::storage
