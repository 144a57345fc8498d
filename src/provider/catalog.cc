#include "provider/catalog.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/glob.h"
#include "io/file.h"
#include "provider/internal/catalog_reader.h"
#include "provider/internal/models_data.h"

namespace clever::provider {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20U;
bool is_like(std::string_view text, std::string_view shape) {
  return text.size() == shape.size() && std::ranges::equal(text, shape, [](char c, char s) {
           return s == '0' ? c >= '0' && c <= '9' : c == s;
         });
}

// "gpt-5-2025-08-07" → "gpt-5"
std::string_view without_date(std::string_view model) {
  for (const std::string_view shape : {"-0000-00-00", "-00000000", "@00000000"}) {
    if (model.size() > shape.size() && is_like(model.substr(model.size() - shape.size()), shape)) {
      return model.substr(0, model.size() - shape.size());
    }
  }
  return model;
}

}  // namespace

Catalog Catalog::built_in() {
  // Read once: a server asks for it with every plan.
  static const Catalog kBuiltIn = [] {
    auto catalog = Catalog().with(internal::models_data(), "models.toml");
    CLEVER_CHECK(catalog.ok(), catalog.ok() ? "" : catalog.error().message());
    return *std::move(catalog);
  }();
  return kBuiltIn;
}

base::Result<Catalog> Catalog::with(std::string_view text, std::string_view file_name) const {
  CLEVER_ASSIGN(auto added, internal::read_catalog(text, file_name));
  Catalog result = *this;
  for (auto& [provider, entries] : added) {
    for (auto& [pattern, facts] : entries) {
      result.entries_[provider].insert_or_assign(pattern, std::move(facts));
    }
  }
  return result;
}

ModelFacts Catalog::find(std::string_view provider, std::string_view model) const {
  const auto entries = entries_.find(provider);
  if (entries == entries_.end()) return {};
  for (const std::string_view name : {model, without_date(model)}) {
    const ModelFacts* best = nullptr;
    for (const auto& [pattern, facts] : entries->second) {
      const bool longer = best == nullptr || pattern.size() > best->pattern.size();
      if (longer && base::matches_wildcards(pattern, name)) best = &facts;
    }
    if (best != nullptr) return *best;
  }
  return {};
}

std::vector<ModelFacts> Catalog::list(std::string_view provider) const {
  std::vector<ModelFacts> result;
  const auto entries = entries_.find(provider);
  if (entries == entries_.end()) return result;
  for (const auto& [pattern, facts] : entries->second) result.push_back(facts);
  return result;
}

base::Result<Catalog> load_catalog(const std::string& home) {
  Catalog catalog = Catalog::built_in();
  const std::string path = home + "/models.toml";
  auto text = io::read_file(path, kLargestFile);
  if (!text.ok()) {
    if (text.error().code() == base::ErrorCode::kNotFound) return catalog;
    return text.error();
  }
  return catalog.with(*text, path);
}

}  // namespace clever::provider
