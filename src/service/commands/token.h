#pragma once
// What the token commands share. Private to the module.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/access/tokens.h"
#include "service/command.h"
#include "service/context.h"
#include "service/invocation.h"

namespace clever::service {

/// The database of a token command and who changes it, for as long as the command runs.
class TokenDatabase {
 public:
  [[nodiscard]] static base::Result<TokenDatabase> open(const Invocation& invocation,
                                                        Context& context);
  [[nodiscard]] storage::Engine& engine() const { return *engine_; }
  [[nodiscard]] const Caller& caller() const { return caller_; }
  [[nodiscard]] AccessDesk desk() const {
    return {*engine_, context_->clock(), caller_, context_->stop()};
  }

 private:
  TokenDatabase(std::shared_ptr<storage::Engine> engine, Context& context);

  std::shared_ptr<storage::Engine> engine_;
  Context* context_;
  Caller caller_;
};

/// The new file of --output; none: a terminal shows the secret. `invalid_argument` if there is
/// neither: pipes and logs keep what they get.
[[nodiscard]] base::Result<std::optional<std::filesystem::path>> secret_file(
    const Invocation& invocation, Context& context);
/// Writes the secret to the file, or else shows it under `key`.
[[nodiscard]] base::Result<void> show_secret(Report& report, std::string_view key,
                                             const std::string& secret,
                                             const std::optional<std::filesystem::path>& file);

[[nodiscard]] Table tokens_table(const std::vector<storage::AccessToken>& tokens,
                                 const base::Clock& clock);

}  // namespace clever::service
