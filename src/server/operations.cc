#include "server/operations.h"

#include <algorithm>
#include <iterator>

#include "base/redact.h"
#include "io/file.h"
#include "service/interrupted_apply.h"
#include "service/retention.h"
#include "service/screen.h"
#include "service/settings_change.h"
#include "service/text.h"
#include "service/work_folder.h"
#include "storage/plans.h"

namespace clever::server {
namespace {

constexpr std::size_t kTextWidth = 100;

base::Result<void> said(std::string_view /*text*/) { return {}; }

// For a program: no one to ask, and nothing to show.
service::Screen no_screen() {
  return {.format = service::Format::kJson,
          .quiet = true,
          .output = said,
          .error_output = said,
          .say = [](const service::View&) { return base::Result<void>(); },
          .prompt = [](const service::Line&) { return base::Result<void>(); }};
}

service::Context context_in(const service::Surroundings& surroundings,
                            const std::filesystem::path& directory,
                            std::vector<std::pair<std::string, std::string>> flags,
                            base::Redactor& redactor) {
  return {surroundings,
          directory,
          std::move(flags),
          kTextWidth,
          [] { return service::Progress([](std::string_view, std::uint64_t, std::uint64_t) {}); },
          no_screen,
          redactor};
}

service::Surroundings surroundings_of(const Operations::Parts& parts,
                                      service::FoundProjects& projects,
                                      service::LocalAnswers& local_answers) {
  const service::Context& host = parts.host;
  return {.environment = host.environment(),
          .working_directory = host.directory(),
          .clock = &host.clock(),
          .databases = &host.databases(),
          .models = &host.models(),
          .launcher = host.launcher(),
          .input = [] { return base::Result<std::string>(std::string()); },
          .interruption = [stop = parts.stop] { return stop; },
          .insistence = [] { return base::StopToken(); },
          .projects = &projects,
          .local_answers = &local_answers,
          .recorder = parts.recorder,
          .queues_plans = true};
}

}  // namespace

base::Error no_plan(const std::string& plan) {
  return base::not_found("there is no plan " + service::in_quotes(plan));
}

Operations::Operations(Parts parts)
    : parts_(std::move(parts)),
      found_(parts_.host.clock()),
      local_answers_(parts_.host.clock()),
      surroundings_(surroundings_of(parts_, found_, local_answers_)) {}

Operations::Flags Operations::flags() const {
  if (parts_.database.empty()) return {};
  return {{"database.url", parts_.database}};
}

void Operations::conceal(base::Redactor& redactor) const {
  for (const auto& [name, value] : surroundings_.environment.entries()) {
    if (base::names_secret(name)) redactor.add(value);
  }
  redactor.add(parts_.token);
}

base::Result<service::Report> Operations::run(service::Invocation invocation,
                                              const service::Caller& caller,
                                              const std::filesystem::path& directory) const {
  base::Redactor redactor;
  conceal(redactor);
  service::Context context = context_in(surroundings_, directory, flags(), redactor);
  return call(std::move(invocation), caller, context);
}

base::Result<service::Report> Operations::run_for(const Client& client,
                                                  service::Invocation invocation,
                                                  const service::Caller& caller) const {
  base::Redactor redactor;
  conceal(redactor);
  service::Surroundings surroundings = surroundings_;
  surroundings.input = client.input;
  // With settings or answers of its own it may need a process of its own.
  surroundings.queues_plans = false;
  surroundings.background = [this](const std::vector<std::string>& arguments,
                                   const std::filesystem::path& /*directory*/,
                                   const std::filesystem::path& log) {
    return parts_.host.start_in_background(arguments, log);
  };
  surroundings.interruption = [stop = client.stop] { return stop; };
  surroundings.insistence = [stop = client.insistence] { return stop; };
  Flags settings = client.settings;
  std::ranges::copy(flags(), std::back_inserter(settings));
  const auto no_progress = [](std::string_view, std::uint64_t, std::uint64_t) {};
  service::Context context(
      surroundings, client.folder, std::move(settings), client.text_width,
      [&] { return service::Progress(no_progress); }, client.screen, redactor);
  return call(std::move(invocation), caller, context);
}

base::Result<service::Report> Operations::call(service::Invocation invocation,
                                               const service::Caller& caller,
                                               service::Context& context) const {
  const base::Redactor& redactor = context.redactor();
  const auto& options = invocation.command().options;
  const bool has_database =
      std::ranges::find(options, "database", &service::Option::name) != options.end();
  if (has_database && !parts_.database.empty()) {
    invocation.values_of("database").assign(1, parts_.database);
  }
  const auto ended = service::end_interrupted_apply(context);
  auto report = service::call(invocation.path(), invocation, caller, context);
  if (!report.ok()) {
    return base::Error(report.error().code(), redactor.redact(report.error().sentence()));
  }
  if (!ended.ok()) report->warn(ended.error().sentence());
  for (service::Message& message : report->messages) {
    message.text = redactor.redact(message.text);
  }
  if (service::right_of(service::joined(
          {invocation.path().begin() + 1, invocation.path().end()})) != service::Right::kRead) {
    service::retain_after(invocation, context);
  }
  return report;
}

base::Result<void> Operations::change_settings(
    const std::vector<config::ValueChange>& changes) const {
  base::Redactor redactor;
  conceal(redactor);
  service::Context context = context_in(surroundings_, "/", flags(), redactor);
  const auto done = service::change_settings(changes, context);
  if (done.ok()) return done;
  return base::Error(done.error().code(), redactor.redact(done.error().sentence()));
}

bool Operations::works_like(const std::string& work_key) const {
  const auto own = parts_.work();
  return own.ok() && *own == work_key;
}

std::filesystem::path Operations::neutral_folder() const {
  const std::filesystem::path folder = parts_.host.home() / "server" / "nowhere";
  // What works there says itself that it is missing.
  static_cast<void>(io::make_directories(folder));
  return folder;
}

base::Result<std::filesystem::path> Operations::project_of(const std::string& plan) const {
  const auto id = model::PlanId::parse(plan);
  if (!id.ok()) return no_plan(plan);
  auto summary = storage::Plans(*parts_.store).find(*id, parts_.stop);
  if (summary.ok()) return std::filesystem::path(summary->project);
  if (summary.error().code() == base::ErrorCode::kNotFound) return no_plan(plan);
  return summary.error();
}

base::Result<std::filesystem::path> Operations::check_project(const std::string& folder) const {
  const std::filesystem::path path(folder);
  if (!path.is_absolute()) return base::invalid_argument("path: expected an absolute path");
  if (io::file_kind(path) != io::FileKind::kDirectory) {
    return base::not_found("path: no such folder: " + service::in_quotes(folder));
  }
  base::Redactor redactor;
  service::Context context = context_in(surroundings_, path, flags(), redactor);
  CLEVER_ASSIGN(const auto project, context.project());
  CLEVER_TRY(service::check_project_folder(project, context));
  return project.root;
}

}  // namespace clever::server
