#include "provider/scripted/internal/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "base/utf8.h"
#include "base/yaml_quote.h"

namespace clever::provider::internal {
namespace {

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
  if (base::is_yaml_quote_closed(text, at)) return;
  throw Refusal{line_of(mark),
                "the quote in column " + std::to_string(mark.column + 1) + " is not closed"};
}

// Builds the tree and rejects what a script must not hold while reading it.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(node(mark, "", anchor, YamlNode::Kind::kNull));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refusal{line_of(mark),
                  "aliases (*name) are not allowed in scripts: write it out, or use "
                  "\"defaults\""};
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode scalar = node(mark, tag, anchor, YamlNode::Kind::kScalar);
    scalar.text = value;
    scalar.quoted = tag == "!";
    if (scalar.quoted) check_quote(text_, mark);
    const bool null = !scalar.quoted && (value == "~" || value == "null" || value.empty());
    if (null) scalar.kind = YamlNode::Kind::kNull;
    add(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(node(mark, tag, anchor, YamlNode::Kind::kList));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(node(mark, tag, anchor, YamlNode::Kind::kMapping));
  }
  void OnMapEnd() override { close(); }

  YamlNode take() { return std::move(root_); }

 private:
  YamlNode node(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                YamlNode::Kind kind) {
    const std::size_t line = line_of(mark);
    if (anchor != 0) throw Refusal{line, "anchors (&name) are not allowed in scripts"};
    if (!tag.empty() && tag != "?" && tag != "!") {
      throw Refusal{line, "tags (!name) are not allowed in scripts"};
    }
    if (++count_ > kMostYamlNodes) {
      throw Refusal{line, "there are more than " + std::to_string(kMostYamlNodes) + " values"};
    }
    return {.kind = kind,
            .line = line,
            .column = static_cast<std::size_t>(std::max(mark.column, 0)) + 1};
  }

  // A list or a mapping that is not closed yet.
  struct Open {
    YamlNode node;
    std::optional<YamlNode> key{};                            // waits for its value
    std::map<std::string, std::size_t, std::less<>> lines{};  // the lines of the keys so far
  };

  void open(YamlNode node) {
    if (open_.size() >= kMostYamlDepth) {
      throw Refusal{node.line, "nested deeper than " + std::to_string(kMostYamlDepth) + " levels"};
    }
    open_.push_back({std::move(node)});
  }
  void close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }
  void add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.is_list()) {
      open_.back().node.items.push_back(std::move(node));
    } else if (open_.back().key) {
      open_.back().node.members.emplace_back(*std::exchange(open_.back().key, std::nullopt),
                                             std::move(node));
    } else {
      add_key(open_.back(), std::move(node));
    }
  }
  static void add_key(Open& mapping, YamlNode key) {
    if (!key.is_scalar()) throw Refusal{key.line, "a key must be a word, not " + describe(key)};
    const auto [same, added] = mapping.lines.emplace(key.text, key.line);
    if (!added) {
      throw Refusal{key.line, "the key " + describe(key) + " is there already, in line " +
                                  std::to_string(same->second)};
    }
    mapping.key = std::move(key);
  }

  const std::string_view text_;
  YamlNode root_;
  std::vector<Open> open_;
  std::size_t count_ = 0;
};

base::Error at(const std::string& file, std::size_t line, const std::string& what) {
  return base::invalid_argument(file + ":" + std::to_string(line) + ": " + what);
}

}  // namespace

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMapping:
      return "a mapping";
    case YamlNode::Kind::kScalar:
      break;
  }
  constexpr std::size_t kShown = 40;
  const std::string_view shown = base::utf8_prefix(node.text, kShown);
  return "\"" + std::string(shown) + (shown.size() < node.text.size() ? "…\"" : "\"");
}

base::Result<YamlNode> parse_yaml(std::string_view text, const std::string& file) {
  if (!base::is_utf8(text) || text.find('\0') != std::string_view::npos) {
    return base::invalid_argument(file + ": is not UTF-8 text");
  }
  std::istringstream in{std::string(text)};
  TreeBuilder builder(text);
  try {
    YAML::Parser parser(in);
    if (!parser.HandleNextDocument(builder)) return YamlNode{.line = 1, .column = 1};
    TreeBuilder rest(text);
    if (parser.HandleNextDocument(rest)) {
      return at(file, rest.take().line, "a script is one document; remove the line \"---\"");
    }
  } catch (const Refusal& refusal) {
    return at(file, refusal.line, refusal.what);
  } catch (const YAML::Exception& error) {
    return at(file, line_of(error.mark), "not YAML: " + error.msg);
  }
  return builder.take();
}

}  // namespace clever::provider::internal
