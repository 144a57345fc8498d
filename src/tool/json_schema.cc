#include "tool/json_schema.h"

#include <algorithm>

#include "tool/internal/filled.h"
#include "tool/internal/json_text.h"
#include "tool/internal/schema_check.h"
#include "tool/internal/schema_patterns.h"
#include "tool/internal/schema_validator.h"

namespace clever::tool {
namespace {

using Json = nlohmann::json;

std::string type_word(const Json& schema) {
  if (!schema.is_object() || !schema.contains("type")) return "any";
  const Json& type = schema["type"];
  return type.is_string() ? type.get<std::string>() : internal::to_text(type);
}

bool is_required(const Json& schema, const std::string& name) {
  const auto required = schema.find("required");
  return required != schema.end() && std::ranges::find(*required, Json(name)) != required->end();
}

std::string signature_of(const Json& schema) {
  const bool described = schema.is_object() && schema.contains("properties");
  if (!described) return type_word(schema);
  std::string text;
  for (const auto& [name, property] : schema["properties"].items()) {
    text += filled("{}{}{}: {}", text.empty() ? "" : ", ", name,
                   is_required(schema, name) ? "" : "?", type_word(property));
  }
  return "{" + text + "}";
}

std::string described(const internal::Problems& problems) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(problems.size(), kMost); ++i) {
    const internal::Problem& problem = problems[i];
    text += filled("{}{} {}", i == 0 ? "" : "\n",
                   problem.path.empty() ? "the input:" : problem.path + ":", problem.what);
  }
  if (problems.size() > kMost) text += filled("\n… and {} more", problems.size() - kMost);
  return text;
}

}  // namespace

class JsonSchema::Impl {
 public:
  explicit Impl(Json schema) : schema_(std::move(schema)) {}

  base::Result<void> prepare() {
    CLEVER_TRY(internal::check_schema(schema_, patterns_));
    signature_ = signature_of(schema_);
    return {};
  }

  [[nodiscard]] base::Result<std::string> check(std::string_view input) const {
    auto value = internal::parse_json(input, {kLargestInput, kDeepest});
    if (!value.ok()) return std::move(value).context("the input").error();
    internal::SchemaValidator validator(schema_, patterns_);
    const internal::Problems problems = validator.check(*value);
    if (validator.exhausted()) {
      return base::resource_exhausted(
          "the input could not be checked: its schema refers to itself without end or needs too "
          "many steps");
    }
    if (!problems.empty()) return base::invalid_argument(described(problems));
    return internal::to_text(*value);
  }

  [[nodiscard]] const std::string& signature() const { return signature_; }

 private:
  // Constant after prepare().
  const Json schema_;
  std::string signature_;
  internal::SchemaPatterns patterns_;
};

JsonSchema::JsonSchema(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
JsonSchema::~JsonSchema() = default;
base::Result<std::string> JsonSchema::check(std::string_view input) const {
  return impl_->check(input);
}
const std::string& JsonSchema::signature() const { return impl_->signature(); }

base::Result<std::shared_ptr<const JsonSchema>> JsonSchema::compile(std::string_view schema) {
  CLEVER_ASSIGN(Json parsed, internal::parse_json(schema, {kLargestSchema, kDeepest}));
  auto compiled = std::make_unique<Impl>(std::move(parsed));
  CLEVER_TRY(compiled->prepare());
  return std::shared_ptr<const JsonSchema>(new JsonSchema(std::move(compiled)));
}

}  // namespace clever::tool
