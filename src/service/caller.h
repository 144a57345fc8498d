#pragma once
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/context.h"
#include "service/invocation.h"
#include "service/report.h"

// Who asks for an operation, and what each operation takes. The command line and the server come
// in through the same call().
namespace clever::service {

enum class Right : std::uint8_t {
  kRead,     // looks
  kRun,      // has plans work
  kApprove,  // answers for a person: what may be done, and what lands
  kAdmin,    // trust, settings, projects, the store
};
/// "read", "run", "approve", "admin"
[[nodiscard]] std::string_view to_string(Right right) noexcept;
[[nodiscard]] std::optional<Right> parse_right(std::string_view name) noexcept;

/// A set of rights. A value.
class Rights {
 public:
  constexpr Rights() = default;
  constexpr Rights(std::initializer_list<Right> rights) {
    for (const Right right : rights) add(right);
  }
  [[nodiscard]] static constexpr Rights all() {
    return {Right::kRead, Right::kRun, Right::kApprove, Right::kAdmin};
  }

  constexpr void add(Right right) { bits_ = static_cast<std::uint8_t>(bits_ | bit(right)); }
  [[nodiscard]] constexpr bool has(Right right) const { return (bits_ & bit(right)) != 0; }
  /// In the order of Right.
  [[nodiscard]] std::vector<std::string_view> names() const;

  friend constexpr bool operator==(Rights, Rights) = default;

 private:
  static constexpr std::uint8_t bit(Right right) {
    return static_cast<std::uint8_t>(1U << static_cast<std::uint8_t>(right));
  }
  std::uint8_t bits_ = 0;
};

/// Who asks. A value.
struct Caller {
  /// For messages and the audit log: "the command line", "this token", "ada".
  std::string name{};
  Rights rights{};
  /// The id of the token they came with; empty: the home's own, or none.
  std::string token{};
  /// When that token ends.
  std::optional<base::WallTime> until{};
  /// To which they are bound; none: they see all.
  std::optional<std::vector<std::string>> namespaces{};
  /// The folders of these namespaces' projects; plans of others do not exist for them.
  std::vector<std::filesystem::path> projects{};

  [[nodiscard]] bool sees_namespace(std::string_view space) const;
  [[nodiscard]] bool sees_project(const std::filesystem::path& folder) const;
};
/// The person at the command line, who may do everything.
[[nodiscard]] Caller command_line_caller();

/// Who acts, for the journal: the caller, at the command line the account.
[[nodiscard]] std::string person_name(const Context& context);

/// `permission_denied` names the right that is missing.
[[nodiscard]] base::Result<void> require(const Caller& caller, Right right);

/// The right that an operation takes whatever its options are, by its path without the program's
/// name ("plan status"). Admin for one that is not in the table.
[[nodiscard]] Right right_of(std::string_view operation) noexcept;
/// Whether the table of rights names it: a test holds it against the command tree.
[[nodiscard]] bool has_right_of_its_own(std::string_view operation) noexcept;
/// All that one call takes: a plan that lands by itself takes the right to approve as well.
[[nodiscard]] Rights rights_for(const CommandPath& operation, const Invocation& invocation);

/// Runs an operation for a caller: the only entrance to handlers. `permission_denied` before the
/// handler has seen anything. `operation` is the invocation's path, unless an option stands for
/// another operation (--version).
[[nodiscard]] base::Result<Report> call(const CommandPath& operation, const Invocation& invocation,
                                        const Caller& caller, Context& context);

}  // namespace clever::service
