#include "cli/help.h"

#include <algorithm>

#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

struct Entry {
  std::string name;
  std::string summary;
};

class HelpWriter {
 public:
  HelpWriter(const CommandPath& path, std::size_t width)
      : path_(path), command_(*path.back()), width_(width) {}

  Prose write() {
    description();
    blank();
    add({{"Usage: ", Tone::kStrong}, {usage_line(path_)}});
    section("Commands", commands());
    section("Arguments", arguments());
    if (path_.size() > 1) section("Options", options(command_));
    section(path_.size() > 1 ? "Global options" : "Options", options(*path_.front()));
    examples();
    footer();
    return std::move(prose_);
  }

 private:
  void description() {
    const std::string_view text =
        command_.description.empty() ? command_.summary : command_.description;
    for (const std::string_view paragraph : paragraphs(text)) {
      if (!prose_.lines.empty()) blank();
      for (std::string& line : wrapped(paragraph, width_)) add({{std::move(line)}});
    }
    if (command_.aliases.empty()) return;
    blank();
    add({{"Alias: ", Tone::kStrong}, {alternatives(command_.aliases)}});
  }

  std::vector<Entry> commands() const {
    std::vector<Entry> entries;
    for (const Command& subcommand : command_.subcommands) {
      if (!subcommand.hidden) {
        entries.push_back({std::string(subcommand.name), std::string(subcommand.summary)});
      }
    }
    return entries;
  }

  std::vector<Entry> arguments() const {
    std::vector<Entry> entries;
    for (const Positional& positional : command_.positionals) {
      entries.push_back(
          {spelled(positional), summary_with_choices(positional.summary, positional.choices)});
    }
    return entries;
  }

  static std::vector<Entry> options(const Command& command) {
    std::vector<Entry> entries;
    for (const Option& option : command.options) {
      const std::string indent = option.letter == 0 ? "    " : "";
      entries.push_back(
          {indent + spelled(option), summary_with_choices(option.summary, option.choices)});
    }
    return entries;
  }

  void section(std::string title, const std::vector<Entry>& entries) {
    if (entries.empty()) return;
    blank();
    add({{std::move(title) + ":", Tone::kStrong}});
    std::size_t widest = 0;
    for (const Entry& entry : entries) widest = std::max(widest, columns(entry.name));
    for (const Entry& entry : entries) add_entry(entry, widest);
  }

  void add_entry(const Entry& entry, std::size_t widest) {
    constexpr std::size_t kLeast = 24;
    const std::size_t indent = widest + 4;
    const std::size_t room = width_ > indent + kLeast ? width_ - indent : kLeast;
    Span lead{"  " + padded(entry.name, widest) + "  ", Tone::kAccent};
    for (std::string& line : wrapped(entry.summary, room)) {
      add({lead, {std::move(line)}});
      lead = {std::string(indent, ' ')};
    }
  }

  void examples() {
    if (command_.examples.empty()) return;
    blank();
    add({{"Examples:", Tone::kStrong}});
    for (const Example& example : command_.examples) {
      add({{"  # " + std::string(example.what), Tone::kDim}});
      add({{"  " + std::string(example.command), Tone::kAccent}});
    }
  }

  void footer() {
    if (command_.subcommands.empty()) return;
    blank();
    add({{"`" + joined(path_) + " COMMAND --help` says more about a command.", Tone::kDim}});
  }

  void add(Line line) { prose_.lines.push_back(std::move(line)); }
  void blank() { prose_.lines.emplace_back(); }

  const CommandPath& path_;
  const Command& command_;
  const std::size_t width_;
  Prose prose_;
};

Document part_data(const Option& option) {
  Document data = Document::map();
  data.set("name", "--" + std::string(option.name));
  if (option.letter != 0) data.set("letter", std::string{'-', option.letter});
  if (!option.value.empty()) data.set("value", option.value);
  if (option.repeated) data.set("repeated", true);
  data.set("summary", option.summary);
  if (!option.choices.empty()) data.set("choices", Document::texts(option.choices));
  return data;
}

Document part_data(const Positional& positional) {
  Document data = Document::map();
  data.set("name", positional.name)
      .set("summary", positional.summary)
      .set("required", positional.required)
      .set("repeated", positional.repeated);
  if (!positional.choices.empty()) data.set("choices", Document::texts(positional.choices));
  return data;
}

template <class Part>
Document list_of(const std::vector<Part>& parts) {
  Document list = Document::list();
  for (const Part& part : parts) list.push(part_data(part));
  return list;
}

}  // namespace

std::vector<std::string_view> paragraphs(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(std::min(end + 2, text.size()))) {
    end = std::min(text.find("\n\n"), text.size());
    parts.push_back(text.substr(0, end));
  }
  return parts;
}

std::string summary_with_choices(std::string_view summary,
                                 const std::vector<std::string_view>& choices) {
  if (choices.empty()) return std::string(summary);
  return std::string(summary) + ": " + alternatives(choices);
}

Prose help_text(const CommandPath& path, std::size_t width) {
  return HelpWriter(path, width).write();
}

Document help_data(const CommandPath& path) {
  const Command& command = *path.back();
  Document examples = Document::list();
  for (const Example& example : command.examples) {
    examples.push(Document::map().set("command", example.command).set("what", example.what));
  }
  Document subcommands = Document::list();
  for (const Command& subcommand : command.subcommands) {
    if (subcommand.hidden) continue;
    CommandPath below = path;
    below.push_back(&subcommand);
    subcommands.push(help_data(below));
  }
  return Document::map()
      .set("name", joined(path))
      .set("aliases", Document::texts(command.aliases))
      .set("summary", command.summary)
      .set("usage", usage_line(path))
      .set("arguments", list_of(command.positionals))
      .set("options", list_of(command.options))
      .set("examples", std::move(examples))
      .set("subcommands", std::move(subcommands));
}

}  // namespace clever::cli
