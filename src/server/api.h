#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/atomic.h"
#include "base/clock.h"
#include "http/message.h"
#include "http/responder.h"
#include "model/document.h"
#include "server/bind.h"
#include "server/event_streams.h"
#include "server/gate.h"
#include "server/operations.h"
#include "server/projects.h"
#include "server/receipts.h"
#include "server/routes.h"

namespace clever::server {

/// Answers requests: site, token, route, right, and then the operation. The handler of an
/// http::Server.
///
/// Thread-safe. What it was given must outlive it.
class Api {
 public:
  struct Parts {
    Gate& gate;
    const Operations& operations;
    EventStreams& streams;
    const Projects& projects;
    Receipts& receipts;
  };
  explicit Api(const Parts& parts) : parts_(parts) {}

  void handle(const http::Request& request, http::Responder responder);
  /// From now on it is not ready, and streams say bye.
  void drain();

 private:
  using Answer = std::variant<http::Response, Problem>;
  /// A request that was let in.
  struct Call {
    const http::Request& request;
    const Route& route;
    PathParameters parameters;
    service::Caller caller;
  };

  /// Who asks for what; else the answer.
  std::variant<Call, http::Response> admit(const http::Request& request);
  [[nodiscard]] Answer answer(const Call& call);
  [[nodiscard]] Answer answer_once(const Call& call, std::string_view key);
  [[nodiscard]] Answer answer_itself(const Call& call);
  [[nodiscard]] Answer operate(const Call& call, Bound bound);
  [[nodiscard]] Answer created(const Call& call, const service::Report& report,
                               const std::filesystem::path& folder);
  [[nodiscard]] Answer projects() const;
  [[nodiscard]] Answer add_project(const Bound& bound) const;
  [[nodiscard]] Answer set_settings(const Call& call) const;
  [[nodiscard]] Answer ready() const;
  /// Where the operation works.
  [[nodiscard]] base::Result<std::filesystem::path> folder_of(const Call& call, Bound& bound) const;
  void stream(const Call& call, http::Responder responder);

  const Parts parts_;
  // Publishes nothing else.
  base::Atomic<bool> draining_{false};
};

}  // namespace clever::server
