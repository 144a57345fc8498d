#include <array>
#include <cstdio>

#include "io/disk.h"
#include "service/diagnostics/sections.h"

namespace clever::service {
namespace {

constexpr std::uint64_t kLittleSpace = std::uint64_t{256} << 20U;

void check_space(const std::filesystem::path& place, Checks& section) {
  const auto bytes = io::free_space(place);
  if (!bytes.ok()) {
    section.checks.push_back({"free space", Verdict::kWarn, bytes.error().sentence(), ""});
    return;
  }
  const bool little = *bytes < kLittleSpace;
  section.checks.push_back({"free space", little ? Verdict::kWarn : Verdict::kOk,
                            readable_size(*bytes), little ? "make room on this disk" : ""});
}

Checks missing_home(const std::filesystem::path& home) {
  Checks section{"home", {}};
  const auto parent = io::nearest_existing(home);
  const auto facts = io::place_facts(parent);
  const bool creatable = facts.ok() && facts->is_directory && facts->writable;
  section.checks.push_back(
      {"directory", creatable ? Verdict::kOk : Verdict::kFail,
       home.string() + (creatable ? " will be created when it is first needed"
                                  : " is missing and cannot be made in " + parent.string()),
       creatable ? "" : "make it, or point CLEVERAGENTS_HOME elsewhere"});
  check_space(parent, section);
  return section;
}

Checks::Check permissions(const std::filesystem::path& home, const io::PlaceFacts& facts) {
  const std::string detail = readable_mode(facts.mode) + ", owner " + facts.owner;
  constexpr mode_t kOthers = 077;
  if ((facts.mode & kOthers) != 0) {
    return {"permissions", Verdict::kWarn, detail + ": other users can read it",
            "chmod 700 " + home.string()};
  }
  if (!facts.owned_by_caller) {
    return {"permissions", Verdict::kWarn, detail + ": it belongs to another user", ""};
  }
  return {"permissions", Verdict::kOk, detail, ""};
}

}  // namespace

std::string readable_size(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (size >= 1024 && unit + 1 < kUnits.size()) {
    size /= 1024;
    ++unit;
  }
  std::array<char, 32> text{};
  const int length = std::snprintf(
      text.data(), text.size(), size < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", size, kUnits[unit]);
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string readable_mode(unsigned mode) {
  constexpr std::string_view kLetters = "rwxrwxrwx";
  std::string text(kLetters);
  for (unsigned bit = 0; bit < kLetters.size(); ++bit) {
    if ((mode & (0400U >> bit)) == 0) text[bit] = '-';
  }
  return text;
}

Checks check_home(Context& context) {
  const auto& home = context.home();
  const auto facts = io::place_facts(home);
  if (!facts.ok() && facts.error().code() == base::ErrorCode::kNotFound) return missing_home(home);
  Checks section{"home", {}};
  if (!facts.ok()) {
    section.checks.push_back({"directory", Verdict::kFail, facts.error().sentence(), ""});
    return section;
  }
  if (!facts->is_directory) {
    section.checks.push_back({"directory", Verdict::kFail, home.string() + " is not a directory",
                              "move it away, or point CLEVERAGENTS_HOME elsewhere"});
    return section;
  }
  section.checks.push_back({"directory", Verdict::kOk, home.string(), ""});
  section.checks.push_back(permissions(home, *facts));
  section.checks.push_back({"writable", facts->writable ? Verdict::kOk : Verdict::kFail,
                            facts->writable ? "yes" : "no: nothing can be saved",
                            facts->writable ? "" : "chmod u+rwx " + home.string()});
  check_space(home, section);
  return section;
}

}  // namespace clever::service
