#include "storage/row_digest.h"

#include <array>
#include <bit>
#include <string_view>
#include <variant>

#include "base/sha256.h"
#include "storage/keys.h"

namespace clever::storage {
namespace {

// The length comes first, so that no two lists of values give the same bytes.
void add_bytes(base::Sha256& hash, char type, std::string_view bytes) {
  hash.update(std::string(1, type) + std::to_string(bytes.size()) + ":");
  hash.update(bytes);
}

struct DigestVisitor {
  base::Sha256& hash;
  void operator()(Null /*null*/) const { hash.update("-"); }
  void operator()(std::int64_t number) const { add_bytes(hash, 'i', std::to_string(number)); }
  void operator()(double number) const {
    add_bytes(hash, 'd', std::to_string(std::bit_cast<std::uint64_t>(number)));
  }
  void operator()(const std::string& text) const { add_bytes(hash, 't', text); }
  void operator()(const Blob& blob) const { add_bytes(hash, 'b', blob.bytes); }
  void operator()(const IntegerList& list) const {
    for (const std::int64_t number : list.values) (*this)(number);
  }
};

}  // namespace

Blob row_digest(std::span<const Value> values) {
  base::Sha256 hash;
  for (const Value& value : values) std::visit(DigestVisitor{hash}, value);
  return to_blob(hash.finish());
}

Blob command_digest(const model::PlanId& plan, const std::string& key, const Blob& fingerprint) {
  return row_digest(std::array<Value, 3>{to_blob(plan), key, fingerprint});
}

Blob receipt_digest(std::int64_t command, const model::PlanId& plan, std::int64_t consumed,
                    const std::string& receipt) {
  return row_digest(std::array<Value, 4>{command, to_blob(plan), consumed, Blob{receipt}});
}

Blob holder_digest(const std::string& name, const Value& owner, const std::string& host,
                   const std::string& boot) {
  return row_digest(std::array<Value, 4>{name, owner, host, boot});
}

Blob home_digest(const std::string& name, const std::string& home, const std::string& folder) {
  return row_digest(std::array<Value, 3>{name, home, folder});
}

Blob tombstone_hash(const Blob& before, std::int64_t number, const model::PlanId& plan,
                    const std::string& data) {
  return row_digest(std::array<Value, 4>{before, number, to_blob(plan), Blob{data}});
}

Blob caps_digest(const std::string& scope, std::int64_t money, std::int64_t tokens) {
  return row_digest(std::array<Value, 3>{scope, money, tokens});
}

}  // namespace clever::storage
