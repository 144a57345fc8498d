#pragma once
#include <string_view>

namespace clever::storage {

/// The text of a statement, known at compile time, so that outside data can only be a parameter
/// ($1, $2, …). One text serves both engines where their languages agree; otherwise there are two.
/// `clever_now()` is the database's clock in microseconds since 1970 on both.
///
/// A value; engines identify prepared statements by the text's address, which is the same for one
/// source line.
class Sql {
 public:
  // Implicit, so that a literal can be passed as a statement.
  consteval Sql(const char* both) : sqlite_(both), postgres_(both) {}
  consteval Sql(const char* sqlite, const char* postgres) : sqlite_(sqlite), postgres_(postgres) {}

  [[nodiscard]] constexpr std::string_view sqlite() const { return sqlite_; }
  [[nodiscard]] constexpr std::string_view postgres() const { return postgres_; }

 private:
  std::string_view sqlite_;
  std::string_view postgres_;
};

}  // namespace clever::storage
