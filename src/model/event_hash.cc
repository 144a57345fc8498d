#include "model/event_hash.h"

#include <string>

namespace clever::model {
namespace {

void add_bytes(std::string& out, std::span<const std::uint8_t> bytes) {
  out.append(bytes.begin(), bytes.end());
}

void add_number(std::string& out, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) {
    out.push_back(
        static_cast<char>(static_cast<unsigned char>(number >> static_cast<unsigned>(shift))));
  }
}

void add_signed(std::string& out, std::int64_t number) {
  add_number(out, static_cast<std::uint64_t>(number));
}

void add_text(std::string& out, std::string_view text) {
  add_number(out, text.size());
  out.append(text);
}

}  // namespace

base::Sha256Digest event_hash(const base::Sha256Digest& previous, const StoredEvent& event,
                              std::span<const base::Sha256Digest> bodies) {
  constexpr std::size_t kFixed = 32 + 16 + 4 * 8 + 3 * 8;
  std::string encoded;
  encoded.reserve(kFixed + event.kind.size() + event.data.size() + bodies.size() * 32);
  add_bytes(encoded, previous.bytes());
  add_bytes(encoded, event.plan.ulid().bytes());
  add_signed(encoded, event.sequence);
  add_signed(encoded, event.version);
  add_signed(encoded, event.epoch);
  add_signed(encoded, to_microseconds(event.time));
  add_text(encoded, event.kind);
  add_text(encoded, event.data);
  add_number(encoded, bodies.size());
  for (const base::Sha256Digest& body : bodies) add_bytes(encoded, body.bytes());
  return base::sha256(encoded);
}

}  // namespace clever::model
