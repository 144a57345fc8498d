#include "storage/postgres/internal/listener.h"

#include "storage/postgres/internal/topics.h"

namespace clever::storage::postgres {

void Listener::want() {
  wanted_.update([](bool& wanted) { wanted = true; });
}

void Listener::run(const base::StopToken& stop) {
  const Patience patience{.stop = stop};
  if (!wanted_.wait(stop, base::Deadline::never(), [](bool wanted) { return wanted; }).ok()) return;
  unsigned attempts = 0;
  while (!stop.stop_requested()) {
    // Ignores every error: the next attempt may succeed, and only speed depends on the listener.
    static_cast<void>(listen(patience, attempts));
    static_cast<void>(connector_.back_off(attempts++, patience));
  }
}

base::Result<void> Listener::listen(const Patience& patience, unsigned& attempts) {
  CLEVER_ASSIGN(const auto connection, connector_.connect(Purpose::kOther, patience));
  CLEVER_TRY(connection->run(patience, "LISTEN clever"));
  notifications_.publish_all();
  while (true) {
    CLEVER_ASSIGN(const Announcement heard, connection->next_announcement(patience));
    pass_on(heard);
    attempts = 0;
  }
}

void Listener::pass_on(const Announcement& announcement) {
  const TopicNews news = read_payload(announcement.payload);
  if (news.sender == name_) return;
  if (news.topics) {
    notifications_.publish(*news.topics);
  } else {
    notifications_.publish_all();
  }
}

}  // namespace clever::storage::postgres
