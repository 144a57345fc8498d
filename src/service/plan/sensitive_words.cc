#include "service/plan/sensitive_words.h"

namespace clever::service {
namespace {

using engine::SensitiveChange;

constexpr std::size_t kMostSensitiveShown = 20;

std::string where(const SensitiveChange& change) {
  return change.line == 0 ? change.path : change.path + ":" + std::to_string(change.line);
}

}  // namespace

Document sensitive_document(const std::vector<SensitiveChange>& changes) {
  Document list = Document::list();
  for (const SensitiveChange& change : changes) {
    Document item = Document::map()
                        .set("path", change.path)
                        .set("kind", change.kind)
                        .set("reason", change.reason);
    if (change.line != 0) item.set("line", change.line);
    list.push(std::move(item));
  }
  return list;
}

Table sensitive_table(const std::vector<SensitiveChange>& changes) {
  Table table{"sensitive changes", {"file", "kind", "why"}, {}};
  for (const SensitiveChange& change : changes) {
    table.rows.push_back(
        {{where(change), Tone::kWarn}, {std::string(change.kind)}, {std::string(change.reason)}});
  }
  return table;
}

std::vector<std::string> sensitive_lines(const std::vector<SensitiveChange>& changes) {
  std::vector<std::string> lines;
  for (const SensitiveChange& change : changes) {
    if (lines.size() == kMostSensitiveShown) {
      lines.push_back("sensitive: and " + std::to_string(changes.size() - kMostSensitiveShown) +
                      " more; --format json has all of them");
      break;
    }
    lines.push_back("sensitive: " + where(change) + " (" + std::string(change.kind) +
                    "): " + std::string(change.reason));
  }
  return lines;
}

Prose sensitive_prose(const std::vector<SensitiveChange>& changes) {
  Prose prose;
  for (std::string& line : sensitive_lines(changes)) {
    prose.lines.push_back({{std::move(line), Tone::kWarn}});
  }
  return prose;
}

void warn_of_sensitive(const std::vector<SensitiveChange>& changes, Report& report) {
  for (std::string& line : sensitive_lines(changes)) report.warn(std::move(line));
}

}  // namespace clever::service
