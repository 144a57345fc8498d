#pragma once
// What the token commands share. Private to the module.
#include <memory>

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
  [[nodiscard]] AccessDesk desk() const {
    return {*engine_, context_->clock(), caller_, context_->stop()};
  }

 private:
  TokenDatabase(std::shared_ptr<storage::Engine> engine, Context& context);

  std::shared_ptr<storage::Engine> engine_;
  Context* context_;
  Caller caller_;
};

[[nodiscard]] Table tokens_table(const std::vector<storage::AccessToken>& tokens,
                                 const base::Clock& clock);

}  // namespace clever::service
