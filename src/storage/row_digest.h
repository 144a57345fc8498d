#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "model/id.h"
#include "storage/value.h"

// Digests of rows that no journal holds: written by the statement that writes the row, and compared
// by RowVerify. Pure functions. A row written before schema version 9 has none.
namespace clever::storage {

/// Of the values with their types, in their order.
[[nodiscard]] Blob row_digest(std::span<const Value> values);

/// Of a command as it was sent; its body is covered by the fingerprint.
[[nodiscard]] Blob command_digest(const model::PlanId& plan, const std::string& key,
                                  const Blob& fingerprint);
/// Of how it was answered.
[[nodiscard]] Blob receipt_digest(std::int64_t command, const model::PlanId& plan,
                                  std::int64_t consumed, const std::string& receipt);
/// Of who holds a lease; NULL for nobody.
[[nodiscard]] Blob holder_digest(const std::string& name, const Value& owner,
                                 const std::string& host, const std::string& boot);
/// Of where the files of a lease's plan are.
[[nodiscard]] Blob home_digest(const std::string& name, const std::string& home,
                               const std::string& folder);
/// Of a tombstone and all before it.
[[nodiscard]] Blob tombstone_hash(const Blob& before, std::int64_t number,
                                  const model::PlanId& plan, const std::string& data);
/// Of what a scope may cost.
[[nodiscard]] Blob caps_digest(const std::string& scope, std::int64_t money, std::int64_t tokens);

}  // namespace clever::storage
