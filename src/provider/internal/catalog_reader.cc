#include "provider/internal/catalog_reader.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "base/number.h"
#include "base/text.h"
#include "config/toml.h"

namespace clever::provider::internal {
namespace {

using config::TomlKind;
using config::TomlValue;

constexpr double kMicro = 1e6;

// An entry's values as written; they become facts once all of them are known.
struct Draft {
  std::map<std::string, Rate, std::less<>> rates;
  std::optional<std::int64_t> long_above;
  std::size_t line = 0;
  ModelFacts facts;
};

struct Origin {
  std::string date;
  std::string source;
};

using Drafts = std::map<std::string, std::map<std::string, Draft>>;

const std::vector<std::string>& rate_names() {
  static const std::vector<std::string> kNames = {
      "input",      "output",      "cache_read",      "cache_write",
      "long_input", "long_output", "long_cache_read", "long_cache_write"};
  return kNames;
}

const std::vector<std::string>& all_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names = rate_names();
    for (const char* name : {"long_above", "context", "max_output", "tools", "images", "reasoning",
                             "json_schema", "date", "source"}) {
      names.emplace_back(name);
    }
    return names;
  }();
  return kNames;
}

bool* capability(Capabilities& capabilities, std::string_view name) {
  if (name == "tools") return &capabilities.tools;
  if (name == "images") return &capabilities.images;
  if (name == "reasoning") return &capabilities.reasoning;
  return name == "json_schema" ? &capabilities.json_schema : nullptr;
}

std::optional<std::int64_t>* size(Draft& draft, std::string_view name) {
  if (name == "long_above") return &draft.long_above;
  if (name == "context") return &draft.facts.context_window;
  return name == "max_output" ? &draft.facts.max_output : nullptr;
}

/// Reads one text.
class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  base::Result<CatalogEntries> read(std::string_view text) {
    CLEVER_ASSIGN(const auto values, config::parse_toml(text, file_));
    for (const TomlValue& value : values) CLEVER_TRY(add(value));
    return facts();
  }

 private:
  // Returns all entries; those without an origin get their provider's.
  base::Result<CatalogEntries> facts() {
    CatalogEntries result;
    for (auto& [provider, entries] : drafts_) {
      for (auto& [pattern, draft] : entries) {
        CLEVER_ASSIGN(result[provider][pattern], finished(provider, pattern, draft));
      }
    }
    return result;
  }

  base::Error wrong(const TomlValue& value, const std::string& what) const {
    return base::invalid_argument(file_ + ":" + std::to_string(value.line) + ": " +
                                  base::joined(value.path, ".") + " " + what);
  }

  base::Result<void> add(const TomlValue& value) {
    if (value.path.size() == 2) return add_origin(value);
    if (value.path.size() != 3) {
      return wrong(value, "is out of place; expected [PROVIDER.\"MODEL\"] and keys below it");
    }
    Draft& draft = drafts_[value.path[0]][value.path[1]];
    if (draft.line == 0) draft.line = value.line;
    return add_to(draft, value);
  }

  base::Result<void> add_origin(const TomlValue& value) {
    Origin& origin = origins_[value.path[0]];
    if (value.path[1] == "date") return set_date(origin.date, value);
    if (value.path[1] == "source") return set_text(origin.source, value);
    return wrong(value, "is not known; a provider has date and source, and models below it");
  }

  base::Result<void> add_to(Draft& draft, const TomlValue& value) {
    const std::string& name = value.path[2];
    if (name == "date") return set_date(draft.facts.date, value);
    if (name == "source") return set_text(draft.facts.source, value);
    if (bool* flag = capability(draft.facts.capabilities, name)) return set_flag(*flag, value);
    if (auto* number = size(draft, name)) return set_size(*number, value);
    if (std::ranges::find(rate_names(), name) != rate_names().end()) {
      return set_rate(draft.rates[name], value);
    }
    const auto nearest = base::nearest_match(name, all_names());
    return wrong(value,
                 "is not known; " + (nearest ? "did you mean " + *nearest + "?"
                                             : "there are " + base::joined(all_names(), ", ")));
  }

  base::Result<void> set_text(std::string& to, const TomlValue& value) const {
    if (value.kind != TomlKind::kString) return wrong(value, "is not a text in quotes");
    to = value.text;
    return {};
  }

  base::Result<void> set_date(std::string& to, const TomlValue& value) const {
    if (value.kind != TomlKind::kTime && value.kind != TomlKind::kString) {
      return wrong(value, "is not a date such as 2026-11-15");
    }
    to = value.text;
    return {};
  }

  base::Result<void> set_flag(bool& to, const TomlValue& value) const {
    if (value.kind != TomlKind::kBoolean) return wrong(value, "is not true or false");
    to = value.text == "true";
    return {};
  }

  base::Result<void> set_size(std::optional<std::int64_t>& to, const TomlValue& value) const {
    const std::int64_t number = base::to_number<std::int64_t>(value.text).value_or(0);
    if (value.kind != TomlKind::kInteger || number <= 0) {
      return wrong(value, "is not a whole number of tokens, 1 or more");
    }
    to = number;
    return {};
  }

  base::Result<void> set_rate(Rate& to, const TomlValue& value) const {
    const bool is_number = value.kind == TomlKind::kNumber || value.kind == TomlKind::kInteger;
    const double dollars = is_number ? base::to_number<double>(value.text).value_or(-1) : -1;
    if (!(dollars >= 0 && dollars <= static_cast<double>(kLargestRate) / kMicro)) {
      return wrong(value, "is not a price in USD per million tokens, from 0 to 1000000");
    }
    // Rounds up: a price must never look lower than it is.
    to = static_cast<Rate>(std::ceil(dollars * kMicro - 1e-6));
    return {};
  }

  base::Result<ModelFacts> finished(const std::string& provider, const std::string& pattern,
                                    Draft& draft) {
    ModelFacts facts = std::move(draft.facts);
    facts.pattern = pattern;
    const auto incomplete = [&](const std::string& what) {
      return base::invalid_argument(file_ + ":" + std::to_string(draft.line) + ": " + provider +
                                    ".\"" + pattern + "\" " + what);
    };
    if (pattern.empty()) return incomplete("has an empty name");
    if (draft.rates.empty()) return facts;
    if (!draft.rates.contains("input") || !draft.rates.contains("output")) {
      return incomplete("has prices, but not both input and output");
    }
    const bool has_long = draft.rates.contains("long_input") && draft.rates.contains("long_output");
    if (draft.long_above.has_value() != has_long) {
      return incomplete("needs long_above, long_input and long_output together");
    }
    facts.price = Price{.rates = rates(draft, ""), .long_above = draft.long_above};
    if (has_long) facts.price->long_rates = rates(draft, "long_");
    const Origin& origin = origins_[provider];
    if (facts.date.empty()) facts.date = origin.date;
    if (facts.source.empty()) facts.source = origin.source;
    return facts;
  }

  static Rates rates(const Draft& draft, const std::string& prefix) {
    const auto rate = [&](const char* name, Rate otherwise) {
      const auto found = draft.rates.find(prefix + name);
      return found == draft.rates.end() ? otherwise : found->second;
    };
    const Rate input = rate("input", 0);
    return {.input = input,
            .output = rate("output", 0),
            .cache_read = rate("cache_read", input),
            .cache_write = rate("cache_write", input)};
  }

  const std::string file_;
  std::map<std::string, Origin> origins_;
  Drafts drafts_;
};

}  // namespace

base::Result<CatalogEntries> read_catalog(std::string_view text, std::string_view file_name) {
  return Reader(file_name).read(text);
}

}  // namespace clever::provider::internal
