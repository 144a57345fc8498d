#include "server/server_command.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "base/log_sinks.h"
#include "base/monitor.h"
#include "base/number.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "confine/peer.h"
#include "http/server.h"
#include "io/file.h"
#include "model/document_json.h"
#include "server/api.h"
#include "server/certificate_watch.h"
#include "server/limits.h"
#include "server/token.h"
#include "service/access/logins.h"
#include "service/commands/db.h"
#include "service/plan_recorder.h"
#include "service/plan_worker.h"
#include "service/wire/remote.h"

namespace clever::server {
namespace {

using model::Document;
using service::Context;
using service::Invocation;
using service::Report;

constexpr std::string_view kUsualAddress = "127.0.0.1:7777";
constexpr std::chrono::seconds kDrainTakes{20};
constexpr unsigned kThreads = 8;
constexpr unsigned kStreamThreads = 2;
constexpr std::size_t kMostSlots = 1000;
// Large enough for a page of large events.
constexpr std::size_t kStreamBuffer = std::size_t{16} << 20U;
// The longest path of a socket that the kernel accepts.
constexpr std::size_t kLongestSocket = 107;

base::Result<std::vector<http::Address>> addresses_of(const Invocation& invocation,
                                                      const Context& context) {
  std::vector<std::string> texts = invocation.values("listen");
  if (texts.empty()) texts.emplace_back(kUsualAddress);
  std::vector<http::Address> all;
  for (const std::string& text : texts) {
    auto address = http::parse_address(text);
    if (!address.ok()) return std::move(address).error().add_context("--listen");
    all.push_back(*std::move(address));
  }
  const auto typed = invocation.value("socket");
  const std::filesystem::path socket =
      typed ? context.directory() / *typed : context.home() / "server.sock";
  if (socket.native().size() <= kLongestSocket) {
    all.push_back({.socket = socket});
  } else if (typed) {
    return base::invalid_argument("--socket: a path of more than " +
                                  std::to_string(kLongestSocket) +
                                  " bytes is too long for a socket: name a shorter one");
  }
  return all;
}

std::optional<http::TlsFiles> tls_files(const config::Settings& settings) {
  const std::string certificate(settings.text("server.certificate"));
  if (certificate.empty()) return std::nullopt;
  return http::TlsFiles{.certificate = certificate, .key = settings.text("server.key")};
}

// Anything that leaves this machine is encrypted, unless a person insists.
base::Result<void> check_exposure(const http::Options& options, const Invocation& invocation) {
  if (options.tls || invocation.flag("insecure-listen-everywhere")) return {};
  for (const http::Address& address : options.listen) {
    if (address.is_loopback()) continue;
    return base::permission_denied(
        "anyone who can read the traffic to " + address.text() +
        " could read the token: set server.certificate and server.key, listen on 127.0.0.1 behind "
        "a proxy, or pass --insecure-listen-everywhere");
  }
  return {};
}

// What the kernel says about the process at the other end.
bool is_confined_peer(const http::Peer& peer) {
  if (peer.unix_socket) return confine::may_be_confined(peer.process);
  return confine::may_be_confined({.peer_address = peer.address,
                                   .peer_port = peer.port,
                                   .own_address = peer.own_address,
                                   .own_port = peer.own_port});
}

// Returns the database with its full path: operations work in other folders than the server.
base::Result<std::string> database_of(const storage::DatabaseUrl& url,
                                      const Invocation& invocation) {
  if (std::holds_alternative<storage::DatabaseUrl::Postgres>(url.address())) {
    return std::string(invocation.value("database").value_or(""));
  }
  return url.normalised();
}

// How often SIGHUP came. The thread that counts outlives the server.
using Hangups = std::shared_ptr<base::Monitor<std::uint64_t>>;

// Before there are threads that would take the signals.
Hangups listen_for_signals(const Context& context) {
  auto hangups = std::make_shared<base::Monitor<std::uint64_t>>();
  // At a terminal one means that the person has left.
  if (!context.screen().output_is_terminal) {
    context.on_hangup([hangups] { hangups->update([](std::uint64_t& count) { ++count; }); });
  }
  static_cast<void>(context.stop());
  return hangups;
}

/// A server from its first address to the end of its last request. Used by one thread.
class Serving {
 public:
  Serving(const Invocation& invocation, Context& context, Hangups hangups, MakeLive make_live)
      : invocation_(invocation),
        context_(context),
        hangups_(std::move(hangups)),
        make_live_(make_live),
        projects_(context.home()),
        receipts_(context.home(), context.clock()),
        pool_({.name = "server", .threads = kThreads}),
        stream_pool_({.name = "streams", .threads = kStreamThreads}),
        timers_(context.clock()) {}

