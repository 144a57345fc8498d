#pragma once
#include <map>
#include <memory>

#include "base/deadline.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"

namespace clever::sandbox {
class Workspace;
}

namespace clever::tool::internal {

/// Lets one caller at a time use a workspace, so that a change between two looks comes from its
/// holder. A closed workspace stays closed: an abandoned call may still write there.
///
/// Thread-safe. Costs memory for workspaces in use and for closed ones that still exist.
class WorkspaceGate {
 public:
  using Workspace = std::shared_ptr<sandbox::Workspace>;

  /// The right to use a workspace; the destructor returns it. Move-only.
  class Hold {
   public:
    Hold(Hold&& other) noexcept;
    Hold& operator=(Hold&&) = delete;
    ~Hold();
    /// Lets no caller in after this one.
    void close();

   private:
    friend class WorkspaceGate;
    Hold(WorkspaceGate& gate, Workspace workspace)
        : gate_(&gate), workspace_(std::move(workspace)) {}
    WorkspaceGate* gate_;
    Workspace workspace_;
  };

  /// Waits for its turn. `unavailable` once it is closed; `cancelled` or `deadline_exceeded` if
  /// that comes first.
  [[nodiscard]] base::Result<Hold> enter(const Workspace& workspace, const base::StopToken& stop,
                                         base::Deadline deadline);

 private:
  struct State {
    std::weak_ptr<sandbox::Workspace> workspace;
    bool held = false;
    bool closed = false;
  };
  using States = std::map<const sandbox::Workspace*, State>;

  void leave(const Workspace& workspace);
  void close(const Workspace& workspace);

  base::Monitor<States> states_;
};

}  // namespace clever::tool::internal
