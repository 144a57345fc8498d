#include "index/internal/manifest.h"

#include <algorithm>
#include <charconv>

#include "index/internal/checksum.h"

namespace clever::index::internal {
namespace {

constexpr std::string_view kFirstLine = "clever-index 1\n";
constexpr std::string_view kEndWord = "end ";
constexpr std::size_t kLastLine = 4 + 16 + 1;

base::Error damaged() { return base::corruption("the index's manifest is damaged"); }

template <class T>
bool take_number(std::string_view& line, T& number) {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc{}) return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return true;
}

// Rejects names that lead outside the folder.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.front() != '.' && !name.contains('/') && !name.contains('\0');
}

bool parse_line(std::string_view line, Manifest::Entry& entry) {
  if (!take_number(line, entry.size) || !line.starts_with(' ')) return false;
  line.remove_prefix(1);
  if (!take_number(line, entry.inode) || !line.starts_with(' ')) return false;
  line.remove_prefix(1);
  if (!take_number(line, entry.changed_ns) || !line.starts_with(' ')) return false;
  line.remove_prefix(1);
  entry.name = line;
  return is_plain_name(line);
}

std::string end_line(std::string_view text) {
  std::string line(kEndWord);
  const std::uint64_t sum = checksum(text);
  for (unsigned shift = 64; shift > 0; shift -= 4) {
    line += "0123456789abcdef"[(sum >> (shift - 4)) & 15U];
  }
  return line + '\n';
}

}  // namespace

std::string to_text(const Manifest& manifest) {
  std::string text(kFirstLine);
  for (const Manifest::Entry& entry : manifest.segments) {
    text += std::to_string(entry.size) + ' ' + std::to_string(entry.inode) + ' ' +
            std::to_string(entry.changed_ns) + ' ' + entry.name + '\n';
  }
  return text + end_line(text);
}

base::Result<Manifest> parse_manifest(std::string_view text) {
  if (text.size() < kLastLine || !text.starts_with(kFirstLine)) return damaged();
  const std::string_view body = text.substr(0, text.size() - kLastLine);
  if (text.substr(body.size()) != end_line(body)) return damaged();
  Manifest manifest;
  for (std::string_view rest = body.substr(kFirstLine.size()); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!parse_line(line, manifest.segments.emplace_back())) return damaged();
  }
  return manifest;
}

base::Result<Manifest::Entry> manifest_entry(const io::Directory& folder, const std::string& name) {
  CLEVER_ASSIGN(const io::EntryFacts facts, folder.facts(name));
  return Manifest::Entry{name, facts.size, facts.inode, facts.changed};
}

}  // namespace clever::index::internal
