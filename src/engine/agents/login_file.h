#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/agents/agent_program.h"
#include "model/document.h"

// Which parts of a person's login an agent gets, and which of its changes may go back. Pure
// functions on documents.
namespace clever::engine {

/// The fields that an agent gets.
[[nodiscard]] model::Document login_part(const model::Document& file, const AgentLogin& login);

/// The values that are secrets.
[[nodiscard]] std::vector<std::string> login_secrets(const model::Document& file,
                                                     const AgentLogin& login);

/// `theirs`, a person's file, with the tokens that an agent renewed in its copy. `invalid_argument`
/// says why it is refused: another account, a token that is missing, new, or of another form. Equal
/// to `theirs` if nothing was renewed.
[[nodiscard]] base::Result<model::Document> with_renewed(const model::Document& theirs,
                                                         const model::Document& copy,
                                                         const AgentLogin& login);

}  // namespace clever::engine
