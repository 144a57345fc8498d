#include <algorithm>

#include "diff/internal/whole_file.h"
#include "diff/quote.h"
#include "diff/tree_diff.h"

// The columns of `git diff --stat`: " name | count graph". If they do not fit, the name gets at
// least five eighths of the width, and is cut at its front.
namespace clever::diff {
namespace {

constexpr std::size_t kSmallestName = 16;
constexpr std::size_t kSmallestGraph = 6;
constexpr std::size_t kSeparators = 6;

bool shown_as_binary(const FileDiff& file) { return file.binary || file.too_large; }
std::uint64_t changed(const FileDiff& file) {
  return shown_as_binary(file) ? 0 : file.added + file.removed;
}

std::size_t common_prefix(std::string_view one, std::string_view other) {
  const auto [end, ignored] = std::ranges::mismatch(one, other);
  const auto length = static_cast<std::size_t>(end - one.begin());
  const std::size_t slash = one.substr(0, length).rfind('/');
  return slash == std::string_view::npos ? 0 : slash + 1;
}

// May begin with the slash that ends the prefix.
std::size_t common_suffix(std::string_view one, std::string_view other, std::size_t prefix) {
  const std::size_t begin = prefix == 0 ? 0 : prefix - 1;
  std::size_t suffix = 0;
  for (std::size_t length = 1; length <= std::min(one.size(), other.size()) - begin; ++length) {
    const char c = one[one.size() - length];
    if (c != other[other.size() - length]) break;
    if (c == '/') suffix = length;
  }
  return suffix;
}

std::string middle(std::string_view path, std::size_t prefix, std::size_t suffix) {
  if (path.size() < prefix + suffix) return "";
  return std::string(path.substr(prefix, path.size() - prefix - suffix));
}

// "folder/{old => new}/file".
std::string rename_name(const std::string& from, const std::string& to) {
  if (quoted_path(from) != from || quoted_path(to) != to) {
    return quoted_path(from) + " => " + quoted_path(to);
  }
  const std::size_t prefix = common_prefix(from, to);
  const std::size_t suffix = common_suffix(from, to, prefix);
  const std::string change = middle(from, prefix, suffix) + " => " + middle(to, prefix, suffix);
  if (prefix + suffix == 0) return change;
  return from.substr(0, prefix) + "{" + change + "}" + from.substr(from.size() - suffix);
}

std::string name_of(const FileDiff& file) {
  return file.from ? rename_name(*file.from, file.path) : quoted_path(file.path);
}

std::string binary_text(const FileDiff& file) {
  if (internal::same_content(file)) return "";
  return " " + std::to_string(file.old_size) + " -> " + std::to_string(file.new_size) + " bytes";
}

std::size_t digits(std::uint64_t number) { return std::to_string(number).size(); }

struct Columns {
  Columns(const std::vector<FileDiff>& files, std::size_t width);

  std::uint64_t most = 0;
  std::size_t number = 1;
  std::size_t name = 0;
  std::size_t graph = 0;

 private:
  void fit(std::size_t width);
};

Columns::Columns(const std::vector<FileDiff>& files, std::size_t width) {
  constexpr std::size_t kBinary = 3;  // "Bin"
  std::size_t binary = 0;
  for (const FileDiff& file : files) {
    name = std::max(name, name_of(file).size());
    most = std::max(most, changed(file));
    if (!shown_as_binary(file)) continue;
    binary = std::max(binary, kBinary + binary_text(file).size());
    number = kBinary;
  }
  number = std::max(number, digits(most));
  graph = most + kBinary + 1 > binary ? static_cast<std::size_t>(most) : binary - kBinary - 1;
  fit(std::max(width, kSmallestName + kSmallestGraph + number));
}

void Columns::fit(std::size_t width) {
  if (name + number + kSeparators + graph <= width) return;
  const std::size_t share = std::max(width * 3 / 8, number + kSeparators) - number - kSeparators;
  if (graph > share) graph = std::max(share, kSmallestGraph);
  const std::size_t rest = width - number - kSeparators;
  if (name > rest - graph) {
    name = rest - graph;
  } else {
    graph = rest - name;
  }
}

std::string fitted(std::string shown, std::size_t width) {
  if (shown.size() > width) {
    shown.erase(0, shown.size() - (width - 3));
    const std::size_t slash = shown.find('/');
    if (slash != std::string::npos) shown.erase(0, slash);
    shown.insert(0, "...");
  }
  shown.resize(std::max(width, shown.size()), ' ');
  return shown;
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::uint64_t scaled(std::uint64_t count, const Columns& columns) {
  return count == 0 ? 0 : 1 + count * (columns.graph - 1) / columns.most;
}

std::string graph_of(const FileDiff& file, const Columns& columns) {
  std::uint64_t added = file.added;
  std::uint64_t removed = file.removed;
  if (columns.graph <= columns.most) {
    std::uint64_t total = scaled(added + removed, columns);
    if (total < 2 && added > 0 && removed > 0) total = 2;
    if (added < removed) {
      added = scaled(added, columns);
      removed = total - added;
    } else {
      removed = scaled(removed, columns);
      added = total - removed;
    }
  }
  return std::string(added, '+') + std::string(removed, '-');
}

std::string row(const FileDiff& file, const Columns& columns) {
  const std::string start = " " + fitted(name_of(file), columns.name) + " | ";
  if (shown_as_binary(file))
    return start + padded("Bin", columns.number) + binary_text(file) + "\n";
  const std::string count = padded(std::to_string(changed(file)), columns.number);
  return start + count + (changed(file) == 0 ? "" : " " + graph_of(file, columns)) + "\n";
}

std::string counted(std::uint64_t count, std::string_view what, std::string_view sign) {
  return ", " + std::to_string(count) + " " + std::string(what) + (count == 1 ? "(" : "s(") +
         std::string(sign) + ")";
}

std::string summary(const std::vector<FileDiff>& files) {
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  for (const FileDiff& file : files) {
    added += shown_as_binary(file) ? 0 : file.added;
    removed += shown_as_binary(file) ? 0 : file.removed;
  }
  std::string text =
      " " + std::to_string(files.size()) + (files.size() == 1 ? " file changed" : " files changed");
  if (added > 0 || removed == 0) text += counted(added, "insertion", "+");
  if (removed > 0 || added == 0) text += counted(removed, "deletion", "-");
  return text + "\n";
}

}  // namespace

std::string stat(const std::vector<FileDiff>& files, std::size_t width) {
  if (files.empty()) return "";
  const Columns columns(files, width);
  std::string text;
  for (const FileDiff& file : files) text += row(file, columns);
  return text + summary(files);
}

}  // namespace clever::diff