  base::Result<Report> run() {
    const base::StopToken stop = context_.stop();
    CLEVER_TRY(open(stop));
    CLEVER_TRY(announce());
    if (tls_) watch_certificate();
    std::uint64_t seen = 0;
    const auto has_more = [&seen](const std::uint64_t& count) { return count > seen; };
    while (hangups_->wait(stop, base::Deadline::never(), has_more).ok()) {
      seen = hangups_->read([](const std::uint64_t& count) { return count; });
      CLEVER_TRY(reload());
    }
    return stopped();
  }

 private:
  // SIGHUP: settings that are wrong are reported, and the present ones stay in force.
  base::Result<void> reload() {
    const auto read = worker_ ? worker_->reload() : base::Result<void>();
    return context_.screen().error_output(
        read.ok() ? "settings read\n" : "settings refused: " + read.error().sentence() + "\n");
  }

  base::Result<void> open(const base::StopToken& stop) {
    const auto& settings = context_.settings();
    if (!settings.ok()) return settings.error();
    tls_ = tls_files(*settings);
    http::Options options{.tls = tls_};
    CLEVER_ASSIGN(options.limits, limits_of(*settings));
    options.limits.stream_buffer_bytes = kStreamBuffer;
    CLEVER_ASSIGN(options.listen, addresses_of(invocation_, context_));
    CLEVER_TRY(check_exposure(options, invocation_));
    base::SystemRandom random;
    CLEVER_ASSIGN(token_, load_token(context_.home(), random, stop));
    context_.redactor().add(token_.secret);
    CLEVER_TRY(receipts_.expire());
    CLEVER_TRY(open_operations(stop));
    return listen(std::move(options), *settings);
  }

  base::Result<void> open_operations(const base::StopToken& stop) {
    CLEVER_ASSIGN(const auto url, service::database_url(invocation_, context_));
    CLEVER_TRY(service::require_lasting(url));
    CLEVER_ASSIGN(auto store,
                  context_.databases().open(url, service::engine_options(context_), stop));
    CLEVER_ASSIGN(std::string database, database_of(url, invocation_));
    CLEVER_ASSIGN(recorder_, service::PlanRecorder::open(store, context_));
    operations_.emplace(Operations::Parts{.root = invocation_.root(),
                                          .host = context_,
                                          .store = std::move(store),
                                          .database = std::move(database),
                                          .work = [this, url] { return work_key(url); },
                                          .token = token_.secret,
                                          .stop = end_.token(),
                                          .recorder = recorder_.get()});
    storage::Engine& engine = operations_->store();
    CLEVER_TRY(open_worker());
    streams_.emplace(EventStreams::Parts{.store = engine,
                                         .clock = context_.clock(),
                                         .pool = stream_pool_,
                                         .timers = timers_,
                                         .admits = admits(engine)});
    CLEVER_TRY(open_oidc());
    access_.emplace(
        AccessApi::Parts{engine, context_.clock(), end_.token(), oidc_ ? &*oidc_ : nullptr});
    commands_.emplace(Commands::Parts{*operations_, projects_, context_.clock(), pool_, timers_,
                                      make_live_, admits(engine)});
    denials_.emplace(engine, context_.clock(), end_.token());
    return {};
  }

  std::function<bool(const std::string& token)> admits(storage::Engine& engine) {
    return [this, &engine](const std::string& token) {
      return service::is_still_valid(engine, context_.clock(), token, end_.token());
    };
  }

  base::Result<void> open_oidc() {
    const config::Settings& settings = *context_.settings();
    const std::string variable(settings.text("server.oidc.secret_variable"));
    const std::string secret(context_.environment().value(variable).value_or(""));
    if (!secret.empty()) context_.redactor().add(secret);
    CLEVER_ASSIGN(auto oidc, oidc_settings(settings, secret));
    if (!oidc) return {};
    oidc_.emplace(OidcLogin::Parts{.settings = *std::move(oidc),
                                   .http = context_.models().http(),
                                   .clock = context_.clock(),
                                   .stop = end_.token()});
    return {};
  }

