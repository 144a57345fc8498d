#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "engine/actor/tool_actor.h"

namespace clever::engine::internal {

class Replacer;
class TextReader;

/// One run of a tool actor on a workspace: its steps one after another, and a tally. Used by one
/// thread; what it is given must outlive it.
class ActorWork {
 public:
  ActorWork(const std::map<std::string, std::string>& values, const std::vector<std::string>& paths,
            sandbox::Workspace& workspace, tool::CommandWorld* commands,
            const base::StopToken& stop)
      : values_(values), paths_(paths), workspace_(workspace), commands_(commands), stop_(stop) {}

  base::Result<void> run(const ToolActorStep& step);
  [[nodiscard]] ToolActorResult result() const;

 private:
  using Values = std::map<std::string, std::string>;

  base::Result<void> run_once(const ToolActorStep& step, const Values& values);
  base::Result<void> replace(const ToolActorStep& step, const Values& values);
  base::Result<bool> replace_in(const std::string& path, const Replacer& replacer,
                                const TextReader& reader);
  base::Result<void> make_file(const ToolActorStep& step, const Values& values);
  base::Result<void> remove(const ToolActorStep& step, const Values& values);
  base::Result<void> move(const ToolActorStep& step, const Values& values);
  base::Result<void> set_executable(const ToolActorStep& step, const Values& values);
  base::Result<void> run_commands(const ToolActorStep& step, const Values& values);
  base::Result<void> run_command(const ToolActorStep& step, std::vector<std::string> argv);

  [[nodiscard]] base::Result<std::vector<std::string>> targets(const ToolActorStep& step,
                                                               const Values& values) const;
  [[nodiscard]] base::Result<std::vector<std::string>> files_of(const ToolActorStep& step,
                                                                const Values& values) const;
  [[nodiscard]] base::Result<void> check_stop() const;

  const Values& values_;
  const std::vector<std::string>& paths_;
  sandbox::Workspace& workspace_;
  tool::CommandWorld* commands_;
  const base::StopToken& stop_;

  std::int64_t replacements_ = 0;
  std::int64_t files_ = 0;
  std::int64_t made_ = 0;
  std::int64_t removed_ = 0;
  std::int64_t moved_ = 0;
  std::int64_t modes_ = 0;
  std::int64_t commands_run_ = 0;
  std::vector<std::string> left_alone_;
};

}  // namespace clever::engine::internal
