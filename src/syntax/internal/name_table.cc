#include "syntax/internal/name_table.h"

#include <algorithm>
#include <functional>
#include <string>

namespace clever::syntax::internal {
namespace {

constexpr std::size_t kFirstSlots = 1024;
constexpr std::size_t kMostKeptSlots = 8 * kFirstSlots;

}  // namespace

NameTable::NameTable() : slots_(kFirstSlots) {}

void NameTable::clear() {
  // The names may be destroyed by now, so they are not read. After a very large file the table
  // shrinks again, since clearing it takes time for each slot.
  if (slots_.size() > kMostKeptSlots) {
    slots_.assign(kFirstSlots, 0);
  } else {
    std::ranges::fill(slots_, 0U);
  }
  entries_.clear();
  kept_ = 0;
  overflowed_ = false;
}

std::size_t NameTable::slot_of(std::string_view name, std::size_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0) {
    const Entry& here = entries_[slots_[slot] - 1];
    if (here.hash == hash && here.name == name) {
      break;
    }
    slot = (slot + 1) & mask;
  }
  return slot;
}

NameTable::Entry& NameTable::entry(std::string_view name) {
  const std::size_t hash = std::hash<std::string_view>{}(name);
  const std::size_t slot = slot_of(name, hash);
  if (slots_[slot] != 0) {
    return entries_[slots_[slot] - 1];
  }
  entries_.push_back({.name = name, .hash = hash});
  slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  if (entries_.size() * 2 > slots_.size()) {
    grow();
  }
  return entries_.back();
}

void NameTable::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t index = 0; index < entries_.size(); ++index) {
    const Entry& each = entries_[index];
    slots_[slot_of(each.name, each.hash)] = static_cast<std::uint32_t>(index + 1);
  }
}

void NameTable::declare_local(std::string_view name, std::uint32_t scope) {
  entry(name).local_in = scope;
}

void NameTable::use(std::string_view name, ReferenceKind kind, std::uint32_t line,
                    std::uint32_t scope) {
  if (name.empty() || name.size() > kLongestName) {
    return;
  }
  Entry& used = entry(name);
  if (scope != 0 && used.local_in == scope) {
    return;
  }
  const auto index = static_cast<std::size_t>(kind);
  if (used.counts[index] == 0) {
    if (kept_ == most_) {
      overflowed_ = true;
      return;
    }
    ++kept_;
    used.lines[index] = line;
  }
  ++used.counts[index];
}

std::vector<Reference> NameTable::references() const {
  std::vector<const Entry*> used;
  used.reserve(entries_.size());
  for (const Entry& each : entries_) {
    used.push_back(&each);
  }
  std::ranges::sort(used, {}, &Entry::name);
  std::vector<Reference> result;
  result.reserve(kept_);
  for (const Entry* const each : used) {
    for (std::size_t index = 0; index < each->counts.size(); ++index) {
      if (each->counts[index] != 0) {
        result.push_back({.name = std::string(each->name),
                          .kind = static_cast<ReferenceKind>(index),
                          .count = each->counts[index],
                          .first_line = each->lines[index]});
      }
    }
  }
  return result;
}

}  // namespace clever::syntax::internal
