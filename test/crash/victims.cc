#include "crash/victims.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace clever::storage::crash {
namespace {

static_assert(sizeof(Report) <= 512, "POSIX promises that a write of so much is not torn");

void write_report(int pipe, const Report& report) {
  if (::write(pipe, &report, sizeof(report)) != ssize_t{sizeof(report)}) ::_exit(3);
}

int milliseconds(base::Duration patience) {
  const auto most = std::chrono::milliseconds{10'000};
  if (patience >= most) return static_cast<int>(most.count());
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(patience).count());
}

}  // namespace

Victims::Victims(int count, const Body& body) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
  pipe_ = io::FileDescriptor(ends[0]);
  const io::FileDescriptor writing(ends[1]);
  for (int process = 0; process < count; ++process) {
    children_.push_back(std::make_unique<test::ChildProcess>([&] {
      ::close(ends[0]);
      const Tell tell = [&](const Report& report) { write_report(ends[1], report); };
      body(process, tell);
      tell({.did = Did::kFinished});
      return 0;
    }));
  }
}

bool Victims::receive() {
  std::array<char, sizeof(Report) * 64> buffer;
  const ssize_t size = ::read(pipe_.number(), buffer.data(), buffer.size());
  if (size > 0) received_.append(buffer.data(), static_cast<std::size_t>(size));
  return size > 0;
}

void Victims::listen(std::size_t reports, base::Duration patience) {
  const base::SystemClock clock;
  const base::TimePoint begin = clock.now();
  while (received_.size() < reports * sizeof(Report)) {
    const base::Duration spent = clock.now() - begin;
    if (spent >= patience) return;
    pollfd waiting{.fd = pipe_.number(), .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, milliseconds(patience - spent)) > 0 && !receive()) return;
  }
}

void Victims::kill(std::size_t process) {
  if (auto child = std::exchange(children_[process], nullptr)) {
    killed_ = child->kill_and_wait() == -SIGKILL || killed_;
  }
}

void Victims::kill_all() {
  for (const auto& child : children_) {
    if (child) ::kill(child->id(), SIGKILL);
  }
  for (std::size_t i = 0; i < children_.size(); ++i) kill(i);
}

void Victims::drain() {
  while (receive()) {
  }
}

bool Victims::wait() {
  // A pipe that is full would keep them from ending.
  drain();
  for (auto& child : children_) {
    if (child) killed_ = child->wait() == -SIGKILL || killed_;
    child.reset();
  }
  return killed_;
}

std::vector<Report> Victims::take_reports() {
  drain();
  std::vector<Report> reports(received_.size() / sizeof(Report));
  if (!reports.empty())
    std::memcpy(reports.data(), received_.data(), reports.size() * sizeof(Report));
  received_.clear();
  return reports;
}

Faults inspect_apart(const Place& place, const std::vector<Report>& reports, int run,
                     std::span<const Migration> migrations) {
  Victims inspector(1, [&](int, const Tell& tell) {
    for (const Fault& fault : inspect(place, reports, run, migrations)) {
      Report report = Report::fault(fault.what);
      report.number = static_cast<std::int64_t>(fault.kind);
      tell(report);
    }
  });
  inspector.wait();
  Faults faults;
  bool finished = false;
  for (const Report& report : inspector.take_reports()) {
    finished = finished || report.did == Did::kFinished;
    if (report.did != Did::kFault) continue;
    faults.push_back({static_cast<Fault::Kind>(report.number), report.message()});
  }
  if (!finished) faults.push_back({Fault::Kind::kBroken, "the inspection died"});
  return faults;
}

}  // namespace clever::storage::crash
