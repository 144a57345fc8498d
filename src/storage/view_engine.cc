#include "storage/view_engine.h"

namespace clever::storage {
namespace {

base::Error only_reads() { return base::invalid_argument("a view of one moment only reads"); }

}  // namespace

void ViewEngine::submit(UnitOfWork /*unit*/, Done done) { done(only_reads()); }

base::Result<Receipt> ViewEngine::commit(UnitOfWork /*unit*/, const base::StopToken& /*stop*/,
                                         base::Deadline /*deadline*/) {
  return only_reads();
}

base::Result<void> ViewEngine::read(const Read& read, const base::StopToken& stop,
                                    base::Deadline /*deadline*/) {
  if (stop.stop_requested()) return base::cancelled("stopped while reading");
  return read(view_);
}

std::unique_ptr<Subscription> ViewEngine::subscribe(std::string /*topic*/,
                                                    std::function<void()> /*wake*/) {
  return nullptr;  // the view never changes
}

base::Result<EngineFacts> ViewEngine::facts() { return only_reads(); }
base::Result<void> ViewEngine::check_integrity(const Progress& /*progress*/,
                                               const base::StopToken& /*stop*/) {
  return only_reads();
}
base::Result<void> ViewEngine::backup(const std::filesystem::path& /*target*/,
                                      const Progress& /*progress*/,
                                      const base::StopToken& /*stop*/) {
  return only_reads();
}
base::Result<void> ViewEngine::vacuum(const Progress& /*progress*/,
                                      const base::StopToken& /*stop*/) {
  return only_reads();
}

}  // namespace clever::storage
