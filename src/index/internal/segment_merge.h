#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "index/internal/segment.h"

namespace clever::index::internal {

/// Merges the documents of several segments into one file, each content once: the version with the
/// most knowledge, then that of the first segment. Leaves out documents that `keeps` refuses. The
/// segments must have the same embedder.
[[nodiscard]] base::Result<void> merge_segments(
    const std::vector<std::shared_ptr<const Segment>>& segments,
    const std::function<bool(const DocumentRecord&)>& keeps, const std::filesystem::path& path,
    const base::StopToken& stop = {});

}  // namespace clever::index::internal
