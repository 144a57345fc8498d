#include "git/internal/git_objects.h"

#include <cstring>

#include "base/lock_rank.h"
#include "git/initialise.h"

namespace clever::git::internal {
namespace {

git_oid to_git(const ObjectId& id) {
  git_oid oid{};
  std::memcpy(oid.id, id.bytes().data(), ObjectId::kSize);
  return oid;
}

base::Error library_error(const std::string& doing) {
  const git_error* error = git_error_last();
  const std::string why = error == nullptr || error->message == nullptr ? "" : error->message;
  return base::corruption(doing + ": " + (why.empty() ? "libgit2 gave no reason" : why));
}

}  // namespace

// A handle for one call; returned to the pool unless forget() was called meanwhile.
class GitObjects::Lease {
 public:
  static base::Result<Lease> take(GitObjects& objects) {
    base::lock_rank::require_none("reading objects");
    Handle handle;
    const std::uint64_t generation = objects.rest_.with([&](Rest& rest) {
      if (!rest.handles.empty()) {
        handle = std::move(rest.handles.back());
        rest.handles.pop_back();
      }
      return rest.generation;
    });
    if (handle == nullptr) {
      CLEVER_ASSIGN(handle, objects.open());
    }
    return Lease(objects, std::move(handle), generation);
  }
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;
  ~Lease() {
    if (handle_ == nullptr) return;
    objects_->rest_.with([this](Rest& rest) {
      if (rest.generation == generation_ && rest.handles.size() < kKept) {
        rest.handles.push_back(std::move(handle_));
      }
    });
  }

  [[nodiscard]] git_odb* handle() const noexcept { return handle_.get(); }

 private:
  Lease(GitObjects& objects, Handle handle, std::uint64_t generation)
      : objects_(&objects), handle_(std::move(handle)), generation_(generation) {}

  GitObjects* objects_;
  Handle handle_;
  std::uint64_t generation_;
};

GitObjects::GitObjects(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {
  initialise();
}

base::Result<GitObjects::Handle> GitObjects::open() const {
  git_odb* made = nullptr;
  if (git_odb_new(&made) != 0) return library_error("cannot open an object database");
  Handle handle(made);
  for (const std::filesystem::path& folder : folders_) {
    if (git_odb_add_disk_alternate(handle.get(), folder.c_str()) != 0) {
      return library_error("cannot read " + folder.string());
    }
  }
  return handle;
}

base::Result<std::optional<GitObjects::Header>> GitObjects::header(const ObjectId& id,
                                                                   Lookup lookup) {
  CLEVER_ASSIGN(const Lease lease, Lease::take(*this));
  const git_oid oid = to_git(id);
  const unsigned flags = lookup == Lookup::kAsKnown ? unsigned{GIT_ODB_LOOKUP_NO_REFRESH} : 0U;
  if (git_odb_exists_ext(lease.handle(), &oid, flags) != 1) return std::optional<Header>();
  std::size_t size = 0;
  git_object_t kind = GIT_OBJECT_INVALID;
  if (git_odb_read_header(&size, &kind, lease.handle(), &oid) != 0) {
    return library_error("object " + id.to_hex() + " cannot be read");
  }
  return Header{.kind = static_cast<ObjectKind>(kind), .size = size};
}

base::Result<std::string> GitObjects::read(const ObjectId& id) {
  CLEVER_ASSIGN(const Lease lease, Lease::take(*this));
  const git_oid oid = to_git(id);
  git_odb_object* read = nullptr;
  if (git_odb_read(&read, lease.handle(), &oid) != 0) {
    return library_error("object " + id.to_hex() + " cannot be read");
  }
  std::string content(static_cast<const char*>(git_odb_object_data(read)),
                      git_odb_object_size(read));
  git_odb_object_free(read);
  return content;
}

void GitObjects::forget() {
  std::vector<Handle> old;
  rest_.with([&](Rest& rest) {
    old.swap(rest.handles);
    ++rest.generation;
  });
}

}  // namespace clever::git::internal
