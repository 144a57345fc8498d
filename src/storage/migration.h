#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "storage/engine.h"

namespace clever::storage {

/// One step of the schema. The text is written once for both engines, with these words for their
/// differences:
// clang-format off
///   word               SQLite                             PostgreSQL
///   INT64              INTEGER                            BIGINT
///   STRING             TEXT                               TEXT COLLATE "C"
///   BYTES              BLOB                               BYTEA
///   REAL               REAL                               DOUBLE PRECISION
///   SERIAL             INTEGER PRIMARY KEY AUTOINCREMENT  BIGINT GENERATED … PRIMARY KEY
///   ROW_NUMBER         INTEGER PRIMARY KEY                BIGINT GENERATED … PRIMARY KEY
///   TABLE_OPTIONS      STRICT                             (nothing)
///   CLUSTERED_OPTIONS  STRICT, WITHOUT ROWID              (nothing)
// clang-format on
/// ROW_NUMBER is cheaper on SQLite, but may reuse the number of a deleted last row. Words inside
/// comments and names are translated too if they stand alone: harmless. A released step never
/// changes: the database stores its digest, and the program compares it.
struct Migration {
  std::int64_t version;
  std::string_view name;
  std::string_view sql;
};

/// The steps of this program, versions 1, 2, 3, … in order.
[[nodiscard]] std::span<const Migration> schema();

/// Translates the text into an engine's own words.
[[nodiscard]] std::string in_dialect(std::string_view sql, Dialect dialect);

}  // namespace clever::storage
