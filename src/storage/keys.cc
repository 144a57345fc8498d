#include "storage/keys.h"

#include <algorithm>

namespace clever::storage {
namespace {

constexpr std::string_view kPlanPrefix = "plan/";

template <class Bytes>
Bytes bytes_of(std::string_view text) {
  Bytes bytes{};
  if (text.size() == bytes.size()) std::ranges::copy(text, bytes.begin());
  return bytes;
}

}  // namespace

base::Sha256Digest digest_of(std::string_view bytes) {
  return base::Sha256Digest(bytes_of<base::Sha256Digest::Bytes>(bytes));
}

base::Ulid ulid_of(std::string_view bytes) {
  return base::Ulid(bytes_of<base::Ulid::Bytes>(bytes));
}

std::string plan_name(const model::PlanId& plan) {
  std::string name(kPlanPrefix);
  return name += plan.to_string();
}

std::string inbox_name(const model::PlanId& plan) { return "inbox/" + plan.to_string(); }

model::PlanId plan_of(std::string_view name) {
  if (!name.starts_with(kPlanPrefix)) return {};
  return model::PlanId::parse(name.substr(kPlanPrefix.size())).value_or(model::PlanId());
}

}  // namespace clever::storage
