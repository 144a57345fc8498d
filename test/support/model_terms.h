#pragma once
#include <string>

#include "base/result.h"
#include "model/plan_settings.h"

namespace clever::test {

/// The terms of any model; without a name those of the default one.
inline base::Result<model::ModelTerms> terms_of_model(const std::string& model) {
  return model::ModelTerms{.model = model.empty() ? "p/default" : model};
}

}  // namespace clever::test
