#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sandbox/workspace/internal/file_pattern.h"
#include "sandbox/workspace/internal/replace_text.h"

namespace {

using clever::sandbox::internal::FilePattern;
using clever::sandbox::internal::replace_text;

constexpr std::size_t kLargest = 1U << 20U;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string simply_replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

void check_edit(std::string_view content, std::string_view old_text, std::string_view new_text) {
  const auto all = replace_text(content, old_text, new_text, true, kLargest);
  const auto one = replace_text(content, old_text, new_text, false, kLargest);
  if (!all.ok()) {
    require(!one.ok());
    require(old_text.empty() || old_text == new_text || !content.contains(old_text) ||
            all.error().code() == clever::base::ErrorCode::kResourceExhausted);
    return;
  }
  require(all->count > 0 && one.ok() == (all->count == 1));
  if (one.ok()) require(one->content == all->content);
  const bool plain = !content.contains('\r') && !old_text.contains('\r');
  if (plain) require(all->content == simply_replaced(std::string(content), old_text, new_text));
}

// Takes the next part of the input, up to a byte that texts rarely contain.
std::string_view take(std::string_view& rest) {
  const std::size_t end = rest.find('\x01');
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return part;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view old_text = take(rest);
  const std::string_view new_text = take(rest);
  check_edit(rest, old_text, new_text);
  if (const auto glob = FilePattern::parse(old_text)) {
    if (glob->matches(rest)) require(rest.contains('/') || glob->may_match_below(""));
  }
  return 0;
}
