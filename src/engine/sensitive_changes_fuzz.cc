// A path, a line, the old content, a zero byte, and the new content: any input gets an answer;
// plain text hides nothing, and a finding in a new line is reported.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/secret_marks.h"
#include "engine/internal/invisible_text.h"
#include "engine/sensitive_changes.h"

namespace {

using namespace clever;

bool has_kind(const std::vector<engine::SensitiveChange>& changes, std::string_view kind) {
  for (const auto& change : changes) {
    if (change.kind == kind) return true;
  }
  return false;
}

std::vector<engine::SensitiveChange> found(const std::string& path, const std::string& before,
                                           const std::string& after) {
  const diff::FileDiff file{.path = path,
                            .before = git::Node{},
                            .after = git::Node{},
                            .hunks = diff::hunks_of(path, before, after)};
  const engine::SensitiveContext context{.hooks_path = "hooks", .content = [&](const git::Node&) {
                                           return base::Result<std::string>(after);
                                         }};
  return engine::sensitive_changes(std::span(&file, 1), context);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string path(text.substr(0, end));
  const std::string_view rest = text.substr(std::min(end + 1, text.size()));
  const std::size_t cut = std::min(rest.find('\0'), rest.size());
  const std::string before(rest.substr(0, cut));
  const std::string after(rest.substr(std::min(cut + 1, rest.size())));
  const auto changes = found(path, before, after);
  if (has_kind(found(path, before, before), "redaction-mark")) std::abort();
  bool plain = true;
  for (const char c : after) plain = plain && static_cast<unsigned char>(c) < 0x80;
  if (plain && engine::internal::hides_text(after)) std::abort();
  if (plain && path.empty() && has_kind(changes, "invisible-text")) std::abort();
  // Adds a last line with each thing to be found.
  const std::string with_line =
      after + "\n\xE2\x80\xAE" + std::string(base::kRedacted) + after.substr(0, 9);
  const auto all = found(path, before, with_line);
  const bool was_there = before.find(base::kRedacted) != std::string::npos;
  if (!was_there && !(has_kind(all, "invisible-text") && has_kind(all, "redaction-mark"))) {
    std::abort();
  }
  for (const auto& change : changes) {
    if (change.kind.empty() || change.reason.empty() || change.path != path) std::abort();
  }
  return 0;
}
