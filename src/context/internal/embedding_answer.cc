#include "context/internal/embedding_answer.h"

#include <nlohmann/json.hpp>
#include <string>

#include "index/unit_vector.h"

namespace clever::context::internal {
namespace {

using nlohmann::json;

base::Error senseless(const std::string& what) {
  return base::corruption("the answer cannot be used: " + what);
}

base::Result<index::Vector> vector_from(const json& numbers, std::size_t dimensions) {
  if (!numbers.is_array() || numbers.empty()) return senseless("a vector is missing");
  std::vector<float> values;
  for (const json& number : numbers) {
    if (!number.is_number()) return senseless("a vector holds a value that is not a number");
    values.push_back(number.get<float>());
  }
  if (dimensions != 0 && values.size() != dimensions) {
    return senseless("a vector has " + std::to_string(values.size()) + " dimensions, not " +
                     std::to_string(dimensions));
  }
  return index::unit_vector(values);
}

// OpenAI numbers its vectors; Ollama's are in order.
const json* vector_of(const json& entry, std::size_t& place) {
  if (!entry.is_object()) return &entry;
  if (const auto index = entry.find("index"); index != entry.end() && index->is_number_unsigned()) {
    place = index->get<std::size_t>();
  }
  const auto embedding = entry.find("embedding");
  return embedding == entry.end() ? nullptr : &*embedding;
}

base::Result<const json*> list_in(const json& body) {
  if (body.is_object()) {
    for (const char* name : {"data", "embeddings"}) {
      const auto list = body.find(name);
      if (list != body.end() && list->is_array()) return &*list;
    }
  }
  return senseless("it has neither \"data\" nor \"embeddings\"");
}

}  // namespace

base::Result<std::vector<index::Vector>> read_embeddings(std::string_view body, std::size_t texts,
                                                         std::size_t dimensions) {
  const json parsed = json::parse(body, nullptr, false);
  CLEVER_ASSIGN(const json* list, list_in(parsed));
  std::vector<index::Vector> vectors(texts);
  std::size_t next = 0;
  for (const json& entry : *list) {
    std::size_t place = next++;
    const json* numbers = vector_of(entry, place);
    if (numbers == nullptr || place >= texts) return senseless("a vector belongs to no text");
    CLEVER_ASSIGN(vectors[place], vector_from(*numbers, dimensions));
    dimensions = vectors[place].size();
  }
  for (const index::Vector& vector : vectors) {
    if (vector.empty()) return senseless("a vector is missing");
  }
  return vectors;
}

}  // namespace clever::context::internal