  // Of the settings as they are now.
  base::Result<std::string> work_key(const storage::DatabaseUrl& url) const {
    const auto settings = context_.settings_in(context_.directory());
    if (!settings.ok()) return settings.error();
    return service::work_key(*settings, url, context_);
  }

  base::Result<void> open_worker() {
    const auto given = invocation_.value("concurrency");
    const auto slots = base::to_number<std::size_t>(given.value_or("32"));
    if (!slots || *slots > kMostSlots) {
      return base::invalid_argument("--concurrency: expected a number from 0 to " +
                                    std::to_string(kMostSlots));
    }
    if (*slots == 0) return {};
    CLEVER_ASSIGN(worker_, service::PlanWorker::open(operations_->shared_store(),
                                                     {.slots = given ? *slots : 0}, context_));
    return {};
  }

  base::Result<std::optional<base::Logger>> open_access_log(const config::Settings& settings) {
    if (settings.text("server.access_log") != "true") return std::optional<base::Logger>();
    const std::filesystem::path file = context_.home() / "logs" / "access.log";
    CLEVER_TRY(io::make_directories(file.parent_path()));
    CLEVER_ASSIGN(auto sink, base::file_log_sink({.path = file}, context_.clock()));
    auto redactor = std::make_shared<base::Redactor>();
    redactor->add(token_.secret);
    return std::optional(base::Logger(context_.clock(), std::move(redactor), {std::move(sink)}));
  }

  base::Result<void> listen(http::Options options, const config::Settings& settings) {
    Gate::Options gate{.token = token_.secret,
                       .rights = service::Rights::all(),
                       .authenticate =
                           [this](std::string_view token) {
                             return service::authenticate(operations_->store(), context_.clock(),
                                                          token, end_.token());
                           },
                       .listening = options.listen,
                       .hosts = config::list_of(settings.text("server.hosts")),
                       .is_confined = is_confined_peer,
                       .proxies = Proxies(config::list_of(settings.text("server.proxies")))};
    CLEVER_ASSIGN(auto access_log, open_access_log(settings));
    traffic_.emplace(std::move(access_log));
    if (invocation_.flag("read-only")) gate.rights = {service::Right::kRead};
    gate_.emplace(std::move(gate), context_.clock());
    api_.emplace(
        Api::Parts{*gate_, *operations_, *streams_, projects_, receipts_, *access_, *denials_,
                   *commands_, *traffic_, context_.clock(),
                   [this] { return worker_ ? worker_->reload() : base::Result<void>(); },
                   [this] { return worker_ ? std::optional(worker_->traces()) : std::nullopt; }});
    options.at_once = [this](const http::Request& request) {
      return api_->answer_at_once(request);
    };
    CLEVER_ASSIGN(server_, http::Server::open(
                               std::move(options),
                               [this](const std::shared_ptr<const http::Request>& request,
                                      http::Responder responder) {
                                 api_->handle(*request, std::move(responder));
                               },
                               pool_, context_.clock()));
    return {};
  }

  void watch_certificate() {
    certificates_.emplace(CertificateWatch::Parts{
        .files = {tls_->certificate, tls_->key},
        .reload = [this] { return server_->reload_certificate(); },
        .report =
            [screen = context_.screen()](const base::Error& error) {
              static_cast<void>(screen.error_output(
                  "warning: the certificate stays as it was: " + error.sentence() + "\n"));
            },
        .clock = context_.clock()});
  }

  [[nodiscard]] Document facts() const {
    Document addresses = Document::list();
    for (const http::Address& address : server_->addresses()) addresses.push(address.text());
    return Document::map()
        .set("listening", std::move(addresses))
        .set("token_file", token_.file.string());
  }

  base::Result<void> announce() const {
    const service::Screen screen = context_.screen();
    if (service::is_for_programs(screen.format)) {
      return screen.output(model::to_json(facts()) + "\n");
    }
    std::string text;
    for (const http::Address& address : server_->addresses()) {
      text += "listening on " + address.text() + "\n";
    }
    text += "token in " + token_.file.string() + "\n";
    if (!screen.output_is_terminal) return screen.output(text);
    // Only for a person: pipes and logs keep what they get.
    if (token_.is_new) text += "token " + token_.secret + "\n";
    CLEVER_ASSIGN(const std::string link, fresh_login_link());
    if (!link.empty()) text += "sign in, once within five minutes: " + link + "\n";
    return screen.output(text);
  }

