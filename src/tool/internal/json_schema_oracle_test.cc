// Random schemas and values: ours and another implementation must agree on what fits.
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "base/random.h"
#include "support/campaign.h"
#include "tool/json_schema.h"

namespace clever::tool {
namespace {

using nlohmann::json;

class Generator {
 public:
  explicit Generator(base::Random& random) : random_(random) {}

  json value(int depth) {
    switch (random_.below(depth > 0 ? 6 : 4)) {
      case 0:
        return nullptr;
      case 1:
        return random_.below(2) == 0;
      case 2:
        return number();
      case 3:
        return word();
      case 4: {
        json list = json::array();
        for (std::uint64_t i = random_.below(4); i > 0; --i) list.push_back(value(depth - 1));
        return list;
      }
      default: {
        json object = json::object();
        for (std::uint64_t i = random_.below(4); i > 0; --i) object[name()] = value(depth - 1);
        return object;
      }
    }
  }

  json schema(int depth) {
    if (random_.below(12) == 0) return random_.below(3) != 0;
    json made = json::object();
    for (std::uint64_t i = random_.below(3) + 1; i > 0; --i) add_keyword(made, depth);
    return made;
  }

 private:
  json number() { return static_cast<int>(random_.below(7)) - 3; }
  std::string name() { return std::string(1, static_cast<char>('a' + random_.below(3))); }
  std::string word() {
    std::string text;
    for (std::uint64_t i = random_.below(4); i > 0; --i) text += random_.below(2) == 0 ? "a" : "é";
    return text;
  }

  void add_keyword(json& made, int depth) {
    if (depth > 0 && random_.below(2) == 0) return add_nested(made, depth - 1);
    static constexpr std::array<const char*, 7> kTypes = {"null",   "boolean", "object", "array",
                                                          "number", "string",  "integer"};
    switch (random_.below(12)) {
      case 0:
        made["type"] = kTypes[random_.below(kTypes.size())];
        break;
      case 1:
        made["type"] = {kTypes[random_.below(3)], kTypes[3 + random_.below(4)]};
        break;
      case 2:
        made["enum"] = json::array({value(1), value(1)});
        break;
      case 3:
        made["const"] = value(1);
        break;
      case 4:
        made[random_.below(2) == 0 ? "minimum" : "exclusiveMinimum"] = number();
        break;
      case 5:
        made[random_.below(2) == 0 ? "maximum" : "exclusiveMaximum"] = number();
        break;
      case 6:
        made[random_.below(2) == 0 ? "minLength" : "maxLength"] = random_.below(4);
        break;
      case 7:
        made[random_.below(2) == 0 ? "minItems" : "maxItems"] = random_.below(4);
        break;
      case 8:
        made[random_.below(2) == 0 ? "minProperties" : "maxProperties"] = random_.below(4);
        break;
      case 9:
        made["required"] = json::array({name()});
        break;
      case 10:
        made["pattern"] = random_.below(2) == 0 ? "^a" : "a$";
        break;
      default:
        made["uniqueItems"] = true;
    }
  }

  void add_nested(json& made, int depth) {
    switch (random_.below(10)) {
      case 0:
        made["properties"] = {{name(), schema(depth)}, {name(), schema(depth)}};
        break;
      case 1:
        made["additionalProperties"] = schema(depth);
        break;
      case 2:
        made["items"] = schema(depth);
        break;
      case 3:
        made["allOf"] = {schema(depth), schema(depth)};
        break;
      case 4:
        made["anyOf"] = {schema(depth), schema(depth)};
        break;
      case 5:
        made["oneOf"] = {schema(depth), schema(depth)};
        break;
      case 6:
        made["not"] = schema(depth);
        break;
      case 7:
        made["contains"] = schema(depth);
        break;
      case 8:
        made["dependencies"] = {{name(), json::array({name()})}};
        break;
      default:
        made["if"] = schema(depth);
        made["then"] = schema(depth);
        made["else"] = schema(depth);
    }
  }

  base::Random& random_;
};

bool fits_elsewhere(const json& schema, const json& value) {
  valijson::Schema parsed;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema), parsed);
  return valijson::Validator().validate(parsed, valijson::adapters::NlohmannJsonAdapter(value),
                                        nullptr);
}

TEST(JsonSchemaOracle, BothAgree) {
  base::SeededRandom random(7);
  Generator generator(random);
  const std::size_t schemas = test::campaign(400, 50'000);
  std::size_t fitting = 0;
  std::size_t all = 0;
  for (std::size_t i = 0; i < schemas; ++i) {
    const json schema = generator.schema(3);
    const auto ours = JsonSchema::compile(schema.dump());
    ASSERT_TRUE(ours.ok()) << schema << ours.error().message();
    for (int j = 0; j < 8; ++j, ++all) {
      const json value = generator.value(2);
      const bool fits = (*ours)->check(value.dump()).ok();
      ASSERT_EQ(fits, fits_elsewhere(schema, value)) << schema << "\n" << value;
      fitting += fits ? 1 : 0;
    }
  }
  // Otherwise it would say little.
  EXPECT_GT(fitting, all / 5);
  EXPECT_LT(fitting, all - all / 5);
}

}  // namespace
}  // namespace clever::tool
