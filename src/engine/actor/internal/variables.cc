#include "engine/actor/internal/variables.h"

#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "base/utf8.h"
#include "engine/actor/internal/yaml_fields.h"

namespace clever::engine::internal {
namespace {

// A piece of plain text, or a variable.
struct Piece {
  std::string text{};
  bool variable = false;
};

// `$${` is `${` in plain text; an unclosed `${` is plain text too.
std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  std::string plain;
  while (!text.empty()) {
    const std::size_t end = text.starts_with("${") ? text.find('}') : std::string_view::npos;
    if (text.starts_with("$${")) {
      plain += "${";
      text.remove_prefix(3);
    } else if (end != std::string_view::npos) {
      if (!plain.empty()) pieces.push_back({std::move(plain)});
      plain.clear();
      pieces.push_back({std::string(text.substr(2, end - 2)), true});
      text.remove_prefix(end + 1);
    } else {
      plain += text.front();
      text.remove_prefix(1);
    }
  }
  if (!plain.empty()) pieces.push_back({std::move(plain)});
  return pieces;
}

std::string shown_variable(std::string_view name) {
  constexpr std::size_t kShown = 40;
  return std::string(base::utf8_prefix(name, kShown));
}

base::Result<void> check_value(std::string_view owner, const ActorArgument& argument,
                               const std::string& value) {
  if (fits(argument, value)) return {};
  return base::invalid_argument(
      "--arg " + argument.name + "=" + shown_variable(value) + ": " + std::string(owner) +
      " takes " + expectation(argument) + " for \"" + argument.name + "\"" +
      (argument.description.empty() ? "" : " (" + argument.description + ")"));
}

}  // namespace

bool is_variable_name(std::string_view name) noexcept {
  constexpr std::size_t kLongest = 64;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.size() <= kLongest && name.front() >= 'a' && name.front() <= 'z' &&
         std::ranges::all_of(name, fits);
}

bool is_fixed_variable(std::string_view name) noexcept {
  return name == "paths" || name == "path" || name == "project";
}

std::vector<std::string> variables_in(std::string_view text) {
  std::vector<std::string> names;
  for (Piece& piece : pieces_of(text)) {
    if (piece.variable) names.push_back(std::move(piece.text));
  }
  return names;
}

std::optional<std::string> sole_variable(std::string_view text) {
  std::vector<Piece> pieces = pieces_of(text);
  if (pieces.size() != 1 || !pieces.front().variable) return std::nullopt;
  return std::move(pieces.front().text);
}

base::Result<void> check_variables(std::string_view text, const std::vector<std::string>& known) {
  for (const std::string& name : variables_in(text)) {
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string message = "there is no variable ${" + shown_variable(name) + "}";
    const auto nearest = base::nearest_match(name, known);
    if (nearest) message += "; did you mean ${" + *nearest + "}?";
    message += (nearest ? " Known: " : "; known: ") +
               (known.empty() ? std::string("none") : base::joined(known)) +
               " ($${ writes ${ itself)";
    return base::invalid_argument(std::move(message));
  }
  return {};
}

std::string expand(std::string_view text,
                   const std::function<std::string(const std::string&)>& value_of) {
  std::string expanded;
  for (const Piece& piece : pieces_of(text)) {
    expanded += piece.variable ? value_of(piece.text) : piece.text;
  }
  return expanded;
}

std::string expand(std::string_view text, const std::map<std::string, std::string>& values) {
  return expand(text, [&](const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
  });
}

std::vector<std::string> names_of(const std::vector<ActorArgument>& arguments) {
  std::vector<std::string> names;
  for (const ActorArgument& argument : arguments) names.push_back(argument.name);
  return names;
}

base::Result<std::map<std::string, std::string>> checked_arguments(
    std::string_view owner, const std::vector<ActorArgument>& arguments,
    const std::map<std::string, std::string>& given) {
  const std::vector<std::string> names = names_of(arguments);
  for (const auto& [name, value] : given) {
    const auto argument = std::ranges::find(arguments, name, &ActorArgument::name);
    if (argument != arguments.end()) {
      CLEVER_TRY(check_value(owner, *argument, value));
      continue;
    }
    std::string message = std::string(owner) + " has no argument \"" + shown_variable(name) + "\"";
    const auto nearest = base::nearest_match(name, names);
    if (nearest) message += "; did you mean " + *nearest + "?";
    message += names.empty() ? "; it takes none"
                             : (nearest ? " It takes " : "; it takes ") + base::joined(names);
    return base::invalid_argument(std::move(message));
  }
  std::map<std::string, std::string> values = given;
  for (const ActorArgument& argument : arguments) {
    if (values.contains(argument.name)) continue;
    if (argument.required) {
      return base::invalid_argument(
          std::string(owner) + " needs the argument \"" + argument.name + "\"" +
          (argument.description.empty() ? "" : " (" + argument.description + ")") + ": --arg " +
          argument.name + "=…");
    }
    values[argument.name] = argument.default_value;
  }
  return values;
}

}  // namespace clever::engine::internal
