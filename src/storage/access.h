#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/sha256.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "model/time.h"
#include "storage/engine.h"

namespace clever::storage {

using TokenId = model::Id<struct TokenTag>;

/// A person who may have tokens. A value.
struct Person {
  std::string name{};
  model::Timestamp created{};
  /// Set once the person is removed; their tokens are void from then on.
  std::optional<model::Timestamp> removed{};

  friend bool operator==(const Person&, const Person&) = default;
};

/// What a token allows. A value; the text of the token is not part of it.
struct AccessToken {
  TokenId id{};
  std::string person{};
  /// Its purpose, in its owner's words.
  std::string label{};
  std::vector<std::string> rights{};
  /// Empty: all namespaces.
  std::vector<std::string> namespaces{};
  model::Timestamp created{};
  model::Timestamp expires{};
  std::optional<model::Timestamp> revoked{};
  /// To the minute.
  std::optional<model::Timestamp> used{};

  friend bool operator==(const AccessToken&, const AccessToken&) = default;
};

/// A token with the facts that decide whether it is valid. A value.
struct KnownToken {
  AccessToken token{};
  base::Sha256Digest hash{};
  /// True if its person was removed.
  bool orphaned = false;
};

/// People and their tokens. Changes are units of work; AuditLog::append() commits them together
/// with the entry that says who made them.
///
/// Thread-safe. The engine must outlive it.
class Access {
 public:
  /// Notified by every change.
  static constexpr std::string_view kTopic = "access";
  /// The rights of a token that may only be exchanged begin with this word.
  static constexpr std::string_view kLogin = "login";

  explicit Access(Engine& engine) : engine_(engine) {}

  /// `already_exists` for a name that is or was taken.
  [[nodiscard]] static UnitOfWork add_person(const std::string& name, model::Timestamp now);
  /// Voids the person's tokens too. `conflict` after a concurrent change.
  [[nodiscard]] static UnitOfWork remove_person(const Person& person, model::Timestamp now);
  /// `not_found` without such a person.
  [[nodiscard]] static UnitOfWork add_token(const AccessToken& token,
                                            const base::Sha256Digest& hash);
  /// `conflict` after a concurrent change.
  [[nodiscard]] static UnitOfWork revoke_token(const KnownToken& token, model::Timestamp now);
  [[nodiscard]] static UnitOfWork note_use(const TokenId& token, model::Timestamp now);
  /// Deletes a token that stands for a login, and adds the token that it is exchanged for.
  /// `conflict` if another exchanged it meanwhile.
  [[nodiscard]] static UnitOfWork exchange_token(const TokenId& code, const AccessToken& token,
                                                 const base::Sha256Digest& hash);
  /// Deletes logins that expired before `now`.
  [[nodiscard]] static UnitOfWork forget_logins(model::Timestamp now);

  /// Sorted by name.
  [[nodiscard]] base::Result<std::vector<Person>> people(
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());
  /// The newest first; an empty name lists the tokens of all people.
  [[nodiscard]] base::Result<std::vector<AccessToken>> tokens(
      const std::string& person, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());
  /// `not_found` without such a token.
  [[nodiscard]] base::Result<KnownToken> find(const TokenId& token,
                                              const base::StopToken& stop = {},
                                              base::Deadline deadline = base::Deadline::never());
  [[nodiscard]] base::Result<KnownToken> find_by_hash(
      const base::Sha256Digest& hash, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());
  /// `not_found` without such a person; removed people count.
  [[nodiscard]] base::Result<Person> find_person(const std::string& name,
                                                 const base::StopToken& stop = {},
                                                 base::Deadline deadline = base::Deadline::never());

  /// Rows that were changed by other programs: "person ada", "token 01J…".
  [[nodiscard]] base::Result<std::vector<std::string>> faults(const base::StopToken& stop = {});

 private:
  Engine& engine_;
};

}  // namespace clever::storage
