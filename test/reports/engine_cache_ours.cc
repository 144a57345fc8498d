#include "reports/engine_cache_ours.h"

#include <utility>
#include <variant>

#include "support/idle_engine.h"

namespace clever::reports::engine_cache {
namespace {

using storage::DatabaseUrl;

// Closes the model's database as a real engine's destructor would.
class BackendEngine final : public test::IdleEngine {
 public:
  explicit BackendEngine(EnginePtr engine) : engine_(std::move(engine)) {}
  ~BackendEngine() override { engine_->close(); }

  [[nodiscard]] engine_cache::Engine* engine() const { return engine_.get(); }

 private:
  const EnginePtr engine_;
};

// As the backend knows it: relative to the root.
std::string backend_name(const DatabaseUrl& url) {
  const auto* file = std::get_if<DatabaseUrl::File>(&url.address());
  return file == nullptr ? "sqlite:///:memory:" : "sqlite://" + file->path.string();
}

}  // namespace

base::Result<std::string> BackendSource::identify(const DatabaseUrl& url) {
  return url.normalised();
}

base::Result<std::unique_ptr<storage::Engine>> BackendSource::open(
    const DatabaseUrl& url, const base::StopToken& /*stop*/) {
  EnginePtr engine = backend_.create(backend_name(url), Memory::kShared);
  if (!engine->works()) return base::unavailable("the database cannot be reached");
  engine->migrate();
  return std::make_unique<BackendEngine>(std::move(engine));
}

EnginePtr Ours::open(int /*consumer*/, const std::string& url) {
  const DatabaseUrl::Folders root{.home = "/", .directory = "/"};
  auto opened = cache_.open(DatabaseUrl::parse(url, root).value());
  if (!opened.ok()) return nullptr;
  auto* const engine = static_cast<BackendEngine&>(**opened).engine();
  return {*std::move(opened), engine};
}

}  // namespace clever::reports::engine_cache
