#include "engine/offer/offer.h"

#include <algorithm>
#include <map>

#include "engine/actor/internal/definition_files.h"
#include "io/file.h"

namespace clever::engine {
namespace {

constexpr std::size_t kLargestJson = std::size_t{1} << 20U;

// If two have the same name, the later one wins.
template <class T, class Name>
void add_or_replace(std::vector<T>& all, std::vector<T> more, const Name& name) {
  for (T& item : more) {
    const auto same =
        std::ranges::find_if(all, [&](const T& known) { return name(known) == name(item); });
    if (same == all.end()) {
      all.push_back(std::move(item));
    } else {
      *same = std::move(item);
    }
  }
  std::ranges::sort(all, {}, name);
}

std::vector<Skill> skills_of(const std::filesystem::path& folder, bool of_project,
                             std::vector<std::string>& problems) {
  FoundSkills found = skills_in(folder, of_project);
  for (const base::Error& problem : found.problems) problems.push_back(problem.sentence());
  return std::move(found.skills);
}

class OfferFinder {
 public:
  OfferFinder(const config::Settings& settings, const OfferPlaces& places)
      : settings_(settings), places_(places), own_(places.project / ".cleveragents") {}

  Offer find() {
    find_tools();
    find_skills();
    find_servers();
    return std::move(offer_);
  }

 private:
  // The project is the person's home folder, whose files are found already.
  [[nodiscard]] bool is_home() const { return io::same_file(own_, places_.home); }

  void find_tools() {
    const auto name = [](const OfferedTool& tool) { return tool.tool.spec.name; };
    add_or_replace(offer_.tools, tools_in(places_.home / "tools", false, offer_.problems), name);
    if (is_home()) return;
    add_or_replace(offer_.tools, tools_in(own_ / "tools", true, offer_.problems), name);
  }

  void find_skills() {
    const auto name = [](const Skill& skill) { return skill.name; };
    add_or_replace(offer_.skills, skills_of(places_.home / "skills", false, offer_.problems), name);
    if (is_home()) return;
    const bool has_own = io::file_kind(own_ / "skills") == io::FileKind::kDirectory;
    const auto folder = has_own ? own_ / "skills" : places_.project / ".claude" / "skills";
    add_or_replace(offer_.skills, skills_of(folder, true, offer_.problems), name);
  }

  void find_servers() {
    auto servers = mcp_servers_of(settings_);
    if (!servers.ok()) {
      offer_.problems.push_back(servers.error().sentence());
    } else {
      offer_.servers = *std::move(servers);
    }
    const bool has_own = std::ranges::any_of(offer_.servers, &McpServer::of_project);
    if (!has_own) add_foreign_servers();
  }

  // The person's own server of the same name wins.
  void add_foreign_servers() {
    const std::filesystem::path file = places_.project / ".mcp.json";
    if (io::file_kind(file) == io::FileKind::kMissing) return;
    const auto text = io::read_file(file, kLargestJson);
    auto servers = text.ok() ? parse_mcp_json(*text, ".mcp.json")
                             : base::Result<std::vector<McpServer>>(text.error());
    if (!servers.ok()) return offer_.problems.push_back(servers.error().sentence());
    for (McpServer& server : *servers) {
      const bool known =
          std::ranges::find(offer_.servers, server.name, &McpServer::name) != offer_.servers.end();
      if (!known) offer_.servers.push_back(std::move(server));
    }
    std::ranges::sort(offer_.servers, {}, &McpServer::name);
  }

  const config::Settings& settings_;
  const OfferPlaces& places_;
  const std::filesystem::path own_;
  Offer offer_;
};

}  // namespace

std::vector<OfferedTool> tools_in(const std::filesystem::path& folder, bool of_project,
                                  std::vector<std::string>& problems) {
  std::vector<OfferedTool> found;
  const auto files = internal::definition_files(folder);
  if (!files.ok()) {
    problems.push_back(files.error().sentence());
    return found;
  }
  for (const internal::DefinitionFile& file : *files) {
    auto tools = tool::parse_custom_tools(file.text, file.name);
    if (!tools.ok()) {
      problems.push_back(tools.error().sentence());
      continue;
    }
    for (tool::CustomTool& tool : *tools) {
      const auto same = std::ranges::find_if(
          found, [&](const OfferedTool& known) { return known.tool.spec.name == tool.spec.name; });
      if (same != found.end()) {
        problems.push_back(tool.place + ": the tool " + tool.spec.name + " is in " +
                           same->tool.place + " already; rename one of them");
      } else {
        found.push_back({std::move(tool), file.name, of_project});
      }
    }
  }
  return found;
}

Offer find_offer(const config::Settings& settings, const OfferPlaces& places) {
  return OfferFinder(settings, places).find();
}

NamedCommand named_command(const OfferedTool& tool, const std::filesystem::path& project) {
  return {.kind = "tool",
          .name = tool.tool.spec.name,
          .argv = tool.tool.argv,
          .place = tool.tool.place,
          .files = {std::filesystem::path(tool.file).lexically_relative(project).string()}};
}

std::vector<NamedCommand> project_commands_of(const Offer& offer,
                                              const std::filesystem::path& project) {
  std::vector<NamedCommand> commands;
  for (const McpServer& server : offer.servers) {
    if (server.of_project) commands.push_back(named_command(server));
  }
  for (const OfferedTool& tool : offer.tools) {
    if (tool.of_project) commands.push_back(named_command(tool, project));
  }
  for (const Skill& skill : offer.skills) {
    if (!skill.of_project) continue;
    const auto command = named_command(skill, project);
    if (command.ok()) commands.push_back(*command);
  }
  return commands;
}

Offer trusted_only(Offer offer, const std::filesystem::path& project, const TrustStore& trust) {
  std::erase_if(offer.servers, [&](const McpServer& server) {
    return server.of_project && !trust.trusts(project, {named_command(server)});
  });
  std::erase_if(offer.tools, [&](const OfferedTool& tool) {
    return tool.of_project && !trust.trusts(project, {named_command(tool, project)});
  });
  std::erase_if(offer.skills, [&](const Skill& skill) {
    if (!skill.of_project) return false;
    const auto command = named_command(skill, project);
    return !command.ok() || !trust.trusts(project, {*command});
  });
  return offer;
}

std::vector<NamedCommand> setup_command_of(const config::Settings& settings) {
  const auto setup = settings.find("sandbox.setup");
  if (!setup || setup->text.empty() || setup->layer != config::Layer::kProject) return {};
  return {{.kind = "setup",
           .name = "sandbox.setup",
           .argv = {"sh", "-c", setup->text},
           .place = setup->origin}};
}

}  // namespace clever::engine
