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

/// What a model can do. A model without an entry is assumed to do everything: its provider refuses
/// what it cannot do.
struct Capabilities {
  bool tools = true;
  bool images = true;
  bool reasoning = true;
  bool json_schema = true;

  /// Returns whether all of `needed` is present.
  [[nodiscard]] bool cover(const Capabilities& needed) const noexcept {
    return (tools || !needed.tools) && (images || !needed.images) &&
           (reasoning || !needed.reasoning) && (json_schema || !needed.json_schema);
  }
  friend bool operator==(const Capabilities&, const Capabilities&) = default;
};

/// Facts about a model. A value.
struct ModelFacts {
  /// The catalog's pattern that matched; empty if none did.
  std::string pattern{};
  /// None: unpriced; only a budget of tokens limits it. A local endpoint has a price of 0.
  std::optional<Price> price{};
  std::optional<std::int64_t> context_window{};
  std::optional<std::int64_t> max_output{};
  Capabilities capabilities{};
  /// When ("2025-10-01") and where the price was looked up; empty if unpriced.
  std::string date{};
  std::string source{};

  [[nodiscard]] bool known() const noexcept { return !pattern.empty(); }
  friend bool operator==(const ModelFacts&, const ModelFacts&) = default;
};

/// Prices, windows and capabilities of models: the program's own table (models.toml), overridden by
/// the user's entries.
///
/// An immutable value; safe to share. Parsed on first use.
class Catalog {
 public:
  Catalog() = default;

  /// The program's own table. Aborts if it is invalid, which a test excludes.
  [[nodiscard]] static Catalog built_in();
  /// This catalog with the entries of `text`, which replace those with the same pattern.
  /// `invalid_argument` names file, line and key.
  [[nodiscard]] base::Result<Catalog> with(std::string_view text, std::string_view file_name) const;

  /// The entry with the longest matching pattern. A pattern is a name in which `*` stands for any
  /// text.
  [[nodiscard]] ModelFacts find(std::string_view provider, std::string_view model) const;
  /// All entries of a provider, sorted by pattern.
  [[nodiscard]] std::vector<ModelFacts> list(std::string_view provider) const;

 private:
  using Entries =
      std::map<std::string, std::map<std::string, ModelFacts, std::less<>>, std::less<>>;
  Entries entries_;
};

/// The program's own table and the user's `home`/models.toml, if it exists.
[[nodiscard]] base::Result<Catalog> load_catalog(const std::string& home);

}  // namespace clever::provider
