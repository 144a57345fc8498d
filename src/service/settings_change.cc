#include "service/settings_change.h"

#include <filesystem>
#include <string>
#include <utility>

#include "base/random.h"
#include "base/ulid.h"
#include "io/directory.h"
#include "io/file.h"
#include "provider/registry.h"
#include "service/commands/provider.h"
#include "service/notice/notice_targets.h"

namespace clever::service {
namespace {

/// A folder with a copy of the home's settings; removed with it.
class Candidate {
 public:
  static base::Result<Candidate> make(const std::string& text, const Context& context) {
    base::SystemRandom random;
    base::UlidGenerator names(context.clock(), random);
    Candidate candidate(context.home() / "server" / ("settings-" + names.next().to_string()));
    CLEVER_TRY(io::make_directories(candidate.folder_));
    CLEVER_TRY(io::write_file_atomically(config::user_file(candidate.folder_), text));
    return candidate;
  }
  explicit Candidate(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Candidate(Candidate&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  Candidate& operator=(Candidate&&) = delete;
  ~Candidate() {
    // Left behind it is only a copy.
    if (folder_.empty()) return;
    const auto parent = io::Directory::open(folder_.parent_path());
    if (parent.ok()) static_cast<void>(parent->remove_all(folder_.filename().string()));
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

// As a worker takes them up.
base::Result<void> try_out(const config::Settings& settings, const Context& context) {
  CLEVER_ASSIGN(const auto found, find_providers(settings, context));
  CLEVER_TRY(notice_targets(settings, context.environment()));
  provider::ProviderRegistry registry([&context](const provider::Endpoint& endpoint) {
    return context.models().backend(endpoint, {});
  });
  CLEVER_TRY(registry.reconfigure(found));
  return {};
}

base::Result<void> check(const std::string& text, const Context& context) {
  CLEVER_ASSIGN(const Candidate candidate, Candidate::make(text, context));
  config::Sources sources = context.sources();
  sources.home = candidate.folder();
  sources.project_directory.reset();
  const auto settings = config::load_settings(sources);
  const auto tried = settings.ok() ? try_out(*settings, context) : settings.error();
  if (tried.ok()) return {};
  // As if it were written already.
  std::string sentence = tried.error().sentence();
  const std::string folder = candidate.folder().string();
  for (std::size_t at = 0; (at = sentence.find(folder)) != std::string::npos;) {
    sentence.replace(at, folder.size(), context.home().string());
  }
  return base::invalid_argument(sentence);
}

}  // namespace

base::Result<void> change_settings(const std::vector<config::ValueChange>& changes,
                                   Context& context) {
  return config::change_values(config::user_file(context.home()), changes,
                               [&context](const std::string& text) { return check(text, context); },
                               {.stop = context.stop()});
}

}  // namespace clever::service
