#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "index/internal/segment.h"

namespace clever::index::internal {

/// Writes the documents of several segments into one file, each content once: that of which most is
/// known, then of the first segment. Those that `keeps` refuses are left out. The segments must
/// have the same embedder.
[[nodiscard]] base::Result<void> merge_segments(
    const std::vector<std::shared_ptr<const Segment>>& segments,
    const std::function<bool(const DocumentRecord&)>& keeps, const std::filesystem::path& path,
    const base::StopToken& stop = {});

}  // namespace clever::index::internal
