#include "cli/live/region.h"

namespace clever::cli {
namespace {

// Clears each row behind its text, not before it, so that nothing flickers.
void append(std::string& bytes, const std::vector<std::string>& rows) {
  for (const std::string& row : rows) bytes.append(row).append("\x1b[K\n");
}

}  // namespace

std::string Region::draw(const std::vector<std::string>& above,
                         const std::vector<std::string>& rows) {
  if (above.empty() && rows == drawn_) return {};
  std::string bytes;
  if (!drawn_.empty()) bytes = "\r\x1b[" + std::to_string(drawn_.size()) + "A";
  append(bytes, above);
  append(bytes, rows);
  if (above.size() + rows.size() < drawn_.size()) bytes.append("\x1b[J");
  drawn_ = rows;
  return bytes;
}

}  // namespace clever::cli
