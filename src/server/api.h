#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/atomic.h"
#include "base/clock.h"
#include "http/message.h"
#include "http/responder.h"
#include "model/document.h"
#include "server/access_api.h"
#include "server/bind.h"
#include "server/commands.h"
#include "server/denials.h"
#include "server/event_streams.h"
#include "server/gate.h"
#include "server/operations.h"
#include "server/receipts.h"
#include "server/routes.h"
#include "server/traffic.h"
#include "service/access/projects.h"
#include "service/trace/trace_exporter.h"

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
    const service::Projects& projects;
    Receipts& receipts;
    const AccessApi& access;
    Denials& denials;
    Commands& commands;
    Traffic& traffic;
    base::Clock& clock;
    /// Has settings that changed count; the error says why they cannot.
    std::function<base::Result<void>()> reload;
    /// None: no worker is in this process.
    std::function<std::optional<service::TraceExporter::Counts>()> traces;
  };
  explicit Api(const Parts& parts);

  void handle(const http::Request& request, http::Responder responder);
  /// For http::Options::at_once: says that the server runs, to who has asked before on the same
  /// connection.
  [[nodiscard]] std::optional<http::Response> answer_at_once(const http::Request& request);
  /// From now on it is not ready, and streams say bye.
  void drain();

 private:
  /// A request that was let in.
  struct Call {
    const http::Request& request;
    const Route& route;
    PathParameters parameters;
    service::Caller caller;
  };

  /// `request.peer` is the client, also behind a proxy.
  void handle_from_client(const http::Request& request, http::Responder responder);
  /// Who asks for what; else the answer, and the denial is noted.
  std::variant<Call, http::Response> admit(const http::Request& request);
  http::Response deny(const http::Request& request, const std::string& caller,
                      const Problem& problem);
  [[nodiscard]] Answer login(const Call& call, const model::Document& given);
  /// A login that does not count is counted as a wrong one.
  [[nodiscard]] Answer login_answer(const Call& call, base::Result<http::Response> answer);
  base::Result<service::Caller> with_projects(service::Caller caller) const;
  [[nodiscard]] Answer answer(const Call& call);
  [[nodiscard]] Answer answer_once(const Call& call, std::string_view key);
  [[nodiscard]] Answer answer_itself(const Call& call);
  [[nodiscard]] Answer operate(const Call& call, Bound bound);
  [[nodiscard]] Answer created(const Call& call, const service::Report& report,
                               const std::filesystem::path& folder);
  [[nodiscard]] Answer projects(const Call& call) const;
  [[nodiscard]] Answer add_project(const Call& call, const Bound& bound) const;
  [[nodiscard]] Answer set_settings(const Call& call) const;
  [[nodiscard]] std::optional<Problem> check_match(const Call& call) const;
  [[nodiscard]] Answer ready() const;
  /// Where the operation works.
  [[nodiscard]] base::Result<std::filesystem::path> folder_of(const Call& call, Bound& bound);
  /// Where it works on the projects that it names; several are one for the operation.
  [[nodiscard]] base::Result<std::filesystem::path> folder_of_projects(const Call& call,
                                                                       Bound& bound) const;
  /// Where the plan in the path works; `not_found` if it is another namespace's.
  [[nodiscard]] base::Result<std::filesystem::path> folder_of_plan(const Call& call);
  /// Of a command line: the status that was answered.
  int command(const Call& call, http::Responder responder);
  /// The status that was answered.
  int stream(const Call& call, http::Responder responder);
  Answer metrics();
  std::variant<std::unique_ptr<EventSource>, Problem> plan_events(const Call& call);
  std::variant<std::unique_ptr<EventSource>, Problem> all_events(const Call& call);
  [[nodiscard]] AllEvents::Sees sees_plans_of_session(const Call& call) const;
  [[nodiscard]] base::Result<std::filesystem::path> folder_of_session(const Call& call) const;
  Answer event_page(const Call& call, const model::Document& given);

  const Parts parts_;
  const http::Response healthy_;
  // Publishes nothing else.
  base::Atomic<bool> draining_{false};
};

}  // namespace clever::server
