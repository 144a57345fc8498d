#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "model/id.h"
#include "storage/value.h"

// How ids and hashes are written into columns, and the names of plans for leases and topics.
namespace clever::storage {

[[nodiscard]] inline Blob to_blob(std::span<const std::uint8_t> bytes) {
  return {std::string(bytes.begin(), bytes.end())};
}
[[nodiscard]] inline Blob to_blob(const base::Sha256Digest& digest) {
  return to_blob(digest.bytes());
}
template <class Kind>
[[nodiscard]] Blob to_blob(const model::Id<Kind>& id) {
  return to_blob(id.ulid().bytes());
}
/// NULL for none.
template <class Kind>
[[nodiscard]] Value to_blob_or_null(const model::Id<Kind>& id) {
  return id ? Value(to_blob(id)) : Value(Null{});
}

/// All zeros unless there are 32 bytes; other lengths come only from edits by hand.
[[nodiscard]] base::Sha256Digest digest_of(std::string_view bytes);
[[nodiscard]] base::Ulid ulid_of(std::string_view bytes);
/// None unless there are 16 bytes: for NULL, for example.
template <class Id>
[[nodiscard]] Id id_of(std::string_view bytes) {
  return Id(ulid_of(bytes));
}

/// "plan/ID": the plan's lease, and the topic that is notified when its journal or inbox grows.
[[nodiscard]] std::string plan_name(const model::PlanId& plan);
/// "inbox/ID": the topic that is notified when the plan's inbox alone grows.
[[nodiscard]] std::string inbox_name(const model::PlanId& plan);
/// The plan of such a name; none for other names.
[[nodiscard]] model::PlanId plan_of(std::string_view name);

}  // namespace clever::storage
