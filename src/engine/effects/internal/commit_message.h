#pragma once
#include <string>
#include <string_view>

#include "plan/state.h"

// How the commit of a plan's work describes it. Pure.
namespace clever::engine::internal {

/// At most 72 characters: what the model proposed if one step did the work (the line "Commit: …" at
/// the end of its summary), else the first sentence of the task.
[[nodiscard]] std::string commit_subject(const plan::State& plan);

/// The subject, below it the task in full and what each of several steps proposed, and the digest
/// of what lands as a trailer. `task`: the plan's first prompt; may be empty.
[[nodiscard]] std::string commit_message(const plan::State& plan, std::string_view task,
                                         const base::Sha256Digest& digest);

}  // namespace clever::engine::internal