  // For the account that runs the server; empty if it listens on its socket alone.
  base::Result<std::string> fresh_login_link() const {
    const auto& addresses = server_->addresses();
    const auto tcp = std::ranges::find_if_not(addresses, &http::Address::is_unix_socket);
    if (tcp == addresses.end()) return std::string();
    const service::Caller caller = service::command_line_caller();
    base::SystemRandom random;
    CLEVER_ASSIGN(
        const auto code,
        service::create_login_code({operations_->store(), context_.clock(), caller, end_.token()},
                                   {.person = service::person_name(context_),
                                    .label = "login link",
                                    .scopes = {"read", "run", "approve", "admin"},
                                    .days = service::kUsualLoginDays},
                                   random));
    return service::login_link((tls_ ? "https://" : "http://") + tcp->text(), code.text);
  }

  base::Result<Report> stopped() {
    api_->drain();
    const auto drained = server_->drain({}, base::Deadline::after(context_.clock(), kDrainTakes));
    end_.request_stop();
    Report report;
    report.data = facts();
    certificates_.reset();
    server_.reset();
    // Its plans wait in the queue, for another worker or the next start.
    worker_.reset();
    if (!drained.ok()) report.warn("requests were cut off: " + drained.error().sentence());
    report.view = {service::Prose{{{{"stopped"}}}}};
    return report;
  }

  // Constant after construction.
  const Invocation& invocation_;
  Context& context_;
  const Hangups hangups_;
  const MakeLive make_live_;
  const service::Projects projects_;
  // Stops operations that are not done after the drain.
  base::StopSource end_;
  Token token_;
  std::optional<http::TlsFiles> tls_;
  Receipts receipts_;
  // Outlives the timers, which get it.
  base::ThreadPool pool_;
  // Streams never wait behind requests, which may wait for plans: a revoked token's end at once.
  base::ThreadPool stream_pool_;
  base::TimerQueue timers_;
  // Later members use earlier ones.
  std::unique_ptr<service::PlanRecorder> recorder_;
  std::optional<Operations> operations_;
  std::unique_ptr<service::PlanWorker> worker_;
  std::optional<EventStreams> streams_;
  std::optional<OidcLogin> oidc_;
  std::optional<AccessApi> access_;
  std::optional<Denials> denials_;
  std::optional<Commands> commands_;
  std::optional<Traffic> traffic_;
  std::optional<Gate> gate_;
  std::optional<Api> api_;
  std::unique_ptr<http::Server> server_;
  std::optional<CertificateWatch> certificates_;
};

}  // namespace

base::Result<Report> serve(const Invocation& invocation, Context& context, MakeLive make_live) {
  const Hangups hangups = listen_for_signals(context);
  return Serving(invocation, context, hangups, make_live).run();
}

service::Command server_command(service::Handler handler) {
  return {
      .name = "server",
      .summary = "Serve plans to programs over HTTP",
      .description =
          "Answers on 127.0.0.1:7777 and on the socket server.sock in the home folder until Ctrl-C "
          "or SIGTERM; requests under way end first. Every request takes a token, that of `agents "
          "token create` or the server's own in the file server.token: `Authorization: Bearer "
          "TOKEN`. GET /v1/openapi.json describes the interface.\n\nPlans wait in the "
          "queue of the database until this process or another worker takes them; those that run "
          "when it stops continue in another worker, or when it starts again.\n\nWith --format "
          "json the first line is an "
          "object with `listening` and `token_file`.",
      .options = {{.name = "listen",
                   .value = "ADDR",
                   .summary = "Address and port, 127.0.0.1:0 for a free one; may be repeated",
                   .repeated = true},
                  {.name = "socket", .value = "PATH", .summary = "The unix socket"},
                  {.name = "concurrency",
                   .value = "N",
                   .summary = "Plans at once; 0 leaves them to `agents worker` (default 32)"},
                  {.name = "read-only", .summary = "The server's own token allows reading only"},
                  {.name = "insecure-listen-everywhere",
                   .summary = "Listen beyond this machine without encryption"},
                  service::database_option()},
      .examples = {{"agents server", "On 127.0.0.1:7777"},
                   {"agents server --listen 127.0.0.1:0 --format json", "For a script"}},
      .handler = handler};
}

}  // namespace clever::server
