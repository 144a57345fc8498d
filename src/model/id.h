#pragma once
#include <compare>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/ulid.h"

namespace clever::model {

/// The id of one kind of thing: a ULID whose type prevents mixing kinds. The default value stands
/// for none. A value.
template <class Kind>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(base::Ulid ulid) : ulid_(ulid) {}
  /// Parses the 26 characters of a ULID.
  [[nodiscard]] static base::Result<Id> parse(std::string_view text) {
    CLEVER_ASSIGN(const base::Ulid ulid, base::Ulid::parse(text));
    return Id(ulid);
  }

  [[nodiscard]] constexpr const base::Ulid& ulid() const { return ulid_; }
  [[nodiscard]] std::string to_string() const { return ulid_.to_string(); }
  explicit operator bool() const { return *this != Id(); }

  friend constexpr auto operator<=>(const Id&, const Id&) = default;

 private:
  base::Ulid ulid_;
};

using PlanId = Id<struct PlanTag>;
using DecisionId = Id<struct DecisionTag>;
using EffectId = Id<struct EffectTag>;
/// One run of a program that owns plans: a process, from its start to its end.
using OwnerId = Id<struct OwnerTag>;

}  // namespace clever::model

template <class Kind>
struct std::hash<clever::model::Id<Kind>> {
  [[nodiscard]] std::size_t operator()(const clever::model::Id<Kind>& id) const noexcept {
    return std::hash<clever::base::Ulid>()(id.ulid());
  }
};
