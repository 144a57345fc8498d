#include "server/bind.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "base/number.h"
#include "base/text.h"
#include "model/document_json.h"
#include "service/text.h"

namespace clever::server {
namespace {

using Kind = Field::Kind;
using model::Document;
using service::in_quotes;
using service::Invocation;

base::Error wrong(const Field& field, std::string_view expected) {
  return base::invalid_argument(std::string(field.name) + ": expected " + std::string(expected));
}

// The command line reads a file for @NAME and its input for -; a client means these characters
// literally. A leading blank prevents that, and changes nothing for a model.
std::string as_typed(std::string text) {
  const bool has_other_meaning = text == "-" || text.starts_with('@');
  return has_other_meaning ? " " + std::move(text) : std::move(text);
}

/// Turns fields' values into the words and options of one invocation.
class Binder {
 public:
  explicit Binder(Bound& bound) : bound_(bound) {}

  base::Result<void> take(const Field& field, const Document& value) {
    switch (field.kind) {
      case Kind::kFlag:
        return take_flag(field, value);
      case Kind::kInteger:
      case Kind::kDollars:
        return take_number(field, value);
      case Kind::kTexts:
      case Kind::kWords:
      case Kind::kProjects:
        return take_texts(field, value);
      case Kind::kText:
      case Kind::kWord:
      case Kind::kPath:
        break;
    }
    const auto* text = std::get_if<std::string>(&value.value());
    if (text == nullptr) return wrong(field, "a text");
    return put(field, *text);
  }

 private:
  base::Result<void> take_flag(const Field& field, const Document& value) {
    const auto* flag = std::get_if<bool>(&value.value());
    if (flag == nullptr) return wrong(field, "true or false");
    if (*flag) bound_.invocation.values_of(option_of(field)).assign(1, "");
    return {};
  }

  base::Result<void> take_number(const Field& field, const Document& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value.value())) {
      return put(field, std::to_string(*number));
    }
    const auto* amount = std::get_if<double>(&value.value());
    if (amount == nullptr || field.kind == Kind::kInteger) {
      return wrong(field, field.kind == Kind::kInteger ? "a whole number" : "a number");
    }
    return put(field, model::json_number(*amount));
  }

  base::Result<void> take_texts(const Field& field, const Document& value) {
    const auto* list = std::get_if<Document::List>(&value.value());
    if (list == nullptr) return wrong(field, "a list of texts");
    for (const Document& item : *list) {
      const auto* text = std::get_if<std::string>(&item.value());
      if (text == nullptr) return wrong(field, "a list of texts");
      CLEVER_TRY(put(field, *text));
    }
    return {};
  }

  base::Result<void> put(const Field& field, std::string text) {
    if (text.find('\0') != std::string::npos) return wrong(field, "a text without NUL");
    switch (field.kind) {
      case Kind::kProjects:
        bound_.projects.push_back(std::move(text));
        return {};
      case Kind::kPath:
        bound_.folder = std::move(text);
        return {};
      case Kind::kWord:
      case Kind::kWords:
        if (base::is_blank(text)) return wrong(field, "a text that is not blank");
        bound_.invocation.add_word(as_typed(std::move(text)));
        return {};
      default:
        return put_option(field, std::move(text));
    }
  }

  base::Result<void> put_option(const Field& field, std::string text) {
    // The server itself answers, from Bound::given.
    if (bound_.invocation.path().size() == 1) return {};
    const auto& options = bound_.invocation.command().options;
    const auto option = std::ranges::find(options, option_of(field), &service::Option::name);
    if (option == options.end()) return wrong(field, "nothing: no operation takes it");
    if (!option->choices.empty() && std::ranges::count(option->choices, text) == 0) {
      return wrong(field, service::alternatives(option->choices) + ", not " + in_quotes(text));
    }
    auto& values = bound_.invocation.values_of(option->name);
    if (!option->repeated) values.clear();
    values.push_back(as_typed(std::move(text)));
    return {};
  }

  static std::string_view option_of(const Field& field) {
    return field.option.empty() ? field.name : field.option;
  }

