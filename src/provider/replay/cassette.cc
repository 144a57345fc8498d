#include "provider/replay/cassette.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/file.h"
#include "provider/replay/internal/canonical.h"

namespace clever::provider {
namespace {

using nlohmann::json;

constexpr std::int64_t kVersion = 1;
constexpr int kMostDepth = 200;

base::Result<json> parse_line(std::string_view line) {
  json value = internal::parse_json(line, kMostDepth);
  if (!value.is_object()) {
    return base::invalid_argument("must be one JSON object on one line");
  }
  return value;
}

base::Result<void> check_header(std::string_view line) {
  CLEVER_ASSIGN(const json value, parse_line(line));
  const auto version = value.find("cassette");
  if (version == value.end() || !version->is_number_integer()) {
    return base::invalid_argument(
        R"(not a cassette: the first line must be {"cassette":1}, as --record writes it)");
  }
  if (version->get<std::int64_t>() != kVersion) {
    return base::invalid_argument("\"cassette\": version " + version->dump() +
                                  " is not supported; this program reads version 1");
  }
  return {};
}

base::Result<CassetteEntry> read_entry(std::string_view line) {
  CLEVER_ASSIGN(const json value, parse_line(line));
  CassetteEntry entry;
  if (!value.contains("request") || !value["request"].is_object()) {
    return base::invalid_argument("\"request\" must be an object");
  }
  entry.request = internal::to_line_text(value["request"]);
  entry.digest = base::sha256(entry.request);
  if (value.value("sha256", json()) != json(entry.digest.to_hex())) {
    return base::invalid_argument("\"sha256\" does not match \"request\", whose hash is " +
                                  entry.digest.to_hex() +
                                  "; after an edit by hand, write this value");
  }
  if (value.contains("answer") == value.contains("failure")) {
    return base::invalid_argument("\"answer\" or \"failure\" is missing; write one of them");
  }
  if (value.contains("answer")) {
    CLEVER_ASSIGN(entry.result, internal::answer_from_json(value["answer"]).context("\"answer\""));
  } else {
    CLEVER_ASSIGN(entry.result,
                  internal::failure_from_json(value["failure"]).context("\"failure\""));
  }
  return entry;
}

std::string place(const std::string& file, std::size_t line) {
  return file + ":" + std::to_string(line);
}

}  // namespace

std::string canonical_request(std::string_view provider, const std::string& model,
                              const ModelRequest& request, const base::Redactor& redactor) {
  json value = internal::request_json(provider, model, request);
  internal::redact_json(value, redactor);
  return internal::to_line_text(value);
}

std::string cassette_header() { return "{\"cassette\":1}\n"; }

std::string to_line(const CassetteEntry& entry, const base::Redactor& redactor) {
  json value{{"sha256", entry.digest.to_hex()},
             {"request", json::parse(entry.request, nullptr, /*allow_exceptions=*/false)}};
  const bool answered = entry.result.index() == 0;
  json result = answered ? internal::answer_json(std::get<ModelAnswer>(entry.result))
                         : internal::failure_json(std::get<Failure>(entry.result));
  internal::withhold_json(result, redactor.secrets());
  value[answered ? "answer" : "failure"] = std::move(result);
  return internal::to_line_text(value) + "\n";
}

std::vector<std::string> Cassette::models() const {
  std::vector<std::string> names;
  for (const CassetteEntry& entry : entries) {
    const json request = internal::parse_json(entry.request, kMostDepth);
    const auto model = request.find("model");
    if (model == request.end() || !model->is_string()) continue;
    const auto& name = model->get_ref<const std::string&>();
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

base::Result<Cassette> Cassette::parse(std::string_view text, std::string file) {
  Cassette cassette{.file = file};
  std::size_t line = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      cassette.cut_off = true;
      break;
    }
    const std::string_view content = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (++line == 1) {
      CLEVER_TRY(check_header(content).context(place(file, line)));
      continue;
    }
    CLEVER_ASSIGN(CassetteEntry entry, read_entry(content).context(place(file, line)));
    cassette.entries.push_back(std::move(entry));
  }
  if (line == 0 && !cassette.cut_off) {
    return base::invalid_argument(file + ": is empty; record a cassette with --record");
  }
  return cassette;
}

base::Result<Cassette> Cassette::load(const std::filesystem::path& path) {
  CLEVER_ASSIGN(const std::string text,
                io::read_file(path, kMostBytes).context("reading the cassette"));
  return parse(text, path.string());
}

}  // namespace clever::provider
