#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engine/agents/agent_program.h"
#include "model/document.h"

namespace clever::engine {

/// The logins of a person in the home of one agent. All agents that share a login are kept in step:
/// a token that one of them renewed goes into the person's file, if that is still as it was when it
/// was copied, and from there into the copies of the others, in this process and in others.
///
/// Owned by who runs the agent; used by one thread. What the agent made of its copy is never
/// trusted: only tokens of the same form and account go back, nothing else.
class LoginCopies {
 public:
  struct Options {
    base::Clock& clock;
    /// The person's home, and the agent's.
    std::filesystem::path home{};
    std::filesystem::path agent_home{};
    /// Locks between processes lie in here.
    std::filesystem::path locks{};
    /// Hears each value that is a secret, before an agent can show it.
    std::function<void(const std::string& secret)> learn{};
  };
  LoginCopies(Options options, std::vector<AgentLogin> logins);

  /// Copies what there is. `corruption` for a login file that is no JSON.
  base::Result<void> begin();
  [[nodiscard]] bool any() const;

  /// Brings all copies of these logins into step. Sentences about what was renewed or refused.
  std::vector<std::string> keep_in_step();
  /// The same once more, and takes the tokens out of the copies.
  std::vector<std::string> end();

 private:
  struct Copy {
    AgentLogin login{};
    /// Both texts as they were seen last, and the fields as both had them.
    std::string theirs{};
    std::string ours{};
    model::Document part{};
  };

  [[nodiscard]] std::filesystem::path original(const AgentLogin& login) const;
  [[nodiscard]] std::string read_copy(const Copy& copy) const;
  base::Result<void> write_copy(Copy& copy, const model::Document& document) const;
  base::Result<std::string> bring_into_step(Copy& copy, bool at_end) const;
  base::Result<std::string> take_over(Copy& copy, const model::Document& theirs,
                                      const model::Document& ours) const;
  void take_tokens(Copy& copy) const;
  void learn(const model::Document& file, const AgentLogin& login) const;

  const Options options_;
  std::vector<Copy> copies_;
};

/// The question of a decision that records what became of a login.
inline constexpr std::string_view kLoginQuestion = "What became of the agent's login?";

/// The values of all these logins that a person has: secrets of this process. Files that cannot be
/// read are passed over.
void learn_logins(const std::filesystem::path& home, const std::vector<AgentLogin>& logins,
                  const std::function<void(const std::string& secret)>& learn);

/// Whether a person is logged in by something that is renewed from time to time: a subscription.
[[nodiscard]] bool has_renewable_login(const std::filesystem::path& home, const AgentLogin& login);

}  // namespace clever::engine
