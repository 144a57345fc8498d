#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "model/id.h"
#include "storage/value.h"

// Digests of rows outside the journals: the statement that writes a row writes its digest, and
// RowVerify compares it. Pure functions. A row written before schema version 9 has none.
namespace clever::storage {

/// Of the values with their types, in order.
[[nodiscard]] Blob row_digest(std::span<const Value> values);

/// Of a command as sent; its fingerprint covers the body.
[[nodiscard]] Blob command_digest(const model::PlanId& plan, const std::string& key,
                                  const Blob& fingerprint);
/// Of a command's answer.
[[nodiscard]] Blob receipt_digest(std::int64_t command, const model::PlanId& plan,
                                  std::int64_t consumed, const std::string& receipt);
/// Of a lease's holder; NULL if it is free.
[[nodiscard]] Blob holder_digest(const std::string& name, const Value& owner,
                                 const std::string& host, const std::string& boot);
/// Of the home that has the files of a lease's plan.
[[nodiscard]] Blob home_digest(const std::string& name, const std::string& home,
                               const std::string& folder);
/// Of a tombstone and all before it.
[[nodiscard]] Blob tombstone_hash(const Blob& before, std::int64_t number,
                                  const model::PlanId& plan, const std::string& data);
/// Of a scope's caps.
[[nodiscard]] Blob caps_digest(const std::string& scope, std::int64_t money, std::int64_t tokens);

}  // namespace clever::storage
