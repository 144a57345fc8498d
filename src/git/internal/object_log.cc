#include "git/internal/object_log.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>

namespace clever::git::internal {
namespace {

constexpr std::string_view kMagic = "CLVGIT1\n";
constexpr std::size_t kCoveredHead = kMagic.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t);
constexpr std::size_t kHeadSize = kCoveredHead + sizeof(std::uint32_t);
constexpr std::size_t kRowSize = ObjectId::kSize + 4 + sizeof(std::uint32_t) + 16;

template <class T>
void append_number(std::string& text, T number) {
  static_assert(std::is_unsigned_v<T>);
  for (std::size_t i = 0; i < sizeof number; ++i) {
    text += static_cast<char>(static_cast<unsigned char>(number >> (8U * i)));
  }
}

// Takes a number off the front.
template <class T>
T take_number(std::string_view& text) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    number |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8U * i);
  }
  text.remove_prefix(sizeof(T));
  return static_cast<T>(number);
}

void append_row(std::string& table, const ObjectFacts& facts) {
  table.append(reinterpret_cast<const char*>(facts.id.bytes().data()), ObjectId::kSize);
  table += static_cast<char>(facts.kind);
  table += static_cast<char>(facts.deflated ? 1 : 0);
  append_number(table, std::uint16_t{0});
  append_number(table, facts.crc);
  append_number(table, facts.stored_size);
  append_number(table, facts.size);
}

std::optional<ObjectFacts> take_row(std::string_view& table) {
  ObjectId::Bytes id{};
  std::memcpy(id.data(), table.data(), id.size());
  table.remove_prefix(id.size());
  const auto kind = take_number<std::uint8_t>(table);
  const auto deflated = take_number<std::uint8_t>(table);
  const auto zero = take_number<std::uint16_t>(table);
  ObjectFacts facts{.id = ObjectId(id), .kind = static_cast<ObjectKind>(kind)};
  facts.deflated = deflated == 1;
  facts.crc = take_number<std::uint32_t>(table);
  facts.stored_size = take_number<std::uint64_t>(table);
  facts.size = take_number<std::uint64_t>(table);
  if (kind < 1 || kind > 4 || deflated > 1 || zero != 0) return std::nullopt;
  if (!facts.deflated && facts.size != facts.stored_size) return std::nullopt;
  return facts;
}

struct Frame {
  std::vector<LoggedObject> objects{};
  std::uint64_t end = 0;
};

// A possible frame header, with the length that it announces.
struct FrameHead {
  std::uint32_t count = 0;
  std::uint64_t bytes_size = 0;
  std::uint32_t crc = 0;
};

std::optional<FrameHead> head_from(std::string_view text, std::uint64_t room) {
  if (!text.starts_with(kMagic)) return std::nullopt;
  text.remove_prefix(kMagic.size());
  FrameHead head;
  head.count = take_number<std::uint32_t>(text);
  head.bytes_size = take_number<std::uint64_t>(text);
  head.crc = take_number<std::uint32_t>(text);
  const std::uint64_t table_size = std::uint64_t{head.count} * kRowSize;
  if (table_size > room || head.bytes_size > room - table_size) return std::nullopt;
  return head;
}

std::optional<Frame> frame_from(std::string_view table, const FrameHead& head,
                                std::uint64_t bytes_offset) {
  Frame frame{.end = bytes_offset + head.bytes_size};
  std::uint64_t offset = bytes_offset;
  for (std::uint32_t i = 0; i < head.count; ++i) {
    const auto facts = take_row(table);
    if (!facts || facts->stored_size > frame.end - offset) return std::nullopt;
    frame.objects.push_back({*facts, offset});
    offset += facts->stored_size;
  }
  if (offset != frame.end) return std::nullopt;
  return frame;
}

// Returns the frame at `offset`, if it is there in full length. Does not check its objects' bytes.
base::Result<std::optional<Frame>> frame_at(const LogSource& source, std::uint64_t offset) {
  if (source.size - offset < kHeadSize) return std::optional<Frame>();
  CLEVER_ASSIGN(const std::string text, source.read(offset, kHeadSize));
  const std::uint64_t table_offset = offset + kHeadSize;
  const auto head = head_from(text, source.size - table_offset);
  if (!head) return std::optional<Frame>();
  const std::size_t table_size = std::size_t{head->count} * kRowSize;
  CLEVER_ASSIGN(const std::string table, source.read(table_offset, table_size));
  const auto covered = checksum(std::string_view(text).substr(0, kCoveredHead));
  if (checksum(table, covered) != head->crc) return std::optional<Frame>();
  return frame_from(table, *head, table_offset + table_size);
}

base::Result<bool> bytes_are_whole(const LogSource& source, const Frame& frame) {
  for (const LoggedObject& object : frame.objects) {
    CLEVER_ASSIGN(const std::string bytes,
                  source.read(object.offset, static_cast<std::size_t>(object.facts.stored_size)));
    if (checksum(bytes) != object.facts.crc) return false;
  }
  return true;
}

// Returns whether a whole frame begins anywhere after `offset`.
base::Result<bool> frame_follows(const LogSource& source, std::uint64_t offset) {
  constexpr std::size_t kStep = std::size_t{1} << 20U;
  for (std::uint64_t at = offset; at < source.size; at += kStep) {
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(kStep + kMagic.size() - 1, source.size - at));
    CLEVER_ASSIGN(const std::string text, source.read(at, count));
    for (std::size_t found = text.find(kMagic); found != std::string::npos;
         found = text.find(kMagic, found + 1)) {
      CLEVER_ASSIGN(const auto frame, frame_at(source, at + found));
      if (frame) return true;
    }
  }
  return false;
}

}  // namespace

std::uint64_t frame_head_size(std::size_t count) { return kHeadSize + count * kRowSize; }

std::string frame_of(std::span<const std::shared_ptr<const StoredObject>> objects) {
  std::string table;
  std::uint64_t bytes_size = 0;
  for (const auto& object : objects) {
    append_row(table, object->facts);
    bytes_size += object->bytes.size();
  }
  std::string frame;
  frame.reserve(kHeadSize + table.size() + bytes_size);
  frame += kMagic;
  append_number(frame, static_cast<std::uint32_t>(objects.size()));
  append_number(frame, bytes_size);
  append_number(frame, checksum(table, checksum(frame)));
  frame += table;
  for (const auto& object : objects) frame += object->bytes;
  return frame;
}

base::Result<LogScan> scan_log(const LogSource& source, std::uint64_t start) {
  LogScan scan{.end = std::min(start, source.size)};
  std::optional<Frame> last;
  while (true) {
    const std::uint64_t begin = last ? last->end : scan.end;
    CLEVER_ASSIGN(auto next, frame_at(source, begin));
    if (!next) break;
    if (last) {
      std::ranges::move(last->objects, std::back_inserter(scan.objects));
      scan.end = last->end;
    }
    last = std::move(next);
  }
  if (last) {
    CLEVER_ASSIGN(const bool whole, bytes_are_whole(source, *last));
    if (whole) {
      std::ranges::move(last->objects, std::back_inserter(scan.objects));
      scan.end = last->end;
    }
  }
  if (scan.end < source.size) {
    CLEVER_ASSIGN(const bool follows, frame_follows(source, scan.end + 1));
    if (follows) {
      return base::corruption("a log of the object store is damaged at byte " +
                              std::to_string(scan.end));
    }
  }
  return scan;
}

}  // namespace clever::git::internal
