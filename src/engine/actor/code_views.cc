#include "engine/actor/code_views.h"

#include <utility>

#include "base/sha256.h"
#include "engine/actor/internal/background_cache.h"
#include "engine/effects/internal/bounded_cache.h"

namespace clever::engine {
namespace {

constexpr std::size_t kMostProjectsOpen = 8;
constexpr std::size_t kKeyDigits = 12;

bool is_harmless(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

// Names the rules' patterns; the limits are not part of the name.
std::string name_of(const ViewRules& rules) {
  if (rules.include.empty() && rules.exclude.empty()) return {};
  std::string text;
  for (const auto* patterns : {&rules.include, &rules.exclude}) {
    for (const std::string& pattern : *patterns) text += pattern + "\n";
    text += '\0';
  }
  return base::sha256(text).to_hex();
}

}  // namespace

std::string index_key(const git::Project& project) {
  const bool is_repository = project.kind == git::ProjectKind::kRepository;
  const std::filesystem::path& where = is_repository ? project.common_folder : project.root;
  std::string name = (is_repository && where.filename() == ".git" ? where.parent_path() : where)
                         .filename()
                         .string()
                         .substr(0, 40);
  std::erase_if(name, [](char c) { return !is_harmless(c); });
  return name + "-" + base::sha256(where.string()).to_hex().substr(0, kKeyDigits);
}

class CodeViews::Impl {
 public:
  Impl(base::ThreadPool& pool, Options options, Sources sources)
      : options_(std::move(options)),
        sources_(std::move(sources)),
        indexes_(kMostProjectsOpen),
        views_(pool, options_.kept),
        histories_(pool, kMostProjectsOpen) {}

  void prepare(const Files& files) {
    // Ignores the error: a caller that needs the view asks again, and gets it then.
    (void)views_.prepare(key_of(files), view_maker(files));
    if (files.commit.empty()) return;
    (void)histories_.prepare(history_key(files.project, files.commit),
                             history_maker(files.project, files.commit));
  }

  base::Result<Seen> look(const Files& files, const base::StopToken& stop,
                          base::Deadline deadline) {
    prepare(files);
    CLEVER_ASSIGN(const auto view, views_.get(key_of(files), view_maker(files), stop, deadline));
    Seen seen{.view = view};
    if (!files.commit.empty()) {
      auto past = history(files.project, files.commit, stop, deadline);
      if (past.ok()) seen.history = std::move(past).value();
    }
    return seen;
  }

  base::Result<std::shared_ptr<const context::History>> history(const git::Project& project,
                                                                const std::string& commit,
                                                                const base::StopToken& stop,
                                                                base::Deadline deadline) {
    return histories_.get(history_key(project, commit), history_maker(project, commit), stop,
                          deadline);
  }

  base::Result<std::shared_ptr<index::CodeIndex>> index_of(const git::Project& project) {
    const std::string key = index_key(project);
    return indexes_.get(key, [&]() -> base::Result<std::shared_ptr<index::CodeIndex>> {
      index::IndexOptions options = options_.index;
      options.folder = options_.folder / key;
      CLEVER_ASSIGN(auto opened, sources_.index(std::move(options)));
      return std::shared_ptr<index::CodeIndex>(std::move(opened));
    });
  }

  // A phase without rules uses the rules of the phase before it.
  const ViewRules& rules_of(model::Phase phase) const {
    const ViewRules* rules = &options_.usual;
    for (const auto& [of, own] : options_.rules) {
      if (of <= phase) rules = &own;
    }
    return *rules;
  }
  [[nodiscard]] std::filesystem::path folder_of(const git::Project& project) const {
    return options_.folder / index_key(project);
  }

 private:
  using ViewMaker = internal::BackgroundCache<index::View>::Make;
  using HistoryMaker = internal::BackgroundCache<context::History>::Make;

  [[nodiscard]] std::string key_of(const Files& files) const {
    return index_key(files.project) + "/" + files.tree.to_hex() + "/" +
           name_of(rules_of(files.phase));
  }
  static std::string history_key(const git::Project& project, const std::string& commit) {
    return index_key(project) + "/" + commit;
  }

  ViewMaker view_maker(const Files& files) {
    return [this, files](const base::StopToken& stop) { return make_view(files, stop); };
  }
  base::Result<std::shared_ptr<const index::View>> make_view(const Files& files,
                                                             const base::StopToken& stop) {
    CLEVER_ASSIGN(const auto index, index_of(files.project));
    return index->view(
        seen_through(rules_of(files.phase), sources_.corpus(files.store, files.tree)), {}, stop);
  }
  HistoryMaker history_maker(const git::Project& project, const std::string& commit) {
    return [this, project, commit](const base::StopToken& stop) {
      return read_history(project, commit, stop);
    };
  }
  base::Result<std::shared_ptr<const context::History>> read_history(const git::Project& project,
                                                                     const std::string& commit,
                                                                     const base::StopToken& stop) {
    context::History::Options options{.folder = folder_of(project) / "history"};
    if (!commit.empty()) {
      CLEVER_ASSIGN(options.commit, git::ObjectId::from_hex(commit));
    }
    return sources_.history(project, options, stop);
  }

  // Constant after construction.
  const Options options_;
  const Sources sources_;
  // Each guards itself. Later members use earlier ones.
  internal::BoundedCache<std::string, index::CodeIndex> indexes_;
  internal::BackgroundCache<index::View> views_;
  internal::BackgroundCache<context::History> histories_;
};

CodeViews::CodeViews(base::ThreadPool& pool, Options options, Sources sources)
    : impl_(std::make_unique<Impl>(pool, std::move(options), std::move(sources))) {}
CodeViews::~CodeViews() = default;

void CodeViews::prepare(const Files& files) { impl_->prepare(files); }

base::Result<CodeViews::Seen> CodeViews::look(const Files& files, const base::StopToken& stop,
                                              base::Deadline deadline) {
  return impl_->look(files, stop, deadline);
}

base::Result<std::shared_ptr<const context::History>> CodeViews::history(
    const git::Project& project, const std::string& commit, const base::StopToken& stop,
    base::Deadline deadline) {
  return impl_->history(project, commit, stop, deadline);
}

base::Result<std::shared_ptr<index::CodeIndex>> CodeViews::index_of(const git::Project& project) {
  return impl_->index_of(project);
}

const ViewRules& CodeViews::rules_of(model::Phase phase) const { return impl_->rules_of(phase); }

std::filesystem::path CodeViews::folder_of(const git::Project& project) const {
  return impl_->folder_of(project);
}

}  // namespace clever::engine
