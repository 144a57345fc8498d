#include "cases/case_file.h"

#include <charconv>

namespace clever::cases {
namespace {

constexpr std::string_view kFile = "file ";
constexpr std::string_view kRepository = "repository";
constexpr std::string_view kCommand = "$ ";
constexpr std::string_view kIndent = "  ";
constexpr std::string_view kError = "! ";
constexpr std::string_view kExit = "? ";
// Stands for a line without anything in it.
constexpr std::string_view kEmpty = "{}";

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  base::Result<void> read(std::string_view line) {
    ++number_;
    if (line.starts_with(kIndent)) return belongs(line.substr(kIndent.size()));
    if (line.starts_with(kError)) return expects_error(line.substr(kError.size()));
    if (line.starts_with(kExit)) return expects_exit(line.substr(kExit.size()));
    if (line.empty() || line.starts_with('#')) return add(Item::Kind::kText, line);
    if (line.starts_with(kFile)) return add(Item::Kind::kFile, line.substr(kFile.size()));
    if (line == kRepository) return add(Item::Kind::kRepository, "");
    if (line.starts_with(kCommand)) return add(Item::Kind::kCommand, line.substr(kCommand.size()));
    return wrong(
        "expected a comment (#), `file PATH`, `repository`, `$ COMMAND`, or two spaces, "
        "`! ` or `? ` and what belongs to the line above");
  }

  std::vector<Item> items() && { return std::move(items_); }

 private:
  base::Result<void> add(Item::Kind kind, std::string_view text) {
    items_.push_back({.kind = kind, .line = number_, .text = std::string(text)});
    return {};
  }
  base::Result<Item*> last(Item::Kind kind, std::string_view what) {
    if (!items_.empty() && items_.back().kind == kind) return &items_.back();
    return wrong("nothing stands above that has " + std::string(what));
  }

  base::Result<void> belongs(std::string_view text) {
    const std::string line(text == kEmpty ? "" : text);
    if (!items_.empty() && items_.back().kind == Item::Kind::kFile) {
      items_.back().content.push_back(line);
      return {};
    }
    CLEVER_ASSIGN(Item* const item, last(Item::Kind::kCommand, "content or output"));
    item->output.push_back(line);
    return {};
  }
  base::Result<void> expects_error(std::string_view text) {
    CLEVER_ASSIGN(Item* const item, last(Item::Kind::kCommand, "error output"));
    item->errors.emplace_back(text == kEmpty ? "" : text);
    return {};
  }
  base::Result<void> expects_exit(std::string_view text) {
    CLEVER_ASSIGN(Item* const item, last(Item::Kind::kCommand, "an exit code"));
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), item->exit_code);
    if (error == std::errc() && end == text.data() + text.size()) return {};
    return wrong("expected a number after `? `");
  }

  [[nodiscard]] base::Error wrong(const std::string& what) const {
    return base::invalid_argument(std::string(file_) + ":" + std::to_string(number_) + ": " + what);
  }

  std::string_view file_;
  int number_ = 0;
  std::vector<Item> items_;
};

std::string lead(const Item& item) {
  switch (item.kind) {
    case Item::Kind::kFile:
      return std::string(kFile) + item.text;
    case Item::Kind::kRepository:
      return std::string(kRepository);
    case Item::Kind::kCommand:
      return std::string(kCommand) + item.text;
    case Item::Kind::kText:
      break;
  }
  return item.text;
}

void append(std::string& to, std::string_view lead, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    to.append(lead).append(line.empty() ? kEmpty : std::string_view(line)).append("\n");
  }
}

}  // namespace

base::Result<std::vector<Item>> parse_case(std::string_view file, std::string_view text) {
  Reader reader(file);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    CLEVER_TRY(reader.read(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(reader).items();
}

std::string print_case(const std::vector<Item>& items) {
  std::string text;
  for (const Item& item : items) {
    text += lead(item) + "\n";
    append(text, kIndent, item.content);
    append(text, kIndent, item.output);
    append(text, kError, item.errors);
    if (item.exit_code != 0) text += std::string(kExit) + std::to_string(item.exit_code) + "\n";
  }
  return text;
}

}  // namespace clever::cases
