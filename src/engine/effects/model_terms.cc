#include <algorithm>

#include "engine/effects/effects.h"

namespace clever::engine {
namespace {

constexpr std::int64_t kLongestAnswer = 8192;

// Returns the highest price of a token, whatever the cache use and length.
void take_dearest(model::ModelTerms& terms, const provider::Rates& rates) {
  terms.input_per_million =
      std::max({terms.input_per_million, rates.input, rates.cache_read, rates.cache_write});
  terms.output_per_million = std::max(terms.output_per_million, rates.output);
}

}  // namespace

base::Result<model::ModelTerms> terms_of(const provider::ProviderRegistry& providers,
                                         const std::string& model) {
  return terms_of(*providers.snapshot(), model);
}

base::Result<model::ModelTerms> terms_of(const provider::ProviderSet& providers,
                                         const std::string& model) {
  CLEVER_ASSIGN(const auto chain, providers.chain(model));
  const std::int64_t unknown_window = model::ModelTerms{}.context_window;
  model::ModelTerms terms{
      .model = chain.front().name(), .context_window = 0, .max_output = kLongestAnswer};
  for (const provider::ResolvedModel& each : chain) {
    const provider::ModelFacts& facts = each.facts;
    if (facts.price) take_dearest(terms, facts.price->rates);
    if (facts.price && facts.price->long_above) take_dearest(terms, facts.price->long_rates);
    terms.context_window =
        std::max(terms.context_window, facts.context_window.value_or(unknown_window));
    terms.max_output = std::min(terms.max_output, facts.max_output.value_or(kLongestAnswer));
  }
  return terms;
}

}  // namespace clever::engine
