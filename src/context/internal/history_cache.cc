#include "context/internal/history_cache.h"

#include <algorithm>
#include <cstring>

#include "base/sha256.h"
#include "context/internal/message_words.h"

namespace clever::context::internal {
namespace {

constexpr std::string_view kMagic = "clever history 1\n";
constexpr std::size_t kDigestSize = 32;

std::string_view bytes_of(const base::Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.bytes().data()), digest.bytes().size()};
}

// Changes whenever messages would be split into other words.
std::string words_mark() {
  std::string all;
  constexpr std::string_view kProbe =
      "Parsing HTTPServer2 headers: fixes the max_line_length's queries; user's cafés ran\n"
      "Reviewed-by: X\n4f2a91c0d #123 createdAt re-indexes applied classes studies";
  for (const std::string& word : message_words(kProbe)) all += word + ' ';
  return base::sha256(all).to_hex().substr(0, 16);
}

class Writer {
 public:
  void number(std::uint64_t value) {
    while (value >= 0x80) {
      bytes_ += static_cast<char>(0x80U | (value & 0x7FU));
      value >>= 7U;
    }
    bytes_ += static_cast<char>(value);
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_ += text;
  }
  void raw(std::string_view bytes) { bytes_ += bytes; }
  void id(const git::ObjectId& id) {
    bytes_.append(reinterpret_cast<const char*>(id.bytes().data()), git::ObjectId::kSize);
  }
  template <class List, class F>
  void list(const List& values, F&& write) {
    number(values.size());
    for (const auto& value : values) write(value);
  }
  [[nodiscard]] std::string take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Yields zeros after the first mismatch; ok() reports it.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }
  /// A number below `end`.
  std::uint32_t below(std::size_t end) {
    const std::uint64_t value = number();
    if (value >= end) fail();
    return ok_ ? static_cast<std::uint32_t>(value) : 0;
  }
  std::string_view bytes(std::uint64_t size) {
    if (size > rest_.size()) fail();
    if (!ok_) return {};
    const std::string_view result = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(result.size());
    return result;
  }
  std::string_view text() { return bytes(number()); }
  git::ObjectId id() {
    git::ObjectId::Bytes id{};
    if (const auto read = bytes(id.size()); ok_) std::memcpy(id.data(), read.data(), id.size());
    return git::ObjectId(id);
  }
  /// Repeats as often as a number says, while input is left.
  template <class F>
  void repeat(F&& read) {
    for (std::uint64_t left = number(); left > 0 && ok_; --left) read();
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  void fail() {
    ok_ = false;
    rest_ = {};
  }

  std::string_view rest_;
  bool ok_ = true;
};

void write_texts(Writer& out, const TextTable& texts) {
  out.number(texts.size());
  for (std::uint32_t i = 0; i < texts.size(); ++i) out.text(texts[i]);
}

void write_commit(Writer& out, const Commit& commit) {
  out.id(commit.id);
  out.list(commit.parents, [&](const git::ObjectId& parent) { out.id(parent); });
  out.number(static_cast<std::uint64_t>(commit.time));
  out.text(commit.subject);
  out.list(commit.words, [&](const WordCount& word) {
    out.number(word.word);
    out.number(word.count);
  });
  out.number(commit.files);
  out.list(commit.changes, [&](const Change& change) {
    out.number(static_cast<std::uint64_t>(change.kind));
    out.number(change.path);
    if (change.kind == Change::Kind::kRenamed) out.number(change.from);
  });
}

// Returns false for a duplicate text, which would change the meaning of the numbers.
bool read_texts(Reader& in, TextTable& texts) {
  std::size_t count = 0;
  in.repeat([&] {
    texts.add(in.text());
    ++count;
  });
  return in.ok() && texts.size() == count;
}

WordCount read_word(Reader& in, const CommitTable& table) {
  const std::uint32_t word = in.below(table.words.size());
  return {word, in.below(UINT32_MAX)};
}

Change read_change(Reader& in, const CommitTable& table) {
  Change change{.kind = static_cast<Change::Kind>(in.below(3))};
  change.path = in.below(table.paths.size());
  if (change.kind == Change::Kind::kRenamed) change.from = in.below(table.paths.size());
  return change;
}

Commit read_cached_commit(Reader& in, const CommitTable& table) {
  Commit commit{.id = in.id()};
  in.repeat([&] { commit.parents.push_back(in.id()); });
  commit.time = static_cast<std::int64_t>(in.number());
  commit.subject = in.text();
  in.repeat([&] { commit.words.push_back(read_word(in, table)); });
  commit.files = in.below(UINT32_MAX);
  in.repeat([&] { commit.changes.push_back(read_change(in, table)); });
  return commit;
}

std::string head_of(const CacheKey& key) {
  return std::string(kMagic) + words_mark() + " " + std::to_string(key.most_commits) + " " +
         std::to_string(key.most_files) + "\n";
}

base::Error broken_history() {
  return base::corruption("the file of the project's history is damaged: its checksum is wrong");
}

base::Result<CommitTable> table_from(std::string_view bytes) {
  Reader in(bytes);
  CommitTable table;
  if (!read_texts(in, table.words) || !read_texts(in, table.paths)) return broken_history();
  in.repeat([&] { table.heads.push_back(in.id()); });
  table.cut = in.below(2) != 0;
  in.repeat([&] { table.commits.push_back(read_cached_commit(in, table)); });
  if (!in.ok() || !in.at_end()) return broken_history();
  return table;
}

}  // namespace

std::string cache_bytes(const CommitTable& table, const CacheKey& key) {
  Writer out;
  out.raw(head_of(key));
  write_texts(out, table.words);
  write_texts(out, table.paths);
  out.list(table.heads, [&](const git::ObjectId& head) { out.id(head); });
  out.number(table.cut ? 1 : 0);
  out.list(table.commits, [&](const Commit& commit) { write_commit(out, commit); });
  std::string bytes = std::move(out).take();
  const base::Sha256Digest digest = base::sha256(bytes);
  return bytes.append(bytes_of(digest));
}

base::Result<CommitTable> cache_from(std::string_view bytes, const CacheKey& key) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + kDigestSize)
    return broken_history();
  const std::string_view body = bytes.substr(0, bytes.size() - kDigestSize);
  if (bytes_of(base::sha256(body)) != bytes.substr(body.size())) return broken_history();
  const std::string head = head_of(key);
  if (!body.starts_with(head)) return base::not_found("the history was read for something else");
  return table_from(body.substr(head.size()));
}

}  // namespace clever::context::internal
