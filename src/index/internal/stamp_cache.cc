#include "index/internal/stamp_cache.h"

#include <algorithm>
#include <ranges>

#include "index/internal/bytes.h"
#include "index/internal/checksum.h"
#include "io/append_file.h"
#include "io/file.h"

namespace clever::index::internal {
namespace {

constexpr std::size_t kRecordSize = 5 * sizeof(std::uint64_t) + git::ObjectId::kSize;
constexpr std::size_t kHeadSize = 2 * sizeof(std::uint64_t);
constexpr std::size_t kLargestFile = std::size_t{1} << 30U;
constexpr std::size_t kMostLayers = 8;

std::uint64_t key_of(const CorpusFile::Stamp& stamp) {
  return mixing::stir(stamp.device) ^ stamp.inode;
}

void encode(const StampRecord& record, std::string& bytes) {
  store(bytes, record.stamp.device);
  store(bytes, record.stamp.inode);
  store(bytes, record.stamp.size);
  store(bytes, record.stamp.modified_ns);
  store(bytes, record.stamp.changed_ns);
  bytes.append(reinterpret_cast<const char*>(record.blob.bytes().data()), git::ObjectId::kSize);
}

StampRecord decode(std::string_view bytes) {
  StampRecord record;
  record.stamp = {load<std::uint64_t>(bytes, 0), load<std::uint64_t>(bytes, 8),
                  load<std::uint64_t>(bytes, 16), load<std::int64_t>(bytes, 24),
                  load<std::int64_t>(bytes, 32)};
  record.blob = git::ObjectId(load<git::ObjectId::Bytes>(bytes, 40));
  return record;
}

std::shared_ptr<const StampCache::Known> layer_of(const std::vector<StampRecord>& records) {
  auto layer = std::make_shared<StampCache::Known>();
  layer->reserve(records.size());
  for (const StampRecord& record : records) layer->insert_or_assign(key_of(record.stamp), record);
  return layer;
}

}  // namespace

std::string encode_stamps(std::span<const StampRecord> records) {
  std::string body;
  body.reserve(records.size() * kRecordSize);
  for (const StampRecord& record : records) encode(record, body);
  std::string bytes;
  store(bytes, std::uint64_t{records.size()});
  store(bytes, checksum(body));
  return bytes + body;
}

std::vector<StampRecord> decode_stamps(std::string_view bytes) {
  std::vector<StampRecord> records;
  while (bytes.size() >= kHeadSize) {
    const auto count = load<std::uint64_t>(bytes, 0);
    const auto sum = load<std::uint64_t>(bytes, 8);
    bytes.remove_prefix(kHeadSize);
    if (count > bytes.size() / kRecordSize) break;
    const std::string_view body = bytes.substr(0, count * kRecordSize);
    if (checksum(body) != sum) break;
    for (std::size_t i = 0; i < count; ++i) records.push_back(decode(body.substr(i * kRecordSize)));
    bytes.remove_prefix(body.size());
  }
  return records;
}

std::optional<git::ObjectId> StampCache::Lookup::find(const CorpusFile::Stamp& stamp) const {
  for (const auto& layer : known_ | std::views::reverse) {
    const auto found = layer->find(key_of(stamp));
    if (found == layer->end()) continue;
    if (found->second.stamp == stamp) return found->second.blob;
  }
  return std::nullopt;
}

void StampCache::push(State& state, std::shared_ptr<const Known> layer) {
  state.layers.push_back(std::move(layer));
  if (state.layers.size() <= kMostLayers) return;
  auto joined = std::make_shared<Known>();
  // All but the first layer, which is the file's content and by far the largest.
  for (std::size_t i = 1; i < state.layers.size(); ++i) {
    for (const auto& [key, record] : *state.layers[i]) joined->insert_or_assign(key, record);
  }
  state.layers.resize(1);
  state.layers.push_back(std::move(joined));
}

StampCache::Lookup StampCache::lookup() {
  const bool read = state_.with([](const State& state) { return state.read; });
  if (!read) {
    auto bytes = io::read_file(file_, kLargestFile);
    auto layer = layer_of(bytes.ok() ? decode_stamps(*bytes) : std::vector<StampRecord>{});
    state_.with([&](State& state) {
      // Another thread may have read it meanwhile.
      if (!std::exchange(state.read, true)) state.layers.insert(state.layers.begin(), layer);
    });
  }
  return Lookup(state_.with([](const State& state) { return state.layers; }));
}

base::Result<void> StampCache::add(std::vector<StampRecord> records) {
  if (records.empty()) return {};
  (void)lookup();
  auto layer = layer_of(records);
  state_.with([&](State& state) { push(state, std::move(layer)); });
  CLEVER_ASSIGN(io::AppendFile file, io::AppendFile::open(file_));
  return file.append(encode_stamps(records));
}

base::Result<void> StampCache::tidy() {
  auto bytes = io::read_file(file_, kLargestFile);
  if (!bytes.ok()) return {};
  const auto known = layer_of(decode_stamps(*bytes));
  std::vector<StampRecord> records;
  for (const auto& [key, record] : *known) records.push_back(record);
  std::ranges::sort(records, {}, &StampRecord::stamp);
  return io::write_file_atomically(file_, encode_stamps(records));
}

}  // namespace clever::index::internal
