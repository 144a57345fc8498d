#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "index/internal/segment.h"

namespace clever::index::internal {

/// The location of a document.
struct Place {
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
  std::uint32_t segment = kNowhere;
  DocumentNumber document = 0;
  [[nodiscard]] bool somewhere() const noexcept { return segment != kNowhere; }
  friend bool operator==(const Place&, const Place&) = default;
};

/// All segments at one moment, largest first. An immutable shared value.
struct SegmentSet {
  std::vector<std::shared_ptr<const Segment>> segments{};

  [[nodiscard]] Place find(const git::ObjectId& blob, syntax::Language language,
                           const Needs& needs) const noexcept {
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
      if (const auto document = segments[i]->find(blob, language, needs)) return {i, *document};
    }
    return {};
  }
};

}  // namespace clever::index::internal
