#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/embedder.h"

namespace clever::context::internal {

/// Parses the vectors of an answer, in the order of the texts: OpenAI's {"data": [{"index",
/// "embedding"}]} or Ollama's {"embeddings": […]}. `corruption` says what is missing. `dimensions`
/// 0: any, but the same for all.
[[nodiscard]] base::Result<std::vector<index::Vector>> read_embeddings(std::string_view body,
                                                                       std::size_t texts,
                                                                       std::size_t dimensions);

}  // namespace clever::context::internal
