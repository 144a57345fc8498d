#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/result.h"
#include "http/message.h"

namespace clever::server {

/// What became of requests with an Idempotency-Key, kept for 24 hours: a file for each.
///
/// Thread-safe. A request is written down before it is done and once more with its answer; one that
/// was begun and has no answer (the server was killed) is never done again: `conflict` says so.
class Receipts {
 public:
  static constexpr std::chrono::hours kKept{24};

  /// The right to carry out the request of one key. Move-only; dropped without settle(), the key
  /// stays used.
  class Claim {
   public:
    Claim(Receipts& receipts, std::string name, std::string request)
        : receipts_(&receipts), name_(std::move(name)), request_(std::move(request)) {}
    Claim(Claim&& other) noexcept
        : receipts_(std::exchange(other.receipts_, nullptr)),
          name_(std::move(other.name_)),
          request_(std::move(other.request_)) {}
    Claim& operator=(Claim&&) = delete;
    ~Claim();

    /// Stores the answer.
    base::Result<void> settle(const http::Response& answer);

   private:
    friend class Receipts;
    Receipts* receipts_;
    std::string name_;
    std::string request_;
  };

  /// The clock must outlive it.
  Receipts(std::filesystem::path home, const base::Clock& clock)
      : folder_(std::move(home) / "server" / "receipts"), clock_(clock) {}

  /// Returns a claim for a new key, or the stored answer for a key that was used for the same
  /// request. `request` holds everything that must be equal: method, path and body. `conflict` for
  /// another request, for one that is in progress, and for one whose outcome is unknown.
  [[nodiscard]] base::Result<std::variant<Claim, http::Response>> begin(std::string_view key,
                                                                        std::string_view request);
  /// Removes receipts older than kKept.
  base::Result<void> expire() const;

 private:
  [[nodiscard]] base::Result<std::variant<Claim, http::Response>> begin_claimed(Claim claim);
  [[nodiscard]] std::filesystem::path file(const std::string& name) const {
    return folder_ / (name + ".json");
  }
  [[nodiscard]] bool is_old(std::int64_t at) const;

  // Constant after construction.
  const std::filesystem::path folder_;
  const base::Clock& clock_;
  // Shared: keys of requests in progress.
  base::Guarded<std::set<std::string>> under_way_;
};

}  // namespace clever::server
