#include "server/receipts.h"

#include <optional>
#include <utility>

#include "base/crash_point.h"
#include "base/plant.h"
#include "base/sha256.h"
#include "io/directory.h"
#include "io/file.h"
#include "model/document_json.h"

namespace clever::server {
namespace {

using model::Document;

// The content of a receipt's file. A value.
struct Kept {
  std::int64_t at = 0;
  std::string request{};
  /// None: the request was started, but not finished.
  std::optional<http::Response> answer{};
};

std::int64_t milliseconds(base::WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

template <class T>
T value_of(const Document& document, std::string_view key) {
  const Document* found = document.find(key);
  const T* value = found == nullptr ? nullptr : std::get_if<T>(&found->value());
  return value == nullptr ? T() : *value;
}

http::Response answer_of(const Document& document) {
  http::Response answer{.status = static_cast<int>(value_of<std::int64_t>(document, "status")),
                        .body = value_of<std::string>(document, "body")};
  const auto headers = value_of<Document::List>(document, "headers");
  for (const Document& header : headers) {
    answer.headers.push_back(
        {value_of<std::string>(header, "name"), value_of<std::string>(header, "value")});
  }
  return answer;
}

Document document_of(const http::Response& answer) {
  Document headers = Document::list();
  for (const http::Header& header : answer.headers) {
    headers.push(Document::map().set("name", header.name).set("value", header.value));
  }
  return Document::map()
      .set("status", answer.status)
      .set("headers", std::move(headers))
      .set("body", answer.body);
}

std::string text_of(const Kept& kept) {
  Document document = Document::map().set("at", kept.at).set("request", kept.request);
  if (kept.answer) document.set("answer", document_of(*kept.answer));
  return model::to_json(document) + "\n";
}

base::Result<Kept> kept_in(const std::filesystem::path& file) {
  CLEVER_ASSIGN(const std::string text, io::read_file(file));
  CLEVER_ASSIGN(const Document document, model::parse_document(text));
  Kept kept{.at = value_of<std::int64_t>(document, "at"),
            .request = value_of<std::string>(document, "request")};
  if (const Document* answer = document.find("answer")) kept.answer = answer_of(*answer);
  return kept;
}

}  // namespace

Receipts::Claim::~Claim() {
  if (receipts_ == nullptr) return;
  receipts_->under_way_.with([this](std::set<std::string>& names) { names.erase(name_); });
}

base::Result<void> Receipts::Claim::settle(const http::Response& answer) {
  base::crash_point("server.done");
  CLEVER_TRY(io::write_file_atomically(
      receipts_->file(name_),
      text_of({milliseconds(receipts_->clock_.wall_now()), request_, answer})));
  base::crash_point("server.receipt_kept");
  return {};
}

bool Receipts::is_old(std::int64_t at) const {
  const auto age = milliseconds(clock_.wall_now()) - at;
  return age > std::chrono::duration_cast<std::chrono::milliseconds>(kKept).count();
}

base::Result<std::variant<Receipts::Claim, http::Response>> Receipts::begin(
    std::string_view key, std::string_view request) {
  std::string name = base::sha256(key).to_hex();
  const bool is_first =
      under_way_.with([&](std::set<std::string>& names) { return names.insert(name).second; });
  if (!is_first)
    return base::conflict(
        "a request with this Idempotency-Key is still in progress: wait for it, then send it "
        "again");
  return begin_claimed(Claim(*this, std::move(name), base::sha256(request).to_hex()));
}

base::Result<std::variant<Receipts::Claim, http::Response>> Receipts::begin_claimed(Claim claim) {
  CLEVER_TRY(io::make_directories(folder_));
  auto kept = kept_in(file(claim.name_));
  if (kept.ok() && !is_old(kept->at) && !base::planted("receipts.do_it_again")) {
    if (kept->request != claim.request_) {
      return base::conflict("this Idempotency-Key belongs to another request: use a new key");
    }
    if (kept->answer) return *std::move(kept->answer);
    return base::conflict(
        "the server ended during a request with this Idempotency-Key, so its outcome is unknown: "
        "look at the plans before you send it under another key");
  }
  if (!kept.ok() && kept.error().code() != base::ErrorCode::kNotFound) return kept.error();
  CLEVER_TRY(io::write_file_atomically(
      file(claim.name_), text_of({milliseconds(clock_.wall_now()), claim.request_, {}})));
  base::crash_point("server.receipt_begun");
  return std::variant<Claim, http::Response>(std::move(claim));
}

base::Result<void> Receipts::expire() const {
  if (io::file_kind(folder_) != io::FileKind::kDirectory) return {};
  CLEVER_ASSIGN(const io::Directory folder, io::Directory::open(folder_));
  std::vector<std::string> names;
  CLEVER_TRY(folder.list("", [&](std::string_view name, io::EntryFacts::Kind) {
    names.emplace_back(name);
    return true;
  }));
  for (const std::string& name : names) {
    const auto kept = kept_in(folder_ / name);
    if (kept.ok() && is_old(kept->at)) CLEVER_TRY(folder.remove_file(name));
  }
  return {};
}

}  // namespace clever::server
