#include "model/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/nearest.h"
#include "base/text.h"
#include "base/utf8.h"
#include "model/internal/yaml_quote.h"

namespace clever::model {
namespace {

using Json = nlohmann::json;
using YamlKind = YamlValue::Kind;

// Thrown by a handler to end the library's parsing.
struct Refusal {
  std::size_t line;
  std::string what;
};

std::size_t line_of(const YAML::Mark& mark) {
  return static_cast<std::size_t>(std::max(mark.line, 0)) + 1;
}

// The library takes the rest of the file for the content of an unclosed quote.
void check_quote(std::string_view text, const YAML::Mark& mark) {
  const auto at = static_cast<std::size_t>(std::max(mark.pos, 0));
  if (internal::is_yaml_quote_closed(text, at)) return;
  throw Refusal{line_of(mark),
                "the quote in column " + std::to_string(mark.column + 1) + " is not closed"};
}

// A list or mapping that is still open; a mapping's keys precede their values.
struct Unfinished {
  YamlValue value;
  std::vector<YamlValue> parts{};
};

void finish(Unfinished& open) {
  if (open.value.is(YamlKind::kList)) {
    open.value.items = std::move(open.parts);
    return;
  }
  std::map<std::string, std::size_t> lines;
  for (std::size_t i = 0; i + 1 < open.parts.size(); i += 2) {
    YamlValue& key = open.parts[i];
    if (!key.is(YamlKind::kScalar))
      throw Refusal{key.line, "a key must be a word, not " + describe(key)};
    const auto [first, is_new] = lines.emplace(key.text, key.line);
    if (!is_new) {
      throw Refusal{key.line, "the key " + describe(key) + " occurs twice; it is in line " +
                                  std::to_string(first->second) + " already"};
    }
    open.value.members.emplace_back(std::move(key), std::move(open.parts[i + 1]));
  }
}

class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    place(begin(mark, "", anchor, YamlKind::kNull));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refusal{line_of(mark), "aliases (*name) are not allowed: write it out"};
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    YamlValue value = begin(mark, tag, anchor, YamlKind::kScalar);
    value.quoted = tag == "!";
    if (value.quoted) check_quote(text_, mark);
    value.text = text;
    if (!value.quoted && (text.empty() || text == "~" || text == "null"))
      value.kind = YamlKind::kNull;
    place(std::move(value));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(begin(mark, tag, anchor, YamlKind::kList));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(begin(mark, tag, anchor, YamlKind::kMapping));
  }
  void OnMapEnd() override { close(); }

  YamlValue take() { return std::move(root_); }

 private:
  YamlValue begin(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YamlKind kind) {
    const std::size_t line = line_of(mark);
    if (anchor != 0) throw Refusal{line, "anchors (&name) are not allowed: write it out"};
    const bool plain = tag.empty() || tag == "?" || tag == "!";
    if (!plain) throw Refusal{line, "tags (!name) are not allowed"};
    if (++count_ > kMostYamlValues) {
      throw Refusal{line, "there are more than " + std::to_string(kMostYamlValues) + " values"};
    }
    return {.kind = kind, .line = line};
  }
  void open(YamlValue value) {
    if (open_.size() >= kMostYamlDepth) {
      throw Refusal{value.line, "nested deeper than " + std::to_string(kMostYamlDepth) + " levels"};
    }
    open_.push_back({std::move(value)});
  }
  void close() {
    finish(open_.back());
    YamlValue value = std::move(open_.back().value);
    open_.pop_back();
    place(std::move(value));
  }
  void place(YamlValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else {
      open_.back().parts.push_back(std::move(value));
    }
  }

  const std::string_view text_;
  YamlValue root_;
  std::vector<Unfinished> open_;
  std::size_t count_ = 0;
};

Json scalar_to_json(const YamlValue& value) {
  if (value.quoted) return value.text;
  if (value.text == "true" || value.text == "false") return value.text == "true";
  const bool numeric = value.text.find_first_not_of("+-0123456789.eE") == std::string::npos;
  if (!numeric) return value.text;
  Json number = Json::parse(value.text, nullptr, false);
  return number.is_number() ? number : Json(value.text);
}

// Nests at most kMostYamlDepth deep.
Json to_json(const YamlValue& value) {
  switch (value.kind) {
    case YamlKind::kNull:
      return nullptr;
    case YamlKind::kScalar:
      return scalar_to_json(value);
    case YamlKind::kList: {
      Json list = Json::array();
      for (const YamlValue& item : value.items) list.push_back(to_json(item));
      return list;
    }
    case YamlKind::kMapping:
      break;
  }
  Json object = Json::object();
  for (const auto& [key, member] : value.members) object[key.text] = to_json(member);
  return object;
}

}  // namespace

std::string describe(const YamlValue& value) {
  constexpr std::size_t kShown = 40;
  if (value.is(YamlKind::kNull)) return "nothing";
  if (value.is(YamlKind::kList)) return "a list";
  if (value.is(YamlKind::kMapping)) return "a mapping";
  const std::string_view shown = base::utf8_prefix(value.text, kShown);
  return "\"" + std::string(shown) + (shown.size() < value.text.size() ? "…\"" : "\"");
}

base::Result<YamlValue> read_yaml(std::string_view text, std::string_view file) {
  if (!base::is_utf8(text) || text.find('\0') != std::string_view::npos) {
    return yaml_error(file, 1, "the file is not UTF-8 text");
  }
  std::istringstream in{std::string(text)};
  TreeBuilder builder(text);
  try {
    YAML::Parser parser(in);
    if (!parser.HandleNextDocument(builder)) return YamlValue{};
    TreeBuilder rest(text);
    if (parser.HandleNextDocument(rest)) {
      return yaml_error(file, rest.take().line,
                        "there is a second document; remove the line \"---\"");
    }
  } catch (const Refusal& refusal) {
    return yaml_error(file, refusal.line, refusal.what);
  } catch (const YAML::Exception& error) {
    return yaml_error(file, line_of(error.mark), "not YAML: " + error.msg);
  }
  return builder.take();
}

base::Error yaml_error(std::string_view file, std::size_t line, std::string_view what) {
  return base::invalid_argument(std::string(file) + ":" + std::to_string(line) + ": " +
                                std::string(what));
}

std::string unknown_word(std::string_view thing, const YamlValue& word,
                         const std::vector<std::string>& known) {
  const std::string text = "there is no " + std::string(thing) + " " + describe(word);
  if (const auto nearest = base::nearest_match(word.text, known)) {
    return text + "; did you mean \"" + *nearest + "\"? Known: " + base::joined(known);
  }
  return text + "; known: " + base::joined(known);
}

std::string yaml_to_json(const YamlValue& value) {
  return to_json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace clever::model
