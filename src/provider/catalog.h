#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "provider/price.h"

namespace clever::provider {

/// What a model can do. Of a model that nobody described everything is assumed: the provider says
/// no by itself.
struct Capabilities {
  bool tools = true;
  bool images = true;
  bool reasoning = true;
  bool json_schema = true;

  /// Whether all of `needed` is there.
  [[nodiscard]] bool cover(const Capabilities& needed) const noexcept {
    return (tools || !needed.tools) && (images || !needed.images) &&
           (reasoning || !needed.reasoning) && (json_schema || !needed.json_schema);
  }
  friend bool operator==(const Capabilities&, const Capabilities&) = default;
};

/// What is known of a model. A value.
struct ModelFacts {
  /// The catalog's pattern that it matched; empty: nothing is known.
  std::string pattern{};
  /// None: unpriced, only a budget of tokens can bind it. Of a local endpoint it is there, and 0.
  std::optional<Price> price{};
  std::optional<std::int64_t> context_window{};
  std::optional<std::int64_t> max_output{};
  Capabilities capabilities{};
  /// When the price was looked up, "2025-10-01", and where; empty if unpriced.
  std::string date{};
  std::string source{};

  [[nodiscard]] bool known() const noexcept { return !pattern.empty(); }
  friend bool operator==(const ModelFacts&, const ModelFacts&) = default;
};

/// Prices, windows and capabilities of models: the table that comes with the program
/// (models.toml), with the user's own laid over it entry by entry.
///
/// An immutable value; safe to share. Built from the texts when a command first asks.
class Catalog {
 public:
  Catalog() = default;

  /// The program's own table. It is right, or this aborts: a test reads it.
  [[nodiscard]] static Catalog built_in();
  /// This one with the entries of `text` in place of those of the same pattern.
  /// `invalid_argument` names file, line and key.
  [[nodiscard]] base::Result<Catalog> with(std::string_view text, std::string_view file_name) const;

  /// The entry with the longest pattern that matches. A pattern is a name, with `*` for any text.
  [[nodiscard]] ModelFacts find(std::string_view provider, std::string_view model) const;
  /// All entries of a provider, by pattern.
  [[nodiscard]] std::vector<ModelFacts> list(std::string_view provider) const;

 private:
  using Entries =
      std::map<std::string, std::map<std::string, ModelFacts, std::less<>>, std::less<>>;
  Entries entries_;
};

/// The program's own table and the user's `home`/models.toml, if there is one.
[[nodiscard]] base::Result<Catalog> load_catalog(const std::string& home);

}  // namespace clever::provider
