#pragma once
// Report #3950: the product's engine cache over the models' databases.

#include <memory>
#include <string>

#include "reports/engine_cache_backend.h"
#include "storage/engine_cache.h"

namespace clever::reports::engine_cache {

/// What storage::DatabaseSource is to real databases: opens and migrates, or says why not.
class BackendSource final : public storage::EngineSource {
 public:
  explicit BackendSource(Backend& backend) : backend_(backend) {}

  base::Result<std::string> identify(const storage::DatabaseUrl& url) override;
  base::Result<std::unique_ptr<storage::Engine>> open(const storage::DatabaseUrl& url,
                                                      const base::StopToken& stop) override;

 private:
  Backend& backend_;
};

class Ours {
 public:
  explicit Ours(Backend& backend) : source_(backend) {}

  /// Null if the database cannot be opened now. Whoever holds the pointer holds the engine.
  EnginePtr open(int consumer, const std::string& url);
  EnginePtr unit_of_work(int consumer, const std::string& url) { return open(consumer, url); }
  /// To let go of the pointer is all.
  void release(int /*consumer*/, const std::string& /*url*/, const EnginePtr& /*engine*/) {}

 private:
  BackendSource source_;
  storage::EngineCache cache_{source_};
};

}  // namespace clever::reports::engine_cache