  Bound& bound_;
};

const Field* find_field(const Route& route, std::string_view name) {
  const auto found = std::ranges::find(route.fields, name, &Field::name);
  return found == route.fields.end() ? nullptr : &*found;
}

base::Error unknown_name(const Route& route, std::string_view what, std::string_view name) {
  std::vector<std::string_view> known;
  for (const Field& field : route.fields) known.push_back(field.name);
  return base::invalid_argument(
      "there is no " + std::string(what) + " " + in_quotes(name) +
      (known.empty() ? std::string("; none is taken here") : "; there are " + base::joined(known)));
}

// Converts a query value to the form it has in a body.
base::Result<Document> document_of(const Field& field, const std::string& text) {
  switch (field.kind) {
    case Kind::kFlag:
      if (text == "true" || text == "false") return Document(text == "true");
      return wrong(field, "true or false");
    case Kind::kInteger: {
      const auto number = base::to_number<std::int64_t>(text);
      if (!number) return wrong(field, "a whole number");
      return Document(*number);
    }
    case Kind::kTexts:
    case Kind::kWords:
    case Kind::kProjects: {
      Document list = Document::list();
      list.push(text);
      return list;
    }
    default:
      return Document(text);
  }
}

base::Result<Document> query_document(const Route& route, const http::Request& request) {
  Document all = Document::map();
  for (const auto& [name, text] : request.query) {
    const Field* field = find_field(route, name);
    if (field == nullptr) return unknown_name(route, "parameter", name);
    if (all.find(name) != nullptr) {
      return base::invalid_argument("the parameter " + in_quotes(name) + " is given twice");
    }
    CLEVER_ASSIGN(Document value, document_of(*field, text));
    all.set(name, std::move(value));
  }
  return all;
}

base::Result<Document> given(const Route& route, const http::Request& request) {
  if (route.method == "GET") return query_document(route, request);
  if (!request.query.empty()) {
    return base::invalid_argument("there is no parameter " + in_quotes(request.query[0].first) +
                                  ": this operation takes its input in the body");
  }
  return json_body(request);
}

}  // namespace

base::Result<Document> json_body(const http::Request& request) {
  if (base::is_blank(request.body)) return Document::map();
  auto parsed = model::parse_document(request.body);
  if (!parsed.ok()) return std::move(parsed).error().add_context("the body");
  if (!parsed->is_map()) return base::invalid_argument("the body: expected a JSON object");
  return parsed;
}

service::CommandPath find_operation(const service::Command& root, std::string_view name) {
  service::CommandPath path{&root};
  for (const std::string_view word : base::split(name, ' ')) {
    const service::Command* command = service::find_subcommand(*path.back(), word);
    if (command == nullptr) return {};
    path.push_back(command);
  }
  return path;
}

base::Result<Bound> bind(const Route& route, const PathParameters& parameters,
                         const http::Request& request, const service::Command& root) {
  CLEVER_ASSIGN(const Document all, given(route, request));
  Bound bound{.invocation = Invocation(root)};
  const service::CommandPath path = find_operation(root, route.operation);
  for (std::size_t i = 1; i < path.size(); ++i) bound.invocation.enter(*path[i]);
  // The server's own operations read them from the path.
  if (!route.operation.empty()) {
    for (const auto& [name, value] : parameters) bound.invocation.add_word(value);
  }
  for (const auto& [name, value] : std::get<Document::Map>(all.value())) {
    if (find_field(route, name) == nullptr) return unknown_name(route, "key", name);
  }
  Binder binder(bound);
  for (const Field& field : route.fields) {
    const Document* value = all.find(field.name);
    if (value == nullptr || value->is_null()) {
      if (field.required) return base::invalid_argument(std::string(field.name) + " is missing");
      continue;
    }
    CLEVER_TRY(binder.take(field, *value));
  }
  bound.given = all;
  for (const std::string_view flag : route.flags) {
    bound.invocation.values_of(flag).assign(1, "");
  }
  return bound;
}

}  // namespace clever::server
